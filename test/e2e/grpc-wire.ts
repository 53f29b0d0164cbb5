import { decodeErrorInfo, decodeStatus } from '@a2a-js/sdk/errors/grpc';
import * as grpc from '@grpc/grpc-js';
import { decode, encode } from '../../shared/grpc/codec.ts';
import { methodAt } from '../../shared/grpc/methods.ts';
import type { JsonObject } from '../../shared/domain/json.ts';

// Google's client, over messages as their types say; test/grpc shows that others make the same.

export interface GrpcFailure {
  readonly code: number;
  readonly message: string;
  /** Of each ErrorInfo, ours and A2A's. */
  readonly reasons: readonly string[];
}

export type Metadata = Readonly<Record<string, string>>;

/** A client of its own for each call, as a stranger comes: nothing is shared with the next. */
function connect(address: string): grpc.Client {
  return new grpc.Client(address, grpc.credentials.createInsecure(), {
    'grpc.max_receive_message_length': -1,
    'grpc.max_send_message_length': -1,
    'grpc.use_local_subchannel_pool': 1,
  });
}

/** The answer of a unary operation as ProtoJSON, or what it was refused with. */
export function callGrpc(
  address: string,
  operation: string,
  params: object,
  metadata: Metadata,
): Promise<{ readonly result: unknown } | { readonly failure: GrpcFailure }> {
  const client = connect(address);
  const { deserialize, path, serialize } = methodOf(operation);
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(
      path,
      serialize,
      deserialize,
      params,
      metadataOf(metadata),
      (error, response) => {
        client.close();
        try {
          if (error === null) resolve({ result: response });
          else resolve({ failure: failureOf(error) });
        } catch (fault) {
          reject(fault instanceof Error ? fault : new Error(String(fault)));
        }
      },
    );
  });
}

export interface GrpcStreamCall {
  readonly call: grpc.ClientReadableStream<unknown>;
  readonly close: () => void;
}

export function streamGrpc(
  address: string,
  operation: string,
  params: object,
  metadata: Metadata,
): GrpcStreamCall {
  const client = connect(address);
  const { deserialize, path, serialize } = methodOf(operation);
  const call = client.makeServerStreamRequest(
    path,
    serialize,
    deserialize,
    params,
    metadataOf(metadata),
  );
  return { call, close: () => client.close() };
}

/** Everything that comes of a call: its messages, and what it failed with. */
export function wholeGrpc(
  address: string,
  operation: string,
  params: object,
  metadata: Metadata,
): Promise<{ readonly messages: readonly unknown[]; readonly failure?: GrpcFailure }> {
  const { call, close } = streamGrpc(address, operation, params, metadata);
  const messages: unknown[] = [];
  call.on('data', (message: unknown) => messages.push(message));
  return new Promise((resolve) => {
    call.once('end', () => {
      close();
      resolve({ messages });
    });
    call.once('error', (error: grpc.ServiceError) => {
      close();
      resolve({ messages, failure: failureOf(error) });
    });
  });
}

export function failureOf(error: Partial<grpc.ServiceError>): GrpcFailure {
  const { code = 2, details = '', metadata } = error;
  const [binary] = metadata?.get('grpc-status-details-bin') ?? [];
  // A status of grpc-js itself, such as for a connection that broke, has no details.
  if (!(binary instanceof Buffer)) return { code, message: details, reasons: [] };
  const status = decodeStatus(binary);
  if (status.code !== code || status.message !== details) throw new Error('two statuses');
  const reasons = status.details
    .filter(({ typeUrl }) => typeUrl === 'type.googleapis.com/google.rpc.ErrorInfo')
    .map(({ value }) => decodeErrorInfo(value).reason);
  return { code, message: details, reasons };
}

/** What proto3 does not send because it is the default, where other bindings say it. */
const DEFAULTS: Readonly<Record<string, object>> = {
  ListTasks: { tasks: [], nextPageToken: '', pageSize: 0, totalSize: 0 },
  ListTaskPushNotificationConfigs: { configs: [], nextPageToken: '' },
};

/** How the messages of an operation become bytes and come back. */
function methodOf(operation: string) {
  const path = `/lf.a2a.v1.A2AService/${operation}`;
  const method = methodAt(path);
  if (method === undefined) throw new Error(`no method ${operation}`);
  return {
    path,
    serialize: (params: object) => Buffer.from(encode(method.request, jsonOf(params))),
    deserialize: (bytes: Uint8Array): object => ({
      ...DEFAULTS[operation],
      ...decode(method.response, bytes),
    }),
  };
}

/** Without what is undefined, which JSON does not have. */
function jsonOf(params: object): JsonObject {
  return JSON.parse(JSON.stringify(params)) as JsonObject;
}

function metadataOf(entries: Metadata): grpc.Metadata {
  const metadata = new grpc.Metadata();
  for (const [key, value] of Object.entries(entries)) metadata.set(key, value);
  return metadata;
}
