import { createHash, timingSafeEqual } from 'node:crypto';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { type Grants, type Right, RIGHTS } from '../shared/ports/grants.ts';
import type { Ids } from '../shared/ports/ids.ts';
import type { Log } from '../shared/ports/log.ts';
import { closeToOthers } from '../shared/embedded/file-modes.ts';
import { bearerOf, type Identify } from '../shared/operator/identity.ts';
import { grantsOf, operatorSchema } from './operators.ts';
import { BadConfiguration } from './settings.ts';

const TOKEN = 16;
const short = { error: `must have ${TOKEN} characters or more` };
const entry = operatorSchema.extend({ token: z.string().min(TOKEN, short) });

/** Operators of one machine: what each may do, and the token that says who they are. */
export type LocalOperators = Readonly<Record<string, z.infer<typeof entry>>>;

export const OPERATORS_FILE = 'operators.json';
/** Says where the operators' API of this data folder listens. */
export const OPERATOR_URL_FILE = 'operator-url';

/**
 * Makes the file with one operator who may do everything, unless it is there. Only its owner may
 * read it. It gets its name when it is whole, and of several processes that start at once one makes
 * it.
 */
export function makeOperatorsFile(folder: string, ids: Pick<Ids, 'token'>): string {
  const file = join(folder, OPERATORS_FILE);
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  const local = {
    token: `${ids.token()}${ids.token()}`,
    agents: ['*'],
    may: RIGHTS,
  };
  const draft = `${file}.${ids.token()}`;
  try {
    const text = `${JSON.stringify({ local }, undefined, 2)}\n`;
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx' });
    linkSync(draft, file);
  } catch (error) {
    if (!existsSync(file)) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return file;
}

/** All rights, as earlier releases wrote them into the file that they made. */
const ALL_ONCE: readonly (readonly Right[])[] = [
  ['view', 'decide', 'send', 'cancel'],
  ['view', 'decide', 'send', 'cancel', 'keys'],
  ['view', 'decide', 'send', 'cancel', 'pause', 'retry', 'keys', 'audit'],
];

/**
 * What the operator of this machine lacks because an earlier release made the file, when there were
 * fewer rights. None where a person has chosen the rights.
 */
export function rightsSince(file: string): readonly Right[] {
  const local = existsSync(file) ? parsed(file).operators['local'] : undefined;
  const made = ALL_ONCE.some((all) => isDeepStrictEqual(all, local?.may));
  return local !== undefined && made ? RIGHTS.filter((right) => !local.may.includes(right)) : [];
}

export interface OperatorsFile {
  /** As the file says now. */
  readonly read: () => LocalOperators;
  readonly identify: Identify;
  readonly grants: Grants;
}

/** Throws BadConfiguration for a file that holds anything but operators; there may be no file. */
export function requireOperators(file: string): void {
  const [wrong] = existsSync(file) ? parsed(file).wrong : [];
  if (wrong === undefined) return;
  const { at, why } = wrong;
  throw new BadConfiguration(`${[file, at, why].filter(Boolean).join(': ')}`);
}

/**
 * The operators of a file that is read again when it has changed, so that a right can be taken away
 * while the system runs. A file that is gone, or is no JSON, has no operators; an entry that is
 * wrong is left out alone.
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
  const { operators, wrong } = parsed(file);
  // Without its name, which may be a person's.
  for (const { number, why } of wrong)
    log.write('error', 'operators file not readable', {
      file: OPERATORS_FILE,
      why: number === undefined ? why : `entry ${number}: ${why}`,
    });
  return operators;
}

interface Wrong {
  /** The name of the entry, and its number from 1; none: the whole file. */
  readonly at?: string;
  readonly number?: number;
  readonly why: string;
}

function parsed(file: string): {
  readonly operators: LocalOperators;
  readonly wrong: readonly Wrong[];
} {
  const whole = z.record(z.string(), z.unknown()).safeParse(jsonIn(file));
  if (!whole.success)
    return { operators: {}, wrong: [{ why: 'must be a JSON object of operators by name' }] };
  const entries = Object.entries(whole.data).map(([at, value], before) => {
    const found = entry.safeParse(value);
    const [issue] = found.error?.issues ?? [];
    const why = [issue?.path.join('.'), issue?.message].filter(Boolean).join(' ');
    return { at, found, number: before + 1, why };
  });
  return {
    operators: Object.fromEntries(
      entries.flatMap(({ at, found }) => (found.success ? [[at, found.data]] : [])),
    ),
    wrong: entries.filter(({ found }) => !found.success),
  };
}

function jsonIn(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** In constant time. */
function same(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
