import { isJsonObject, type Json, type JsonObject } from '../domain/json.ts';
import { WRAPPED } from '../domain/legacy-json.ts';
import { legacyCreate, legacyOfConfig, pushConfigFrom } from './legacy-push.ts';
import type { Operation } from './schema.ts';

// A2A v0.3 over JSON-RPC, told in the words of 1.0 (v0.3.0 sections 6 and 7; 1.0 appendix A). v0.3
// changes no more. What is not of
// the shape that it should be is handed on as it is: the schema of 1.0 refuses it by name.

const OPERATIONS: Readonly<Record<string, Operation>> = {
  'message/send': 'SendMessage',
  'message/stream': 'SendStreamingMessage',
  'tasks/get': 'GetTask',
  'tasks/cancel': 'CancelTask',
  'tasks/resubscribe': 'SubscribeToTask',
  'tasks/pushNotificationConfig/set': 'CreateTaskPushNotificationConfig',
  'tasks/pushNotificationConfig/get': 'GetTaskPushNotificationConfig',
  'tasks/pushNotificationConfig/list': 'ListTaskPushNotificationConfigs',
  'tasks/pushNotificationConfig/delete': 'DeleteTaskPushNotificationConfig',
  'agent/getAuthenticatedExtendedCard': 'GetExtendedAgentCard',
};

export const isLegacyMethod = (method: unknown): boolean =>
  typeof method === 'string' && Object.hasOwn(OPERATIONS, method);

/**
 * The call that a method of v0.3 and its parameters are; undefined when there is no such method.
 */
export function legacyRpcCall(
  method: string,
  params: Json,
): { readonly operation: Operation; readonly request: Json } | undefined {
  const operation = Object.hasOwn(OPERATIONS, method) ? OPERATIONS[method] : undefined;
  if (operation === undefined) return undefined;
  if (!isJsonObject(params)) return { operation, request: params };
  return { operation, request: (REQUESTS[operation] ?? withNumber)(params) };
}

const REQUESTS: Readonly<Partial<Record<Operation, (params: JsonObject) => Json>>> = {
  SendMessage: sendRequest,
  SendStreamingMessage: sendRequest,
  CreateTaskPushNotificationConfig: legacyCreate,
  GetTaskPushNotificationConfig: legacyOfConfig,
  ListTaskPushNotificationConfigs: legacyOfConfig,
  DeleteTaskPushNotificationConfig: legacyOfConfig,
};

function sendRequest({ configuration, message, ...rest }: JsonObject): JsonObject {
  return {
    ...rest,
    ...(message !== undefined && { message: messageFrom(message) }),
    ...(configuration !== undefined && { configuration: configurationFrom(configuration) }),
  };
}

function configurationFrom(given: Json): Json {
  if (!isJsonObject(given)) return given;
  const { blocking, pushNotificationConfig, ...rest } = withNumber(given);
  return {
    ...rest,
    // Servers of v0.3 block unless they are told not to.
    returnImmediately: typeof blocking === 'boolean' ? !blocking : (blocking ?? false),
    ...(pushNotificationConfig !== undefined && {
      taskPushNotificationConfig: pushConfigFrom(pushNotificationConfig),
    }),
  };
}

/** The schema of v0.3 has no numbers as text, which 1.0 takes. */
function withNumber(given: JsonObject): JsonObject {
  const { historyLength } = given;
  return typeof historyLength === 'string' ? { ...given, historyLength: Number.NaN } : given;
}

const ROLES: Readonly<Record<string, string>> = { user: 'ROLE_USER', agent: 'ROLE_AGENT' };

function messageFrom(given: Json): Json {
  if (!isJsonObject(given)) return given;
  const { parts, role = null, ...rest } = given;
  return {
    ...rest,
    role: typeof role === 'string' ? (ROLES[role] ?? role) : role,
    ...(parts !== undefined && { parts: Array.isArray(parts) ? parts.map(partFrom) : parts }),
  };
}

function partFrom(given: Json): Json {
  if (!isJsonObject(given)) return given;
  const { data, file, kind, metadata, text } = given;
  const around = metadata === undefined ? {} : { metadata };
  if (kind === 'text') return { ...around, ...(text !== undefined && { text }) };
  if (kind === 'file') return { ...around, ...(isJsonObject(file) ? fileFrom(file) : {}) };
  if (kind !== 'data' || !isJsonObject(data)) return around;
  if (!isJsonObject(metadata) || metadata[WRAPPED] !== true) return { ...around, data };
  const others = without(metadata, WRAPPED);
  return {
    data: data['value'] ?? null,
    ...(Object.keys(others).length > 0 && { metadata: others }),
  };
}

function without(given: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(given).filter(([each]) => each !== name));
}

function fileFrom({ bytes, mimeType, name, uri }: JsonObject): JsonObject {
  return {
    ...(bytes !== undefined && { raw: bytes }),
    ...(uri !== undefined && { url: uri }),
    ...(mimeType !== undefined && { mediaType: mimeType }),
    ...(name !== undefined && { filename: name }),
  };
}
