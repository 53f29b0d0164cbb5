import { SETTING_NAMES, SETTINGS } from '../shared/domain/settings.ts';
import { OF_CALLERS } from './access-options.ts';
import { OF_EMULATORS, OF_FUNCTIONS } from './deployed-options.ts';
import { FUNCTIONS, TELLING, WAITING, WORKING } from './function-names.ts';
import { deployed, type Option } from './option.ts';
import { variableOf } from './settings.ts';

const CEILING = 'none|metadata|redacted|full';

const OF_THE_SYSTEM: readonly Option[] = [
  {
    variable: 'PORT',
    start: 'port',
    value: 'number',
    fallback: '8080',
    meaning: 'port to listen on; 0 takes a free one',
  },
  {
    variable: 'HOLDFAST_HOST',
    start: 'host',
    value: 'address',
    fallback: '127.0.0.1',
    meaning: 'address to listen on; any but a loopback address is open to the network',
  },
  {
    variable: 'HOLDFAST_GRPC_PORT',
    start: 'grpc-port',
    value: 'port or off',
    meaning:
      'also serve gRPC, on this port at the address of --host; 0 takes a free one (default: gRPC is off)',
  },
  {
    variable: 'HOLDFAST_GRPC_URL',
    start: 'grpc-url',
    value: 'host:port',
    functions: ['a2a'],
    meaning:
      'where clients reach gRPC, as the agent card says it (default: --grpc-port at the host of the request; with --base-url it is not named)',
  },
  {
    variable: 'HOLDFAST_OPERATOR_PORT',
    start: 'operator-port',
    value: 'number',
    meaning:
      'port for operators, on loopback alone; 0 takes a free one (default 8081, or a free one where that is taken)',
  },
  {
    variable: 'HOLDFAST_DATA',
    start: 'data',
    command: 'data',
    value: 'folder',
    fallback: './holdfast-data',
    meaning: 'folder for the database, objects and the local key',
  },
  {
    variable: 'HOLDFAST_SCRATCH',
    start: 'scratch',
    value: 'folder',
    meaning:
      'folder for the files of tasks that are being worked on (default: scratch in the data folder)',
  },
  {
    variable: 'HOLDFAST_SHARE_DATA',
    start: 'share-data',
    meaning: 'let several servers use one data folder; each of them must be started with this',
  },
  {
    variable: 'HOLDFAST_AGENTS',
    start: 'agents',
    value: 'module',
    meaning: 'module that exports the agents (default: agents/index.ts)',
  },
  {
    variable: 'HOLDFAST_ISOLATION',
    start: 'isolation',
    value: 'none|process',
    fallback: 'none',
    meaning:
      'whether agents that do not say it themselves have a process of their own, so that no loop and no memory of theirs stops anything else (docs/isolation.md)',
  },
  {
    variable: 'HOLDFAST_STORE',
    start: 'store',
    value: 'embedded|firestore|google',
    fallback: 'embedded',
    meaning:
      'where rows are kept: SQLite in the data folder (embedded), Firestore, or, with a process for each function, emulators of all services (google)',
  },
  {
    variable: 'GOOGLE_CLOUD_PROJECT',
    start: 'project',
    value: 'id',
    ...deployed,
    meaning:
      'Google Cloud project that all resources are in; npm start needs it with --store firestore',
  },
  {
    variable: 'HOLDFAST_DATABASE',
    start: 'database',
    value: 'id',
    fallback: '(default)',
    ...deployed,
    meaning: 'name of the Firestore database; npm start uses it with --store firestore',
  },
  {
    variable: 'HOLDFAST_IDEMPOTENCY',
    start: 'idempotency',
    value: 'authenticated|always|off',
    fallback: 'authenticated',
    functions: ['a2a'],
    meaning:
      'whose messages, sent again with the same messageId, are answered by the same task: those of authenticated callers, of all (always) or of none (off)',
  },
  {
    variable: 'HOLDFAST_ANSWER_CEILING',
    start: 'answer-ceiling',
    value: CEILING,
    fallback: 'metadata',
    functions: FUNCTIONS,
    meaning:
      'the most that may be kept of answers (docs/privacy.md); metadata, the default, leaves it to the agents',
  },
  {
    variable: 'HOLDFAST_AUDIT_CEILING',
    start: 'audit-ceiling',
    value: CEILING,
    fallback: 'metadata',
    startFallback: 'full',
    functions: FUNCTIONS,
    meaning:
      'the most that may be kept of the steps of a run that has ended, and of its errors (docs/privacy.md#the-trail)',
  },
  {
    variable: 'HOLDFAST_V03',
    start: 'v0.3',
    functions: ['a2a'],
    meaning: 'also serve clients of A2A v0.3',
  },
  {
    variable: 'HOLDFAST_DRAFT',
    start: 'draft',
    functions: ['a2a'],
    meaning: 'also speak what is drafted for A2A 1.1, to clients that ask for it (docs/draft.md)',
  },
  {
    variable: 'HOLDFAST_TRACEABILITY',
    start: 'traceability',
    functions: ['a2a'],
    meaning:
      'tell callers that ask which tools, agents and models their tasks took, with times, tokens and costs (docs/extensions.md#traceability)',
  },
  {
    variable: 'HOLDFAST_ALLOW_PRIVATE_WEBHOOKS',
    start: 'allow-private-webhooks',
    meaning:
      'let webhooks be in private networks, and speak plain http there; for use on one machine: Terraform never sets it',
  },
  {
    variable: 'HOLDFAST_NOTICES',
    start: 'notices',
    value: 'file or JSON',
    functions: TELLING,
    meaning:
      'whom operators want told of what waits, fails or ends: a list of targets (docs/notices.md)',
  },
  {
    variable: 'HOLDFAST_NOTICE_FILES',
    value: 'folder',
    functions: ['push'],
    meaning:
      'folder with a file `<name>/value` for each secret that a target of notices names; elsewhere a secret is the environment variable of its name',
  },
  {
    variable: 'HOLDFAST_CONSOLE_URL',
    start: 'console-url',
    value: 'url',
    functions: ['push'],
    meaning:
      "where people reach the operators' console, for the links in notices (default on one machine: the operator port)",
  },
  {
    variable: 'HOLDFAST_MODEL_PRICES',
    start: 'model-prices',
    value: 'file or JSON',
    functions: WORKING,
    meaning:
      'what models cost per million tokens, for the limit `cost`: `{"gpt-5": {"input": 1.25, "output": 10, "cachedInput": 0.13}}`; `prices` of a model in its agent go before it',
  },
  {
    variable: 'HOLDFAST_REMOTE_PRIVATE',
    start: 'remote-private',
    value: 'host,host|loopback',
    functions: WAITING,
    meaning:
      'hosts in private networks that remote agents and MCP servers may have, each for those whose `card` or `url` is there, or for one as `name=host`; they may speak plain http, too',
  },
  // Where remote agents are told to report to, it goes out with a message to them; agents may find
  // one another by it.
  {
    variable: 'HOLDFAST_BASE_URL',
    start: 'base-url',
    value: 'url',
    functions: ['a2a', ...WAITING, 'push'],
    meaning: 'public URL of the A2A server (default: what the request says)',
  },
  {
    variable: 'HOLDFAST_CARD_SIGNERS',
    start: 'card-signers',
    value: 'key,key',
    functions: ['a2a', 'push'],
    meaning:
      'keys that sign the agent cards, the first one also what webhooks are told: PEM files, or key versions of Cloud KMS by their full names; needs the base URL',
  },
  {
    variable: 'HOLDFAST_ALLOW_ORIGIN',
    start: 'allow-origin',
    value: 'origin,origin',
    functions: ['a2a'],
    meaning:
      'origins whose web pages may call, such as https://ui.example; * is all (default: its own alone)',
  },
  {
    variable: 'HOLDFAST_ALLOW_HOST',
    start: 'allow-host',
    value: 'host,host',
    functions: ['a2a'],
    meaning:
      'host names that a proxy calls the server by (default: on loopback its own names, elsewhere any)',
  },
  {
    variable: 'HOLDFAST_CHECK_INPUT_MODES',
    start: 'check-input-modes',
    functions: ['a2a'],
    meaning: "refuse parts of a media type that the agent's card does not name",
  },
  {
    variable: 'HOLDFAST_SYNC',
    start: 'sync',
    value: 'normal|full',
    fallback: 'normal',
    meaning: 'full: each commit reaches the disk before it is answered, also through a power cut',
  },
  {
    variable: 'HOLDFAST_LOG',
    start: 'log',
    value: 'debug|info|warning|error|pretty|json',
    fallback: 'warning',
    functions: FUNCTIONS,
    meaning:
      'least severe log line that is written, and on one machine (to stderr) its form, with a comma between: `info,json`; pretty is the default on a terminal',
  },
  {
    variable: 'HOLDFAST_OPERATORS',
    value: 'JSON',
    functions: WAITING,
    meaning:
      'who may look at runs, decide, resend and cancel, by address; for npm start it is in operators.json of the data folder',
  },
];

