import type { CloudTasksClient } from '@google-cloud/tasks';
import { optional } from '../../ports/optional-package.ts';
import { channelOptions, type Keepalive } from '../grpc-channel.ts';

export interface ClientOptions {
  readonly projectId: string;
  /** `host:port` of an emulator, without TLS and credentials. */
  readonly endpoint?: string;
  readonly keepalive?: Keepalive;
}

type Library = typeof import('@google-cloud/tasks');

let loading: Promise<Library> | undefined;

/** Loading costs some 130 ms of a cold start, less beside Firestore, which shares most of it. */
function load(): Promise<Library> {
  loading ??= optional(import('@google-cloud/tasks'));
  return loading;
}

export async function openClient({
  projectId,
  endpoint,
  keepalive,
}: ClientOptions): Promise<CloudTasksClient> {
  const library = await load();
  const common = { ...channelOptions(keepalive), projectId };
  if (endpoint === undefined) return new library.CloudTasksClient(common);
  const { credentials } = await optional(import('@grpc/grpc-js'));
  const { hostname, port } = new URL(`http://${endpoint}`);
  return new library.CloudTasksClient({
    ...common,
    apiEndpoint: hostname,
    port: Number(port),
    sslCreds: credentials.createInsecure(),
  });
}
