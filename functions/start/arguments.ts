import { parseArgs } from 'node:util';
import type { Idempotency, Installation } from '../../shared/app/app.ts';
import { CEILINGS } from '../../shared/domain/ceiling.ts';
import type { Settings } from '../../shared/domain/settings.ts';
import { privateHosts } from '../open-remotes.ts';
import { BadConfiguration, settingsFrom } from '../settings.ts';

export interface StartOptions {
  readonly port: number;
  readonly host: string;
  /** Undefined: 8081, or a free one where that is taken. */
  readonly operatorPort: number | undefined;
  readonly data: string;
  readonly agents: string | undefined;
  readonly store: 'embedded' | 'firestore' | 'google';
  readonly project: string | undefined;
  readonly database: string;
  readonly idempotency: Idempotency;
  readonly installation: Installation;
  readonly allowPrivateWebhooks: boolean;
  /** Hosts in private networks that remote agents may have. */
  readonly remotePrivate: readonly string[];
  readonly v03: boolean;
  readonly baseUrl: string | undefined;
  readonly sync: 'normal' | 'full';
  readonly log: 'debug' | 'info' | 'warning' | 'error';
  readonly settings: Settings;
}

interface Flag {
  readonly name: string;
  readonly value?: string;
  readonly fallback?: string;
  readonly variable?: string;
  readonly help: string;
}

/** One table: the parser, the environment and --help all read it. */
export const FLAGS: readonly Flag[] = [
  {
    name: 'port',
    value: 'number',
    fallback: '8080',
    variable: 'PORT',
    help: 'port to listen on; 0 takes a free one',
  },
  {
    name: 'host',
    value: 'address',
    fallback: '127.0.0.1',
    variable: 'HOLDFAST_HOST',
    help: 'address to listen on; others than loopback are open to the network',
  },
  {
    name: 'operator-port',
    value: 'number',
    variable: 'HOLDFAST_OPERATOR_PORT',
    help: 'port for operators, on loopback alone; 0 takes a free one (default 8081, or a free one where that is taken)',
  },
  {
    name: 'data',
    value: 'folder',
    fallback: './holdfast-data',
    variable: 'HOLDFAST_DATA',
    help: 'folder for the database, objects and the local key',
  },
  {
    name: 'agents',
    value: 'module',
    variable: 'HOLDFAST_AGENTS',
    help: 'module that exports the agents (default: agents/index.ts)',
  },
  {
    name: 'store',
    value: 'embedded|firestore|google',
    fallback: 'embedded',
    variable: 'HOLDFAST_STORE',
    help: 'where rows live; google: every service, by emulators on this machine, one process a function',
  },
  {
    name: 'project',
    value: 'id',
    variable: 'GOOGLE_CLOUD_PROJECT',
    help: 'Google Cloud project, for --store firestore',
  },
  {
    name: 'database',
    value: 'id',
    fallback: '(default)',
    variable: 'HOLDFAST_DATABASE',
    help: 'Firestore database, for --store firestore',
  },
  {
    name: 'idempotency',
    value: 'authenticated|always|off',
    fallback: 'authenticated',
    variable: 'HOLDFAST_IDEMPOTENCY',
    help: 'whose retried messages are answered by the same task',
  },
  {
    name: 'answer-ceiling',
    value: 'none|metadata|redacted|full',
    fallback: 'metadata',
    variable: 'HOLDFAST_ANSWER_CEILING',
    help: 'how much of an answer may be kept here; metadata, the default, keeps full answers',
  },
  {
    name: 'audit-ceiling',
    value: 'none|metadata|redacted|full',
    fallback: 'metadata',
    variable: 'HOLDFAST_AUDIT_CEILING',
    help: 'how much of a run its audit records may keep',
  },
  { name: 'v0.3', variable: 'HOLDFAST_V03', help: 'also serve clients of A2A v0.3' },
  {
    name: 'allow-private-webhooks',
    variable: 'HOLDFAST_ALLOW_PRIVATE_WEBHOOKS',
    help: 'let push notifications go to private addresses (no effect before push notifications come)',
  },
  {
    name: 'remote-private',
    value: 'host,host|loopback',
    variable: 'HOLDFAST_REMOTE_PRIVATE',
    help: 'hosts in private networks that remote agents may have; they may speak plain http, too',
  },
  {
    name: 'base-url',
    value: 'url',
    variable: 'HOLDFAST_BASE_URL',
    help: 'public URL of this server (default: what the request says)',
  },
  {
    name: 'sync',
    value: 'normal|full',
    fallback: 'normal',
    variable: 'HOLDFAST_SYNC',
    help: 'full: each commit reaches the disk before it is answered, also through a power cut',
  },
  {
    name: 'log',
    value: 'debug|info|warning|error',
    fallback: 'warning',
    variable: 'HOLDFAST_LOG',
    help: 'least severe log line that is written (to stderr)',
  },
];

