import { isJsonObject, type Json, type JsonObject } from '../domain/json.ts';
import type { Exchange } from './exchange.ts';
import { legacyConfig, legacyProtoConfig } from './legacy-push.ts';
import { legacyProtoResult, legacyProtoTask } from './legacy-rest.ts';
import { legacyResult, legacyTask } from '../domain/legacy-json.ts';
import type { Operation } from './schema.ts';

/** How the results of A2A 1.0 are said in the version and binding of a request. */
export interface Dialect {
  /** The result of an operation. */
  result(operation: Operation, result: JsonObject): Json;
  /** A StreamResponse; `last` when the stream ends with it. */
  event(response: JsonObject, last: boolean): JsonObject;
}

const V1: Dialect = { result: (_, result) => result, event: (response) => response };

type Told = Readonly<Partial<Record<Operation, (result: JsonObject) => Json>>>;

const IN_RPC: Told = {
  SendMessage: (result) => legacyResult(result),
  CreateTaskPushNotificationConfig: legacyConfig,
  GetTaskPushNotificationConfig: legacyConfig,
  ListTaskPushNotificationConfigs: (result) => configsOf(result).map(legacyConfig),
  DeleteTaskPushNotificationConfig: () => null,
  GetExtendedAgentCard: (card) => card,
};

const IN_REST: Told = {
  SendMessage: (result) => legacyProtoResult(result),
  CreateTaskPushNotificationConfig: legacyProtoConfig,
  GetTaskPushNotificationConfig: legacyProtoConfig,
  ListTaskPushNotificationConfigs: (result) => ({
    ...result,
    configs: configsOf(result).map(legacyProtoConfig),
  }),
  DeleteTaskPushNotificationConfig: (result) => result,
  GetExtendedAgentCard: (card) => card,
};

const V03_RPC: Dialect = {
  result: (operation, result) => (IN_RPC[operation] ?? legacyTask)(result),
  event: legacyResult,
};

const V03_REST: Dialect = {
  result: (operation, result) => (IN_REST[operation] ?? legacyProtoTask)(result),
  event: legacyProtoResult,
};

const configsOf = ({ configs }: JsonObject): readonly JsonObject[] =>
  Array.isArray(configs) ? configs.filter(isJsonObject) : [];

export function dialectOf({ binding, version }: Exchange): Dialect {
  if (version === '1.0') return V1;
  return binding === 'jsonrpc' ? V03_RPC : V03_REST;
}
