import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { OPERATOR_URL_FILE, OPERATORS_FILE } from '../operators-file.ts';
import { CliError, EXIT } from './cli-error.ts';

export interface AccessOptions {
  readonly url?: string;
  readonly token?: string;
  readonly 'token-command'?: string;
  readonly data?: string;
}

/** Where the operators' API is, and what proves the caller's identity. */
export interface Access {
  readonly url: string;
  readonly token: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const FALLBACK = 'http://127.0.0.1:8081';
const LOOPBACK = /^(127(\.\d+){3}|\[::1\]|localhost)$/;

/** By option, then by environment, then as the data folder of `npm start` says. Throws CliError. */
export function accessFrom(options: AccessOptions, environment: Environment): Access {
  const data = options.data ?? environment['HOLDFAST_DATA'] ?? './holdfast-data';
  const url = options.url ?? environment['HOLDFAST_OPERATOR_URL'] ?? urlIn(data) ?? FALLBACK;
  if (!URL.canParse(url) || !/^https?:/.test(url))
    throw new CliError(EXIT.usage, `--url is ${JSON.stringify(url)}; give an http or https URL`);
  const here = LOOPBACK.test(new URL(url).hostname);
  // A token of this machine proves nothing elsewhere, and must not be shown there.
  const token = given(options, environment) ?? (here ? tokenIn(data) : undefined);
  if (token === undefined) throw noToken();
  return { url: url.replace(/\/+$/, ''), token };
}

function given(options: AccessOptions, environment: Environment): string | undefined {
  const token = options.token ?? environment['HOLDFAST_TOKEN'];
  if (token !== undefined && token !== '') return token;
  const command = options['token-command'] ?? environment['HOLDFAST_TOKEN_COMMAND'];
  return command === undefined || command === '' ? undefined : printedBy(command);
}

function noToken(): CliError {
  return new CliError(
    EXIT.access,
    `no token: start the system with \`npm start\` and run this beside its data folder (--data), or give --token; on Google Cloud --token-command (docs/operator.md has the command)`,
  );
}

function printedBy(command: string): string {
  try {
    // As a shell reads it: it may have quotes and options.
    const printed = execFileSync('/bin/sh', ['-c', command], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    }).trim();
    if (printed !== '') return printed;
  } catch {
    // Its own words are on stderr.
  }
  throw new CliError(EXIT.access, `the token command printed no token: ${command}`);
}

function urlIn(data: string): string | undefined {
  const file = join(data, OPERATOR_URL_FILE);
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

const file = z.record(z.string(), z.object({ token: z.string() }));

function tokenIn(data: string): string | undefined {
  try {
    const parsed = file.parse(JSON.parse(readFileSync(join(data, OPERATORS_FILE), 'utf8')));
    return (parsed['local'] ?? Object.values(parsed)[0])?.token;
  } catch {
    return undefined;
  }
}
