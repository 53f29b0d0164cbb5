import { isJsonObject, type Json, type JsonObject } from '../domain/json.ts';
import type { JsonBody } from '../http/read-json.ts';
import type { Exchange } from './exchange.ts';
import { fail, invalidParams } from './failure.ts';
import { legacyRpcCall } from './legacy-rpc.ts';
import { type Call, isOperation, parseCall } from './schema.ts';
import { tenantOf } from './tenant.ts';

/**
 * The envelope, as strict as JSON-RPC 2.0 is (section 4); what can't be read has the id null. Each
 * request type of v0.3's schema requires an id, so none is a notification, and its official kit
 * wants every request answered: with the id that could be read, also where the rest is invalid,
 * else with null.
 */
export function openEnvelope(
  exchange: Exchange,
  body: JsonBody | undefined,
  legacy: boolean,
): JsonObject {
  if (body === undefined) throw fail('PARSE_ERROR', 'The body is empty.');
  const { value } = body;
  if (Array.isArray(value)) throw fail('INVALID_REQUEST', 'Batches are not supported.');
  if (!isJsonObject(value)) throw fail('INVALID_REQUEST', 'The body must be a Request object.');
  const { jsonrpc, method, id } = value;
  const idText = idTextOf(id, body.text);
  if (legacy && idText !== undefined) exchange.rpcId = idText;
  if (jsonrpc !== '2.0') throw fail('INVALID_REQUEST', 'jsonrpc must be "2.0".');
  if (typeof method !== 'string' || method === '') {
    throw fail('INVALID_REQUEST', 'method must be a string.');
  }
  if (id === undefined) exchange.notification = !legacy;
  else if (idText !== undefined) exchange.rpcId = idText;
  else throw fail('INVALID_REQUEST', 'id must be a string, an integer or null.');
  return value;
}

/** JSON-RPC 2.0 section 4: numbers SHOULD NOT have fractions. Undefined for what is no id. */
function idTextOf(id: Json | undefined, text: string): string | undefined {
  if (id === null || typeof id === 'string' || Number.isSafeInteger(id)) return JSON.stringify(id);
  return typeof id === 'number' ? integerText(text) : undefined;
}

/**
 * A number that JavaScript can't hold comes back as it was written; the member `id` is read again
 * from the text.
 */
function integerText(text: string): string | undefined {
  const ids = new Map<unknown, string>();
  const root: unknown = JSON.parse(
    text,
    function note(this: unknown, key: string, value: unknown, context?: { source?: string }) {
      if (key === 'id' && context?.source !== undefined) ids.set(this, context.source);
      return value;
    },
  );
  const source = ids.get(root);
  return source !== undefined && /^-?\d{1,100}$/.test(source) ? source : undefined;
}

/** The call in an envelope, checked; the version is known by now. */
export function readRpc(exchange: Exchange, envelope: JsonObject): Call {
  const { method, params = {} } = envelope;
  const legacy = exchange.version === '0.3';
  const name = typeof method === 'string' ? method : '';
  const call = legacy ? legacyRpcCall(name, params) : { operation: name, request: params };
  if (call === undefined || !isOperation(call.operation)) {
    throw fail('METHOD_NOT_FOUND', `A2A ${exchange.version} has no such method.`);
  }
  exchange.operation = name;
  exchange.streams =
    call.operation === 'SendStreamingMessage' || call.operation === 'SubscribeToTask';
  if (!isJsonObject(params) || Object.hasOwn(params, '')) {
    throw invalidParams([{ field: 'params', description: 'must be an object with named members' }]);
  }
  exchange.tenant = tenantOf(undefined, params['tenant']);
  const parsed = parseCall(call.operation, call.request);
  if ('violations' in parsed) throw invalidParams(parsed.violations);
  return parsed;
}
