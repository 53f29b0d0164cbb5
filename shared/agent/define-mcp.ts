import type { JsonObject } from '../domain/json.ts';
import { credentialProblems } from './credential-problems.ts';
import type { Remote } from '../domain/remote.ts';
import type { ToolServer } from '../domain/tool-server.ts';
import { EFFECTS, NAME_RULE, TOOL_NAME, type ToolEffect } from './define-tool.ts';

/** What an author says of one tool of a server, in place of what the server says. */
export interface McpToolOverride {
  readonly effect?: ToolEffect;
  /** A person must approve the turn that calls it. */
  readonly approval?: boolean | ((args: JsonObject) => boolean);
  /** Public: what a person who is asked for approval may know of the arguments. */
  readonly summary?: (args: JsonObject) => string;
  /** For the model, instead of the server's words. */
  readonly description?: string;
}

interface McpFrame {
  /** Of the server, here. Its tools have it as their prefix. */
  readonly name: string;
  /** Before the name of each tool. Default: the server's name and `_`; empty for none. */
  readonly prefix?: string;
  /** Only these of its tools are offered, by the names that the server gives them. */
  readonly allow?: readonly string[];
  /** These are not. */
  readonly deny?: readonly string[];
  /**
   * `destructive`: calls of tools that may destroy need an approval, which is each that does not
   * say that it reads only, or destroys nothing. True: all of them; false: none. Default:
   * `destructive`.
   */
  readonly approval?: boolean | 'destructive';
  /** By the name that the server gives. */
  readonly overrides?: Readonly<Record<string, McpToolOverride>>;
  /** Milliseconds of one call. Default: 60 seconds; 4 minutes at most. */
  readonly timeout?: number;
  /** Bytes of one answer as it is sent. Default: 4 MiB. */
  readonly answerBytes?: number;
}

