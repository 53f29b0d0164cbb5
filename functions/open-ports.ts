import { join } from 'node:path';
import { type Embedded, openEmbedded } from '../shared/embedded/index.ts';
import { systemClock } from '../shared/system/system-clock.ts';
import type { LaneQueue } from '../shared/embedded/lane-queue.ts';
import type { Backend } from '../shared/ports/backend.ts';
import type { Ids } from '../shared/ports/ids.ts';
import { createOutgoingHttp } from '../shared/outgoing/outgoing-http.ts';
import type { Ports } from '../shared/ports/index.ts';
import { createPatternRedactor } from '../shared/redaction/pattern-redactor.ts';
import type { Store } from '../shared/ports/store.ts';
import { createStore } from '../shared/store/store.ts';
import { localLog } from './local-log.ts';
import { systemIds } from '../shared/system/system-ids.ts';
import { processStrays } from '../shared/system/process-strays.ts';
import { openRemotes } from './open-remotes.ts';
import { noToolServers } from './no-tool-servers.ts';
import { eitherGrants, grantsOf, parseOperators } from './operators.ts';
import { OPERATORS_FILE, openOperatorsFile } from './operators-file.ts';
import { openWorkspaces } from './open-workspaces.ts';
import type { StartOptions } from './start/arguments.ts';

export interface Opened {
  readonly ports: Ports;
  readonly queue: LaneQueue;
  close(): Promise<void>;
}

/**
 * Work in flight gets this long to end when the process is asked to stop; what does not end lapses
 * with its lease.
 */
const GRACE = 2_000;

/**
 * The ports that the options name. With `--store firestore` rows live there; objects, the key and
 * the queue stay local.
 */
export async function openPorts(options: StartOptions): Promise<Opened> {
  const log = localLog(options);
  const embedded = openEmbedded({
    folder: options.data,
    settings: options.settings,
    synchronous: options.sync,
    log,
  });
  if (options.store === 'embedded')
    return opened(embedded, portsOver(options, embedded.ports, embedded.ports.ids));
  const { backend, store } = await rowsInFirestore(options);
  const ports = portsOver(options, embedded.ports, systemIds());
  return opened(embedded, { ...ports, store }, backend);
}

type Base = Omit<Embedded['ports'], 'clock' | 'ids'>;

/** All ports of this machine, over what holds its rows, objects and keys; `ids` suit those rows. */
export function portsOver(options: StartOptions, base: Base, ids: Ids): Ports {
  const operators = parseOperators(process.env['HOLDFAST_OPERATORS']);
  const { log } = base;
  return {
    ...base,
    clock: systemClock,
    ids,
    workspaces: openWorkspaces({
      ...base,
      ids,
      scratch: options.scratch ?? join(options.data, 'scratch'),
    }),
    redactor: createPatternRedactor(),
    strays: processStrays(),
    remotes: openRemotes({ ...options, environment: process.env, clock: systemClock, log }),
    toolServers: noToolServers,
    outgoing: createOutgoingHttp({
      clock: systemClock,
      requestBytes: options.settings.outgoingRequest,
      allowPrivate: options.allowPrivateWebhooks,
    }),
    grants: eitherGrants(
      grantsOf(() => operators),
      openOperatorsFile(join(options.data, OPERATORS_FILE), log).grants,
    ),
  };
}

/** Of `--store firestore`: objects, the key and the queue stay on this machine. */
export async function rowsInFirestore({
  database,
  project = '',
  settings,
}: StartOptions): Promise<{ readonly backend: Backend; readonly store: Store }> {
  const { createFirestoreBackend } = await import('../shared/gcp/firestore/backend.ts');
  const backend = createFirestoreBackend({ projectId: project, databaseId: database });
  const deadline = settings.transactionDeadline;
  return {
    backend,
    store: createStore({ backend, clock: systemClock, ids: systemIds(), deadline }),
  };
}

function opened(embedded: Embedded, ports: Ports, backend?: Backend): Opened {
  return {
    ports,
    queue: embedded.queue,
    async close() {
      await embedded.close(GRACE);
      await backend?.close();
    },
  };
}
