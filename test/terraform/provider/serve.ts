import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Server,
  ServerCredentials,
  type ServiceDefinition,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import type { ProviderSchema, SchemaDocument } from '../../../tools/terraform/schema-document.ts';
import { asSeven } from './overlay.ts';
import { complain, type Method, providerMethods } from './service.ts';
import { builtIn, TIME_ADDRESS, timeSchema } from './time.ts';

export const ADDRESS = 'registry.terraform.io/hashicorp/google';
const SCHEMA = join(import.meta.dirname, '../schema/google.json');

export interface ServedProvider {
  /**
   * For Terraform's environment: it then talks to this server in place of a provider of its own.
   */
  readonly environment: Readonly<Record<string, string>>;
  stop(): void;
}

export function googleSchema(): ProviderSchema {
  const document = JSON.parse(readFileSync(SCHEMA, 'utf8')) as SchemaDocument;
  const schema = document.provider_schemas[ADDRESS];
  if (schema === undefined) throw new Error(`${SCHEMA} has no schema of ${ADDRESS}`);
  return asSeven(schema);
}

/** Every type that the static check has to know. */
export function knownSchema(): ProviderSchema {
  const google = googleSchema();
  const resources = [timeSchema, builtIn].map((each) => each.resource_schemas);
  return { ...google, resource_schemas: Object.assign({}, google.resource_schemas, ...resources) };
}

/**
 * Serves the providers, each on a socket of its own. Terraform neither starts nor stops them, and
 * downloads nothing.
 */
export async function serveProvider(
  schema: ProviderSchema = googleSchema(),
): Promise<ServedProvider> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-provider-'));
  const size = 64 * 1024 * 1024;
  const limits = { 'grpc.max_receive_message_length': size, 'grpc.max_send_message_length': size };
  const providers = [
    [ADDRESS, schema],
    [TIME_ADDRESS, timeSchema],
  ] as const;
  const served = await Promise.all(
    providers.map(async ([address, each], index) => {
      const socket = join(folder, `socket-${index}`);
      const server = new Server(limits);
      server.addService(serviceDefinition(), handlers(providerMethods(each)));
      await new Promise<void>((resolve, reject) => {
        server.bindAsync(`unix:${socket}`, ServerCredentials.createInsecure(), (error) => {
          if (error === null) resolve();
          else reject(error);
        });
      });
      return { address, socket, server };
    }),
  );
  const attached = served.map(({ address, socket: String }) => [
    address,
    {
      Protocol: 'grpc',
      ProtocolVersion: 5,
      Pid: process.pid,
      Test: true,
      Addr: { Network: 'unix', String },
    },
  ]);
  return {
    environment: { TF_REATTACH_PROVIDERS: JSON.stringify(Object.fromEntries(attached)) },
    stop() {
      for (const { server } of served) server.forceShutdown();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function serviceDefinition(): ServiceDefinition {
  const definition = loadSync(join(import.meta.dirname, 'plugin-protocol.proto'), {
    keepCase: true,
    longs: Number,
    enums: String,
    oneofs: true,
  });
  const service = definition['tfplugin5.Provider'];
  if (service === undefined || 'format' in service) throw new Error('no service in the protocol');
  return service;
}

function handlers(methods: Readonly<Record<string, Method>>): UntypedServiceImplementation {
  return Object.fromEntries(
    Object.entries(methods).map(([name, method]) => [
      name,
      (call: { request: object }, callback: (error: null, answer: object) => void) => {
        callback(null, answered(method, call.request));
      },
    ]),
  );
}

/** A fault becomes a message in Terraform's own output, where its user sees it. */
function answered(method: Method, request: object): object {
  try {
    return method(request);
  } catch (error) {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return complain([{ summary: "The test's provider failed", detail }]);
  }
}
