import { parseArgs } from 'node:util';
import type { Idempotency, Installation } from '../../shared/app/app.ts';
import { CEILINGS } from '../../shared/domain/ceiling.ts';
import { type Isolation, ISOLATIONS } from '../../shared/domain/isolation.ts';
import type { NoticeTarget } from '../../shared/domain/notice.ts';
import type { LogLevel } from '../../shared/ports/log.ts';
import type { PriceTable } from '../../shared/domain/prices.ts';
import type { Settings } from '../../shared/domain/settings.ts';
import { type AccessSettings, accessSettings } from '../access-settings.ts';
import { OPTIONS } from '../configuration.ts';
import { noticeTargets } from '../notice-targets.ts';
import type { Option } from '../option.ts';
import { modelPrices } from '../model-prices.ts';
import { privateHosts } from '../open-remotes.ts';
import { BadConfiguration, settingsFrom } from '../settings.ts';

const LOG_LEVELS = ['debug', 'info', 'warning', 'error'] as const satisfies LogLevel[];
const LOG_FORMATS = ['pretty', 'json'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

export interface StartOptions {
  readonly port: number;
  readonly host: string;
  /** Undefined: 8081, or a free one where that is taken. */
  readonly operatorPort: number | undefined;
  /** Undefined: gRPC is not served. */
  readonly grpcPort: number | undefined;
  /** Where clients of gRPC reach it, as the card says. */
  readonly grpcUrl: string | undefined;
  readonly data: string;
  /** Other servers that say the same may use the data folder, too. */
  readonly shareData: boolean;
  readonly agents: string | undefined;
  /** Of agents that do not say it themselves. */
  readonly isolation: Isolation;
  readonly store: 'embedded' | 'firestore' | 'google';
  readonly project: string | undefined;
  readonly database: string;
  readonly idempotency: Idempotency;
  readonly installation: Installation;
  readonly allowPrivateWebhooks: boolean;
  /** Hosts in private networks that remote agents may have. */
  readonly remotePrivate: readonly string[];
  readonly v03: boolean;
  /** How callers prove who they are. */
  readonly access: AccessSettings;
  readonly baseUrl: string | undefined;
  /** Keys that sign the agent cards. */
  readonly cardSigners: readonly string[];
  /** Origins whose pages may call. */
  readonly allowOrigin: readonly string[];
  /** Host names besides loopback's that the server is called by; empty on another address: any. */
  readonly allowHost: readonly string[];
  readonly checkInputModes: boolean;
  /** Also speak what is drafted for A2A 1.1. */
  readonly draft: boolean;
  /** Tell callers that ask what was done for their tasks. */
  readonly traceability: boolean;
  readonly sync: 'normal' | 'full';
  /** Undefined: in the data folder. */
  readonly scratch: string | undefined;
  readonly log: LogLevel;
  /** Undefined: pretty where a person reads it. */
  readonly logFormat: LogFormat | undefined;
  /** What models cost, where their agents do not say it. */
  readonly prices: PriceTable;
  /** Whom operators want told. */
  readonly notices: readonly NoticeTarget[];
  /** Undefined: on one machine the operators' port. */
  readonly consoleUrl: string | undefined;
  readonly settings: Settings;
  /** Of the options that deployed functions have, what was said, by variables: for a rehearsal. */
  readonly said: Readonly<Record<string, string>>;
}

/** Its options, besides `--set`. */
export const FLAGS = OPTIONS.flatMap((option) =>
  option.start === undefined ? [] : [{ ...option, name: option.start }],
);

/** What `npm start` goes by where an option is not given. */
export function fallbackOf({
  fallback,
  startFallback = fallback,
}: Pick<Option, 'fallback' | 'startFallback'>): string | undefined {
  return startFallback;
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
    const inherited = flag && environment[flag.variable];
    return inherited === undefined || inherited === '' ? flag && fallbackOf(flag) : inherited;
  };
  const set = given['set'];
  const store = choice('store', value('store'), ['embedded', 'firestore', 'google']);
  const project = value('project');
  if (store === 'firestore' && project === undefined) {
    throw new BadConfiguration('--store firestore needs --project (or GOOGLE_CLOUD_PROJECT)');
  }
  const cardSigners = list(value('card-signers'));
  if (cardSigners.length > 0 && value('base-url') === undefined && store !== 'google') {
    throw new BadConfiguration(
      '--card-signers needs --base-url: a card is signed for the one address that clients use',
    );
  }
  return {
    port: port('port', value('port')),
    operatorPort:
      value('operator-port') === undefined
        ? undefined
        : port('operator-port', value('operator-port')),
    grpcPort: portOfGrpc(value('grpc-port')),
    grpcUrl: value('grpc-url'),
    host: value('host') ?? '127.0.0.1',
    data: value('data') ?? '',
    shareData: given['share-data'] === true || isOn(environment['HOLDFAST_SHARE_DATA']),
    agents: value('agents'),
    isolation: choice('isolation', value('isolation'), ISOLATIONS),
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
    access: accessSettings(
      list(value('access')),
      value('issuers'),
      given['open-anyway'] === true || isOn(environment['HOLDFAST_OPEN_ANYWAY']),
    ),
    baseUrl: url('base-url', value('base-url')),
    cardSigners,
    allowOrigin: origins(value('allow-origin')),
    allowHost: list(value('allow-host')).map((host) => host.toLowerCase()),
    draft: given['draft'] === true || isOn(environment['HOLDFAST_DRAFT']),
    traceability: given['traceability'] === true || isOn(environment['HOLDFAST_TRACEABILITY']),
    checkInputModes:
      given['check-input-modes'] === true || isOn(environment['HOLDFAST_CHECK_INPUT_MODES']),
    scratch: value('scratch'),
    sync: choice('sync', value('sync'), ['normal', 'full']),
    ...logOf(value('log')),
    prices: modelPrices(value('model-prices')),
    notices: noticeTargets(value('notices')),
    consoleUrl: url('console-url', value('console-url')),
    settings: settingsFrom(environment, Array.isArray(set) ? set.map(String) : []),
    said: Object.fromEntries(
      FLAGS.filter(({ functions }) => functions !== undefined).flatMap((flag) => {
        const isSwitch = flag.value === undefined;
        const on = given[flag.name] === true || isOn(environment[flag.variable]);
        const text = isSwitch ? (on ? 'true' : undefined) : value(flag.name);
        return text === undefined ? [] : [[flag.variable, text]];
      }),
    ),
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

/** A level, a form, or both, in any order. */
function logOf(value: string | undefined): Pick<StartOptions, 'log' | 'logFormat'> {
  const words = list(value);
  const level = LOG_LEVELS.find((each) => words.includes(each));
  const format = LOG_FORMATS.find((each) => words.includes(each));
  const understood = (level === undefined ? 0 : 1) + (format === undefined ? 0 : 1);
  if (understood === words.length) return { log: level ?? 'warning', logFormat: format };
  throw new BadConfiguration(
    `--log is ${JSON.stringify(value)}; it must be one of ${LOG_LEVELS.join(', ')}, one of ${LOG_FORMATS.join(', ')}, or both with a comma`,
  );
}

function port(name: string, value: string | undefined): number {
  const number = Number(value);
  if (value !== undefined && /^\d+$/.test(value) && number <= 65_535) return number;
  throw new BadConfiguration(
    `--${name} is ${JSON.stringify(value)}; it must be a number from 0 to 65535`,
  );
}

function portOfGrpc(value: string | undefined): number | undefined {
  return value === undefined || value === 'off' ? undefined : port('grpc-port', value);
}

function url(name: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (URL.canParse(value) && /^https?:/.test(value)) return value.replace(/\/+$/, '');
  throw new BadConfiguration(
    `--${name} is ${JSON.stringify(value)}; it must be an http or https URL`,
  );
}

function list(value: string | undefined): readonly string[] {
  return (value ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

function origins(value: string | undefined): readonly string[] {
  const given = list(value);
  const wrong = given.find((each) => each !== '*' && originOf(each) !== each);
  if (wrong === undefined) return given;
  throw new BadConfiguration(
    `--allow-origin has ${JSON.stringify(wrong)}; an origin is a scheme and a host, such as https://ui.example, or *`,
  );
}

function originOf(text: string): string | undefined {
  return URL.canParse(text) ? new URL(text).origin : undefined;
}

function isOn(value: string | undefined): boolean {
  return value === '1' || value === 'true';
}
