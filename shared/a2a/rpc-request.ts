import { isJsonObject, type Json, type JsonObject } from '../domain/json.ts';
import type { RpcId } from './error-body.ts';
import type { Exchange } from './exchange.ts';
import { fail, invalidParams } from './failure.ts';
import { checkFiles, withBlocking } from './legacy-params.ts';
import { isOperation, parseRequest } from './schema.ts';
import { tenantOf } from './tenant.ts';

const LEGACY_METHODS: ReadonlySet<string> = new Set([
  'message/send',
  'message/stream',
  'tasks/get',
  'tasks/cancel',
  'tasks/resubscribe',
  'tasks/pushNotificationConfig/set',
  'tasks/pushNotificationConfig/get',
  'tasks/pushNotificationConfig/list',
  'tasks/pushNotificationConfig/delete',
  'agent/getAuthenticatedExtendedCard',
]);

/**
 * The envelope, as strict as JSON-RPC 2.0 is (section 4); what can't be read has the id null. Each request type of v0.3's
 * schema requires an id, so none is a notification, and its official kit wants every request answered: with the id that
 * could be read, also where the rest is invalid, else with null.
 */
export function openEnvelope(exchange: Exchange, body: unknown, legacy: boolean): JsonObject {
  if (body === undefined) throw fail('PARSE_ERROR', 'The body is empty.');
  if (Array.isArray(body)) throw fail('INVALID_REQUEST', 'Batches are not supported.');
  if (!isJsonObject(body)) throw fail('INVALID_REQUEST', 'The body must be a Request object.');
  const { jsonrpc, method, id } = body;
  if (legacy && isRpcId(id)) exchange.rpcId = id;
  if (jsonrpc !== '2.0') throw fail('INVALID_REQUEST', 'jsonrpc must be "2.0".');
  if (typeof method !== 'string' || method === '') {
    throw fail('INVALID_REQUEST', 'method must be a string.');
  }
  if (id === undefined) exchange.notification = !legacy;
  else if (isRpcId(id)) exchange.rpcId = id;
  else throw fail('INVALID_REQUEST', 'id must be a string, an integer or null.');
  return body;
}

/** JSON-RPC 2.0 section 4: numbers SHOULD NOT have fractions, and one outside the safe range would not come back as sent. */
function isRpcId(id: Json | undefined): id is RpcId {
  return (
    id === null || typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id))
  );
}

/** The request in the form that the SDK's handler takes, checked; the version is known by now. */
export function readRpc(exchange: Exchange, envelope: JsonObject): JsonObject {
  const { method, params = {} } = envelope;
  const legacy = exchange.version === '0.3';
  if (typeof method !== 'string' || !(legacy ? LEGACY_METHODS.has(method) : isOperation(method))) {
    throw fail('METHOD_NOT_FOUND', `A2A ${exchange.version} has no such method.`);
  }
  exchange.operation = method;
  if (!isJsonObject(params)) {
    throw invalidParams([{ field: 'params', description: 'must be an object' }]);
  }
  exchange.tenant = tenantOf(undefined, params['tenant']);
  if (isOperation(method)) {
    const parsed = parseRequest(method, params);
    if ('violations' in parsed) throw invalidParams(parsed.violations);
    return { ...envelope, params: parsed.request as JsonObject };
  }
  const sends = method === 'message/send' || method === 'message/stream';
  if (!sends) return { ...envelope, params };
  checkFiles(params['message']);
  return { ...envelope, params: withBlocking(params) };
}