const OF_TRACES: readonly Option[] = [
  {
    variable: 'HOLDFAST_TRACES',
    value: 'off|google|otlp',
    fallback: 'off',
    functions: FUNCTIONS,
    elsewhere: '`npm start`',
    meaning: 'where traces are sent: nowhere, to Cloud Trace, or to a collector by OTLP',
  },
  {
    variable: 'HOLDFAST_METRICS',
    value: 'off|google|otlp',
    fallback: 'off',
    functions: FUNCTIONS,
    elsewhere: '`npm start`',
    meaning: 'where metrics are sent: nowhere, to Cloud Monitoring, or to a collector by OTLP',
  },
  {
    variable: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    value: 'url',
    functions: FUNCTIONS,
    elsewhere: '`npm start`',
    meaning: 'base URL of the collector that takes traces, and metrics if they are sent',
  },
  {
    variable: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    value: 'url',
    elsewhere: '`npm start`',
    meaning: 'full URL of the collector for traces, with its path; it counts before the base URL',
  },
  {
    variable: 'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT',
    value: 'url',
    functions: FUNCTIONS,
    elsewhere: '`npm start`',
    meaning:
      'full URL of the collector for metrics, with its path; it counts before the base URL, and switches them on',
  },
  {
    variable: 'OTEL_EXPORTER_OTLP_PROTOCOL',
    value: 'http/protobuf|http/json',
    elsewhere: '`npm start`',
    meaning:
      'encoding in which traces and metrics are sent to the collector (default: http/json; to Google http/protobuf)',
  },
  {
    variable: 'OTEL_TRACES_SAMPLER',
    value: 'name',
    fallback: 'parentbased_always_on',
    functions: FUNCTIONS,
    elsewhere: '`npm start`',
    meaning: 'sampler that decides which traces are recorded, by its OpenTelemetry name',
  },
  {
    variable: 'OTEL_TRACES_SAMPLER_ARG',
    value: 'share',
    functions: FUNCTIONS,
    elsewhere: '`npm start`',
    meaning: 'share of the traces that are recorded, for the ratio samplers',
  },
  {
    variable: 'OTEL_SERVICE_NAME',
    value: 'name',
    elsewhere: '`npm start`',
    meaning: 'name of the service in traces and metrics (default: holdfast- and the function)',
  },
];

