import type { App } from '../../shared/app/app.ts';
import { openForReading } from '../../shared/embedded/open-for-reading.ts';
import { Fault } from '../../shared/ports/faults.ts';
import type { Ports } from '../../shared/ports/index.ts';
import { systemIds } from '../../shared/system/system-ids.ts';
import { composeApp } from '../compose.ts';
import { readVariables } from '../deployment.ts';
import { openGooglePorts } from '../google-ports.ts';
import { localLog } from '../local-log.ts';
import { portsOver, rowsInFirestore } from '../open-ports.ts';
import { requireKeys } from '../require-keys.ts';
import { BadConfiguration } from '../settings.ts';
import type { StartOptions } from '../start/arguments.ts';

export interface OpenedRows {
  readonly app: App;
  readonly close: () => Promise<void>;
}

/**
 * The rows that the options name, for one who only reads: a commit, a write of an object and a
 * wake-up throw. Throws BadConfiguration where there are none, or their keys are not at hand.
 */
export async function openRows(options: StartOptions): Promise<OpenedRows> {
  const { close, ports } =
    options.store === 'google' ? google(options) : await onThisMachine(options);
  const reading = onlyReading(ports);
  await requireKeys(reading, options);
  const app = composeApp(reading, { get: () => undefined }, { ...options, notices: undefined });
  return { app, close };
}

function google(options: StartOptions) {
  // The sweeper's environment names rows, objects and keys, as for the other commands on rows.
  const variables = readVariables('sweeper', process.env);
  const ports = openGooglePorts(variables, process.env, { ...options, logTo: process.stderr });
  return { ports, close: () => Promise.resolve() };
}

async function onThisMachine(options: StartOptions) {
  const opened = openForReading(options.data);
  if (opened === undefined)
    throw new BadConfiguration(
      `there are no runs in ${options.data}; name the data folder of the server with --data`,
    );
  const { blobs, sealer, store } = opened;
  const close = (): Promise<void> => opened.close();
  const queue = { enqueue: refuse };
  const base = { store, blobs, sealer, queue, log: localLog(options), settings: options.settings };
  const ports = portsOver(options, base, systemIds());
  if (options.store === 'embedded') return { ports, close };
  const firestore = await rowsInFirestore(options);
  return {
    ports: { ...ports, store: firestore.store },
    async close() {
      await close();
      await firestore.backend.close();
    },
  };
}

const refuse = (): Promise<never> =>
  Promise.reject(new Fault('ReadOnly', 'stop', 'nothing is written while runs are compared'));

function onlyReading(ports: Ports): Ports {
  const { blobs, store } = ports;
  return {
    ...ports,
    queue: { enqueue: refuse },
    store: {
      get: (doc) => store.get(doc),
      getAll: (docs) => store.getAll(docs),
      page: (...given) => store.page(...given),
      count: (query) => store.count(query),
      watch: (...given) => store.watch(...given),
      follow: (...given) => store.follow(...given),
      transact: refuse,
    },
    blobs: {
      get: (name) => blobs.get(name),
      getStream: (...given) => blobs.getStream(...given),
      list: (...given) => blobs.list(...given),
      put: refuse,
      putStream: refuse,
      delete: refuse,
    },
  };
}
