import { createHash, timingSafeEqual } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Grants } from '../shared/ports/grants.ts';
import type { Ids } from '../shared/ports/ids.ts';
import type { Log } from '../shared/ports/log.ts';
import { closeToOthers } from '../shared/embedded/file-modes.ts';
import { bearerOf, type Identify } from '../shared/operator/identity.ts';
import { grantsOf, operatorSchema } from './operators.ts';

const schema = z.record(z.string().min(1), operatorSchema.extend({ token: z.string().min(16) }));

/** Operators of one machine: what each may do, and the token that says who they are. */
export type LocalOperators = z.infer<typeof schema>;

export const OPERATORS_FILE = 'operators.json';
/** Says where the operators' API of this data folder listens. */
export const OPERATOR_URL_FILE = 'operator-url';

/**
 * Makes the file with one operator who may do everything, unless it is there. Only its owner may
 * read it.
 */
export function makeOperatorsFile(folder: string, ids: Pick<Ids, 'token'>): string {
  const file = join(folder, OPERATORS_FILE);
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  const local = {
    token: `${ids.token()}${ids.token()}`,
    agents: ['*'],
    may: ['view', 'decide', 'send', 'cancel'],
  };
  writeFileSync(file, `${JSON.stringify({ local }, undefined, 2)}\n`, { mode: 0o600, flag: 'wx' });
  return file;
}

export interface OperatorsFile {
  /** As the file says now. */
  readonly read: () => LocalOperators;
  readonly identify: Identify;
  readonly grants: Grants;
}

/**
 * The operators of a file that is read again when it has changed, so that a right can be taken away
 * while the system runs. A file that is gone, or can't be understood, has no operators.
 */
export function openOperatorsFile(file: string, log: Log): OperatorsFile {
  let known: { readonly version: string; readonly operators: LocalOperators } | undefined;
  const read = (): LocalOperators => {
    const version = versionOf(file);
    if (known?.version !== version) known = { version, operators: parse(file, log) };
    return known.operators;
  };
  return {
    read,
    grants: grantsOf(read),
    identify: async (headers) => {
      const token = bearerOf(headers);
      if (token === undefined) return undefined;
      return Object.entries(read()).find(([, each]) => same(each.token, token))?.[0];
    },
  };
}

function versionOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined ? '' : `${found.ino} ${found.size} ${found.mtimeMs}`;
}

function parse(file: string, log: Log): LocalOperators {
  if (!existsSync(file)) return {};
  if (closeToOthers(file))
    log.write('warning', 'file was open to others', { file: OPERATORS_FILE });
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    log.write('error', 'operators file not readable', { file: OPERATORS_FILE });
    return {};
  }
}

/** In constant time. */
function same(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