const OF_COMMANDS: readonly Option[] = [
  {
    variable: 'HOLDFAST_OPERATOR_URL',
    command: 'url',
    value: 'url',
    meaning: "URL of the operators' API (default: the one that the data folder names)",
  },
  {
    variable: 'HOLDFAST_TOKEN',
    command: 'token',
    value: 'token',
    meaning:
      'token that proves who you are; the process list shows it, so use the variable, --token-file or --token-command (default: the one in operators.json of the data folder, for this machine alone)',
  },
  {
    variable: 'HOLDFAST_TOKEN_FILE',
    command: 'token-file',
    value: 'file',
    meaning: 'file with the token; only you may be able to read it',
  },
  {
    variable: 'HOLDFAST_TOKEN_COMMAND',
    command: 'token-command',
    value: 'command',
    meaning:
      'command that prints a token for the operator function, of gcloud for instance (docs/operator.md)',
  },
  {
    variable: 'HOLDFAST_PROFILER_CARD',
    value: 'url',
    elsewhere: 'the sample `examples/assistant`',
    meaning: 'URL of the agent card of the table profiler (default: the one of this server)',
  },
];

const NUMBERS: readonly Option[] = SETTING_NAMES.map((name) => ({
  variable: variableOf(name),
  value: 'number',
  functions: FUNCTIONS,
  unit: SETTINGS[name].unit,
  fallback: String(SETTINGS[name].value),
  meaning: SETTINGS[name].meaning,
}));

/**
 * Everything that can be set, by what it concerns. One table: the options of `npm start` and
 * `npx --no holdfast`, the variables of the functions, the check against Terraform and
 * docs/configuration.md all come from it.
 */
export const CONFIGURATION = {
  'The system': OF_THE_SYSTEM,
  Callers: OF_CALLERS,
  'Deployed functions': OF_FUNCTIONS,
  Traces: OF_TRACES,
  'Commands and samples': OF_COMMANDS,
  'In place of Google’s services': OF_EMULATORS,
  Numbers: NUMBERS,
} as const;

export const OPTIONS: readonly Option[] = Object.values(CONFIGURATION).flat();
