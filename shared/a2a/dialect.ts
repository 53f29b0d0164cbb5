import type { JsonObject } from '../domain/json.ts';
import type { Exchange } from './exchange.ts';
import { legacyProtoResult, legacyProtoTask } from './legacy-rest.ts';
import { legacyResult, legacyTask } from './legacy-rpc.ts';
import type { Operation } from './schema.ts';

/** How the results of A2A 1.0 are said in the version and binding of a request. */
export interface Dialect {
  /** The result of an operation. */
  result(operation: Operation, result: JsonObject): JsonObject;
  /** A StreamResponse; `last` when the stream ends with it. */
  event(response: JsonObject, last: boolean): JsonObject;
}

const V1: Dialect = { result: (_, result) => result, event: (response) => response };

const V03_RPC: Dialect = {
  result: (operation, result) =>
    operation === 'SendMessage' ? legacyResult(result) : legacyTask(result),
  event: legacyResult,
};

const V03_REST: Dialect = {
  result: (operation, result) =>
    operation === 'SendMessage' ? legacyProtoResult(result) : legacyProtoTask(result),
  event: legacyProtoResult,
};

export function dialectOf({ binding, version }: Exchange): Dialect {
  if (version === '1.0') return V1;
  return binding === 'jsonrpc' ? V03_RPC : V03_REST;
}
