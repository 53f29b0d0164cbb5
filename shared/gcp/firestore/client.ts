import type { Firestore } from '@google-cloud/firestore';
import { Fault } from '../../ports/faults.ts';
import { optional } from '../../ports/optional-package.ts';
import { channelOptions, type Keepalive } from '../grpc-channel.ts';

type Library = typeof import('@google-cloud/firestore');

/**
 * What of the client is used below its documented surface: its funnel for unary calls. `WriteBatch`
 * can't replace a document under a version, and it repeats a commit by itself (see commit.ts).
 */
interface Funnel {
  readonly formattedName: string;
  initializeIfNeeded(tag: string): Promise<void>;
  request(
    method: 'commit',
    request: object,
    tag: string,
    retried: readonly number[],
  ): Promise<unknown>;
}

export interface FirestoreClient {
  readonly library: Library;
  readonly firestore: Firestore;
  readonly funnel: Funnel;
}

export interface ClientOptions {
  readonly projectId: string;
  readonly databaseId: string;
  /** A call that has no answer after this many milliseconds is given up. */
  readonly deadline: number;
  readonly keepalive?: Keepalive;
}

let loading: Promise<Library> | undefined;

/**
 * Loading costs some 200 ms of a cold start, so a function that never touches Firestore never pays
 * for it.
 */
function load(): Promise<Library> {
  if (process.env['FIRESTORE_EMULATOR_HOST'] !== undefined) {
    // There is no metadata server beside an emulator; looking for it delays the first call and
    // prints a warning.
    process.env['METADATA_SERVER_DETECTION'] ??= 'none';
  }
  loading ??= optional(import('@google-cloud/firestore'));
  return loading;
}

export async function openClient(options: ClientOptions): Promise<FirestoreClient> {
  const library = await load();
  const { projectId, databaseId, deadline, keepalive } = options;
  const timeout = { timeout_millis: deadline };
  const methods = {
    BatchGetDocuments: timeout,
    RunQuery: timeout,
    RunAggregationQuery: timeout,
    Commit: timeout,
  };
  const firestore = new library.Firestore({
    ...channelOptions(keepalive),
    projectId,
    databaseId,
    // By default each call may take 60 s. A gRPC deadline also stops the work on the other side.
    clientConfig: { interfaces: { 'google.firestore.v1.Firestore': { methods } } },
  });
  keepRefusalsHandled(firestore);
  return { library, firestore, funnel: funnelOf(firestore) };
}

/**
 * To open a stream the client asks its pool, and drops the pool's promise. A listener that ends
 * while it is between two attempts to open its stream goes on to the next attempt; if the client
 * was terminated meanwhile, that promise rejects, and an unhandled rejection ends the process. Who
 * waits for the promise is told as before.
 */
function keepRefusalsHandled(firestore: Firestore): void {
  const pool = poolOf(firestore);
  const run = pool.run.bind(pool);
  pool.run = (...parts) => {
    const running = run(...parts);
    running.catch(() => undefined);
    return running;
  };
}

interface Pool {
  run(...parts: readonly unknown[]): Promise<unknown>;
}

function poolOf(firestore: Firestore): Pool {
  const candidate: object = firestore;
  if ('_clientPool' in candidate && isPool(candidate._clientPool)) return candidate._clientPool;
  throw new Fault('ClientChanged', 'stop', 'this @google-cloud/firestore has no pool of clients');
}

function isPool(candidate: unknown): candidate is Pool {
  return (
    typeof candidate === 'object' &&
    candidate !== null &&
    'run' in candidate &&
    typeof candidate.run === 'function'
  );
}

/**
 * An update of the client that moves the funnel must be noticed at once, not at the first conflict.
 */
function funnelOf(firestore: Firestore): Funnel {
  const candidate: object = firestore;
  if (isFunnel(candidate)) return candidate;
  throw new Fault('ClientChanged', 'stop', 'this @google-cloud/firestore has no request funnel');
}

function isFunnel(candidate: object): candidate is Funnel {
  return (
    'request' in candidate &&
    typeof candidate.request === 'function' &&
    'initializeIfNeeded' in candidate &&
    typeof candidate.initializeIfNeeded === 'function' &&
    'formattedName' in candidate &&
    typeof candidate.formattedName === 'string'
  );
}