/** A server that is reached by Streamable HTTP. */
export interface McpUrlDeclaration extends McpFrame {
  readonly url: string;
  /** The scheme, and the name of the secret that holds the credentials. */
  readonly credential?: Remote['credential'];
  /** Sent with each request. No secrets: they belong in `credential`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly command?: never;
  readonly folder?: never;
  readonly env?: never;
}

/** A server that is a child process of this one. */
export interface McpCommandDeclaration extends McpFrame {
  /** The program and its arguments; no shell reads them. */
  readonly command: readonly string[];
  /** Where it runs. Default: where this process does. */
  readonly folder?: string;
  /** All of its environment, besides PATH, HOME, USER, LOGNAME, SHELL and TERM. */
  readonly env?: Readonly<Record<string, string | { readonly secret: string }>>;
  readonly url?: never;
  readonly credential?: never;
  readonly headers?: never;
}

export type McpDeclaration = McpUrlDeclaration | McpCommandDeclaration;

/** A declared server of tools. */
export interface Mcp {
  readonly server: ToolServer;
  readonly prefix: string;
  readonly allow: ReadonlySet<string> | undefined;
  readonly deny: ReadonlySet<string>;
  readonly approval: boolean | 'destructive';
  readonly overrides: ReadonlyMap<string, McpToolOverride>;
}

const TIMEOUT = 60_000;
const LONGEST = 4 * 60_000;
const ANSWER = 4 * 1024 * 1024;
const PREFIX = /^([A-Za-z][A-Za-z0-9_-]{0,31})?$/;

/**
 * Declares an MCP server, whose tools an agent with a model may call. Throws TypeError that lists
 * everything that is wrong with the declaration. The server is not asked before its first use.
 *
 * @example
 * const tickets = defineMcp({
 *   name: 'tickets',
 *   url: 'https://tickets.example/mcp',
 *   credential: { scheme: 'Bearer', secret: 'tickets-token' },
 *   deny: ['delete_project'],
 * });
 */
export function defineMcp(declaration: McpDeclaration): Mcp {
  const problems = mcpProblems(declaration);
  if (problems.length > 0)
    throw new TypeError(`mcp ${JSON.stringify(declaration.name)}: ${problems.join(' ')}`);
  const { allow, deny = [], name, overrides = {} } = declaration;
  return {
    server: {
      name,
      at: placeOf(declaration),
      timeout: declaration.timeout ?? TIMEOUT,
      answerBytes: declaration.answerBytes ?? ANSWER,
    },
    prefix: declaration.prefix ?? `${name}_`,
    allow: allow && new Set(allow),
    deny: new Set(deny),
    approval: declaration.approval ?? 'destructive',
    overrides: new Map(Object.entries(overrides)),
  };
}

function placeOf(declaration: McpDeclaration): ToolServer['at'] {
  if (declaration.url === undefined) {
    const { command, env = {}, folder } = declaration;
    return { kind: 'command', command, env, ...(folder !== undefined && { folder }) };
  }
  const { credential, headers = {}, url } = declaration;
  return { kind: 'url', url, headers, ...(credential && { credential }) };
}

function mcpProblems(declaration: McpDeclaration): readonly string[] {
  const {
    answerBytes = ANSWER,
    approval,
    command,
    name,
    prefix,
    timeout = TIMEOUT,
    url,
  } = declaration;
  const wrong = (fits: boolean, words: string): readonly string[] => (fits ? [] : [words]);
  return [
    ...wrong(typeof name === 'string' && TOOL_NAME.test(name) && name.length <= 31, NAME),
    ...wrong((url === undefined) !== (command === undefined), 'It has either a url or a command.'),
    ...wrong(
      url === undefined || (typeof url === 'string' && URL.parse(url)?.hostname !== undefined),
      'url must be the URL of an MCP server.',
    ),
    ...wrong(command === undefined || isCommand(command), COMMAND),
    ...secretsProblems(declaration),
    ...wrong(
      prefix === undefined || (typeof prefix === 'string' && PREFIX.test(prefix)),
      'prefix must begin with a letter and have letters, digits, _ and -, 32 at most, or be empty.',
    ),
    ...wrong(
      approval === undefined || [true, false, 'destructive'].includes(approval),
      "approval must be a boolean or 'destructive'.",
    ),
    ...wrong(
      Number.isSafeInteger(timeout) && timeout >= 1 && timeout <= LONGEST,
      'timeout must be a whole number of milliseconds, 1 to 240000.',
    ),
    ...wrong(
      Number.isSafeInteger(answerBytes) && answerBytes >= 1,
      'answerBytes must be a whole number, 1 or more.',
    ),
    ...namesProblems(declaration),
  ];
}

const NAME = `${NAME_RULE.replace('64', '31')}`;
const COMMAND = 'command must be a list of strings: the program, and its arguments.';

const isCommand = (command: unknown): boolean =>
  Array.isArray(command) &&
  command.length > 0 &&
  command[0] !== '' &&
  command.every((each) => typeof each === 'string');

function secretsProblems({ credential, env = {}, headers = {} }: McpDeclaration) {
  const wrong = (fits: boolean, words: string): readonly string[] => (fits ? [] : [words]);
  return [
    ...credentialProblems(credential),
    ...Object.entries(headers).flatMap(([header, value]) =>
      wrong(isHeader(header, value), `headers.${header} can't be sent.`),
    ),
    ...wrong(
      Object.keys(headers).every((header) => header.toLowerCase() !== 'authorization'),
      'headers.authorization belongs in credential.',
    ),
    ...Object.entries(env).flatMap(([variable, value]) =>
      wrong(
        typeof value === 'string' || isWord(value?.secret),
        `env.${variable} must be a string, or name a secret.`,
      ),
    ),
  ];
}

function namesProblems({ allow = [], deny = [], overrides = {} }: McpDeclaration) {
  const both = allow.filter((tool) => deny.includes(tool));
  return [
    ...both.map((tool) => `${JSON.stringify(tool)} is in both allow and deny.`),
    ...Object.entries(overrides).flatMap(([tool, { effect }]) =>
      effect === undefined || EFFECTS.includes(effect)
        ? []
        : [`overrides.${tool}.effect must be one of read, idempotent, once.`],
    ),
  ];
}

const isWord = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';

function isHeader(name: string, value: unknown): boolean {
  try {
    return typeof value === 'string' && new Headers([[name, value]]).has(name);
  } catch {
    return false;
  }
}
