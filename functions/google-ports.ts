import { jsonLog } from '../shared/system/json-log.ts';
import { processStrays } from '../shared/system/process-strays.ts';
import { systemClock } from '../shared/system/system-clock.ts';
import { systemIds } from '../shared/system/system-ids.ts';
import type { Settings } from '../shared/domain/settings.ts';
import { createDlpRedactor } from '../shared/gcp/dlp/redactor.ts';
import { createFirestoreBackend } from '../shared/gcp/firestore/backend.ts';
import { createKmsSealer } from '../shared/gcp/kms/sealer.ts';
import { createGcsBlobs } from '../shared/gcp/storage/blobs.ts';
import { createTasksQueue } from '../shared/gcp/tasks/queue.ts';
import { createOutgoingHttp } from '../shared/outgoing/outgoing-http.ts';
import type { Ports } from '../shared/ports/index.ts';
import type { LogLevel } from '../shared/ports/log.ts';
import type { Redactor } from '../shared/ports/redactor.ts';
import { createPatternRedactor } from '../shared/redaction/pattern-redactor.ts';
import { createStore } from '../shared/store/store.ts';
import { EMULATORS } from './emulator-variables.ts';
import { openRemotes } from './open-remotes.ts';
import { noToolServers } from './no-tool-servers.ts';
import { openWorkspaces } from './open-workspaces.ts';
import { grantsOf, parseOperators } from './operators.ts';
import { BadConfiguration } from './settings.ts';

export type Environment = Readonly<Record<string, string | undefined>>;
type Variables = ReadonlyMap<string, string>;

export interface PortOptions {
  readonly settings: Settings;
  readonly remotePrivate: readonly string[];
  /** Webhooks may be in private networks; on one machine alone. */
  readonly allowPrivateWebhooks: boolean;
  readonly log: LogLevel;
  /** Default: stdout, which is Cloud Logging in a function. */
  readonly logTo?: { write(line: string): unknown };
}

/**
 * The ports over Google's services, as a function's variables name them. No client is loaded before
 * it is needed.
 */
export function openGooglePorts(
  variables: Variables,
  environment: Environment,
  options: PortOptions,
): Ports {
  const { settings, remotePrivate, log: level, logTo = process.stdout } = options;
  const clock = systemClock;
  const ids = systemIds();
  const operators = parseOperators(environment['HOLDFAST_OPERATORS']);
  const projectId = required(variables, 'GOOGLE_CLOUD_PROJECT');
  const log = jsonLog({ stream: logTo, clock, level, project: projectId });
  const backend = createFirestoreBackend({
    projectId,
    databaseId: required(variables, 'HOLDFAST_DATABASE'),
  });
  const blobs = createGcsBlobs({
    bucket: required(variables, 'HOLDFAST_BUCKET'),
    projectId,
    ...endpoint(environment, EMULATORS.storage),
  });
  return {
    store: createStore({ backend, clock, ids, deadline: settings.transactionDeadline }),
    blobs,
    workspaces: openWorkspaces({ blobs, ids, settings, scratch: undefined }),
    queue: queueOf(variables, environment, projectId),
    sealer: createKmsSealer({
      keyName: required(variables, 'HOLDFAST_KMS'),
      ...endpoint(environment, EMULATORS.kms),
    }),
    strays: processStrays(),
    redactor: redactorOf(variables, environment, projectId),
    remotes: openRemotes({ environment, settings, remotePrivate, clock, log }),
    outgoing: createOutgoingHttp({
      clock,
      requestBytes: settings.outgoingRequest,
      allowPrivate: options.allowPrivateWebhooks,
    }),
    toolServers: noToolServers,
    grants: grantsOf(() => operators),
    clock,
    ids,
    log,
    settings,
  };
}

/**
 * Patterns cost nothing and leave the machine alone; Google's service finds names and addresses,
 * too.
 */
function redactorOf(variables: Variables, environment: Environment, project: string): Redactor {
  const chosen = variables.get('HOLDFAST_REDACTOR') ?? 'patterns';
  if (chosen === 'patterns') return createPatternRedactor();
  if (chosen !== 'dlp') throw new BadConfiguration('HOLDFAST_REDACTOR must be patterns or dlp');
  const location = required(variables, 'HOLDFAST_LOCATION');
  return createDlpRedactor({ project, location, ...endpoint(environment, EMULATORS.dlp) });
}

function queueOf(variables: Variables, environment: Environment, project: string): Ports['queue'] {
  const prefix = required(variables, 'HOLDFAST_QUEUE_PREFIX');
  const shards = Number(required(variables, 'HOLDFAST_QUEUE_SHARDS'));
  if (!Number.isSafeInteger(shards) || shards < 1) {
    throw new BadConfiguration('HOLDFAST_QUEUE_SHARDS must be a whole number, 1 or more');
  }
  return createTasksQueue({
    project,
    location: required(variables, 'HOLDFAST_LOCATION'),
    queues: {
      runs: `${prefix}-runs`,
      projections: `${prefix}-projections`,
      polls: `${prefix}-polls`,
      pushes: `${prefix}-pushes`,
    },
    generation: required(variables, 'HOLDFAST_QUEUE_GENERATION'),
    shards,
    targets: {
      runs: required(variables, 'HOLDFAST_WORKER_URL'),
      projections: required(variables, 'HOLDFAST_PROJECTOR_URL'),
      polls: required(variables, 'HOLDFAST_COORDINATOR_URL'),
      pushes: required(variables, 'HOLDFAST_PUSH_URL'),
    },
    serviceAccount: required(variables, 'HOLDFAST_INVOKER'),
    clock: systemClock,
    ...endpoint(environment, EMULATORS.tasks),
  });
}

function endpoint(environment: Environment, name: string): { readonly endpoint?: string } {
  const value = environment[name];
  return value === undefined || value === '' ? {} : { endpoint: value };
}

function required(variables: Variables, name: string): string {
  const value = variables.get(name);
  if (value === undefined) throw new BadConfiguration(`${name} is not set`);
  return value;
}
