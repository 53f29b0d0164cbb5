import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { OPERATOR_URL_FILE, OPERATORS_FILE } from '../operators-file.ts';
import { CliError, EXIT } from './cli-error.ts';

export interface AccessOptions {
  readonly url?: string;
  readonly token?: string;
  readonly 'token-file'?: string;
  readonly 'token-command'?: string;
  readonly data?: string;
}

/** Where the operators' API is, and what proves the caller's identity. */
export interface Access {
  readonly url: string;
  readonly token: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const NAME_BOTH = 'give --url and --token-command yourself';
const LOOPBACK = /^(127(\.\d+){3}|\[::1\]|localhost)$/;

/**
 * By option, then by environment, then as the data folder of `npm start` says. A token goes only to
 * an address that the caller named, or to this machine, as a folder says that no one else can write
 * to; and never unencrypted over a network. Throws CliError.
 */
export function accessFrom(options: AccessOptions, environment: Environment): Access {
  const data = options.data ?? environment['HOLDFAST_DATA'] ?? './holdfast-data';
  const named = options.url ?? environment['HOLDFAST_OPERATOR_URL'];
  const url = named ?? urlIn(data);
  // Whatever else listens on this machine is not to be shown the token.
  if (url === undefined)
    throw new CliError(
      EXIT.access,
      `no server runs over ${data}: start it with \`holdfast start\`, name its folder with --data, or give --url`,
    );
  if (!URL.canParse(url) || !/^https?:/.test(url))
    throw new CliError(EXIT.usage, `--url is ${JSON.stringify(url)}; give an http or https URL`);
  const { hostname, protocol } = new URL(url);
  const here = LOOPBACK.test(hostname);
  if (!here && named === undefined)
    throw new CliError(
      EXIT.access,
      `${join(data, OPERATOR_URL_FILE)} names another machine, ${JSON.stringify(url)}; if it is the right one, give it with --url`,
    );
  if (!here && protocol === 'http:')
    throw new CliError(
      EXIT.access,
      `${url} would send the token unencrypted to another machine; give an https URL`,
    );
  // A token of this machine proves nothing elsewhere, and must not be shown there.
  const token = given(options, environment) ?? (here ? tokenIn(data) : undefined);
  if (token === undefined) throw noToken();
  return { url: url.replace(/\/+$/, ''), token };
}

function given(options: AccessOptions, environment: Environment): string | undefined {
  // What was typed goes before what the environment says.
  const typed = [options.token, options['token-file'], options['token-command']];
  const inherited = [
    environment['HOLDFAST_TOKEN'],
    environment['HOLDFAST_TOKEN_FILE'],
    environment['HOLDFAST_TOKEN_COMMAND'],
  ];
  for (const [token, file, command] of [typed, inherited]) {
    if (token) return token;
    if (file) return tokenOf(file);
    if (command) return printedBy(command);
  }
  return undefined;
}

function tokenOf(file: string): string {
  const text = ownFile(file, 0o077);
  if (text === undefined) throw new CliError(EXIT.access, `there is no token file ${file}`);
  const token = text.trim();
  if (token !== '') return token;
  throw new CliError(EXIT.access, `the token file ${file} is empty`);
}

function noToken(): CliError {
  return new CliError(
    EXIT.access,
    `no token: start the system with \`holdfast start\` and run this beside its data folder (--data), or give --token-file; on Google Cloud --token-command (docs/operator.md has the command)`,
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
  return inFolder(data, OPERATOR_URL_FILE)?.trim();
}

const file = z.record(z.string(), z.object({ token: z.string() }));

function tokenIn(data: string): string | undefined {
  const text = inFolder(data, OPERATORS_FILE);
  try {
    const parsed = file.parse(JSON.parse(text ?? ''));
    return (parsed['local'] ?? Object.values(parsed)[0])?.token;
  } catch {
    return undefined;
  }
}

function inFolder(data: string, name: string): string | undefined {
  if (statSync(data, { throwIfNoEntry: false }) === undefined) return undefined;
  requireOwn(data, 0o022);
  return ownFile(join(data, name), 0o022);
}

/** Undefined if it is not there. Throws CliError for a file that others have a hand in. */
function ownFile(path: string, forbidden: number): string | undefined {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
  requireOwn(path, forbidden);
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new CliError(EXIT.access, `${path} can't be read`);
  }
}

/** Another user could have written there an address that collects tokens. */
function requireOwn(path: string, forbidden: number): void {
  const { mode, uid } = statSync(path);
  const me = process.getuid?.();
  if (me === undefined) return;
  if (uid !== me) throw new CliError(EXIT.access, `${path} belongs to another user; ${NAME_BOTH}`);
  if ((mode & forbidden) === 0) return;
  const right = forbidden === 0o022 ? 'go-w' : 'go-rwx';
  const words = `${path} is open to other users; close it with chmod ${right}, or ${NAME_BOTH}`;
  throw new CliError(EXIT.access, words);
}