export const HELP = `Usage: npm start -- [options]

Runs the whole of Holdfast in one process: the A2A server, the worker, the projector, the
coordinator and the sweeper; and the operators' API, for npx holdfast, on a port of its own.

Options (each also as the environment variable in brackets):
${FLAGS.map(line).join('\n')}
  --set name=value
      sets one of the system's numbers, repeatable: --set lease=5000 [HOLDFAST_LEASE]
  --help
      shows this text
`;

function line(flag: Flag): string {
  const fallback = flag.fallback === undefined ? '' : ` (default ${flag.fallback})`;
  const variable = flag.variable === undefined ? '' : ` [${flag.variable}]`;
  return `  --${flag.name}${flag.value === undefined ? '' : ` <${flag.value}>`}\n      ${flag.help}${fallback}${variable}`;
}

/**
 * Reads flags over environment variables over defaults. Undefined: help was asked for. Throws
 * BadConfiguration.
 */
export function readArguments(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): StartOptions | undefined {
  const given = parse(args);
  if (given['help'] === true) return undefined;
  const value = (name: string): string | undefined => {
    const flag = FLAGS.find((each) => each.name === name);
    const typed = given[name];
    if (typeof typed === 'string') return typed;
    const inherited = flag?.variable === undefined ? undefined : environment[flag.variable];
    return inherited === undefined || inherited === '' ? flag?.fallback : inherited;
  };
  const set = given['set'];
  const store = choice('store', value('store'), ['embedded', 'firestore', 'google']);
  const project = value('project');
  if (store === 'firestore' && project === undefined) {
    throw new BadConfiguration('--store firestore needs --project (or GOOGLE_CLOUD_PROJECT)');
  }
  return {
    port: port('port', value('port')),
    operatorPort:
      value('operator-port') === undefined
        ? undefined
        : port('operator-port', value('operator-port')),
    host: value('host') ?? '127.0.0.1',
    data: value('data') ?? '',
    agents: value('agents'),
    store,
    project,
    database: value('database') ?? '(default)',
    idempotency: choice('idempotency', value('idempotency'), ['authenticated', 'always', 'off']),
    installation: {
      answer: choice('answer-ceiling', value('answer-ceiling'), CEILINGS),
      audit: choice('audit-ceiling', value('audit-ceiling'), CEILINGS),
    },
    allowPrivateWebhooks:
      given['allow-private-webhooks'] === true ||
      isOn(environment['HOLDFAST_ALLOW_PRIVATE_WEBHOOKS']),
    remotePrivate: privateHosts(value('remote-private')),
    v03: given['v0.3'] === true || isOn(environment['HOLDFAST_V03']),
    baseUrl: url(value('base-url')),
    sync: choice('sync', value('sync'), ['normal', 'full']),
    log: choice('log', value('log'), ['debug', 'info', 'warning', 'error']),
    settings: settingsFrom(environment, Array.isArray(set) ? set.map(String) : []),
  };
}

function parse(args: readonly string[]): Readonly<Record<string, unknown>> {
  const options: Record<string, { type: 'string' | 'boolean'; multiple?: boolean }> = {
    help: { type: 'boolean' },
    set: { type: 'string', multiple: true },
  };
  for (const { name, value } of FLAGS)
    options[name] = { type: value === undefined ? 'boolean' : 'string' };
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new BadConfiguration(`${reason} (see --help)`);
  }
}

function choice<T extends string>(
  name: string,
  value: string | undefined,
  allowed: readonly T[],
): T {
  const chosen = allowed.find((each) => each === value);
  if (chosen === undefined)
    throw new BadConfiguration(
      `--${name} is ${JSON.stringify(value)}; it must be one of ${allowed.join(', ')}`,
    );
  return chosen;
}

function port(name: string, value: string | undefined): number {
  const number = Number(value);
  if (value !== undefined && /^\d+$/.test(value) && number <= 65_535) return number;
  throw new BadConfiguration(
    `--${name} is ${JSON.stringify(value)}; it must be a number from 0 to 65535`,
  );
}

function url(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (URL.canParse(value) && /^https?:/.test(value)) return value.replace(/\/+$/, '');
  throw new BadConfiguration(
    `--base-url is ${JSON.stringify(value)}; it must be an http or https URL`,
  );
}

function isOn(value: string | undefined): boolean {
  return value === '1' || value === 'true';
}
