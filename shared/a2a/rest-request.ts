import { isJsonObject, type Json, type JsonObject } from '../domain/json.ts';
import type { Exchange } from './exchange.ts';
import { fail, invalidParams } from './failure.ts';
import { checkFiles } from './legacy-params.ts';
import { queryObject } from './query.ts';
import type { RestCall } from './rest-route.ts';
import { parseRequest } from './schema.ts';
import { tenantOf } from './tenant.ts';

/** What the SDK's router reads: its URL and the parsed body. */
export interface RestRequest {
  readonly url: string;
  readonly body: object;
}

/** The request in the form that the SDK's router takes, checked; the version is known by now. */
export function readRest(exchange: Exchange, call: RestCall, body: unknown): RestRequest {
  const query = queryObject(exchange.req);
  const content = isJsonObject(body) ? body : {};
  exchange.tenant = tenantOf(call.tenant, content['tenant'] ?? query['tenant']);
  const legacy = exchange.version === '0.3';
  if (legacy !== call.legacy) {
    const wanted = call.legacy ? '0.3' : '1.0';
    throw fail(
      'VERSION_NOT_SUPPORTED',
      `This path speaks A2A ${wanted}; send A2A-Version: ${wanted}.`,
    );
  }
  const sends = call.operation === 'SendMessage' || call.operation === 'SendStreamingMessage';
  if (sends && !isJsonObject(body)) {
    throw invalidParams([{ field: 'body', description: 'must be a JSON object' }]);
  }
  if (legacy) return readLegacy(call, query, content);
  const id = call.id === undefined ? {} : { id: call.id };
  const source = sends || call.operation === 'CancelTask' ? content : typedQuery(query);
  const parsed = parseRequest(call.operation, { ...source, ...id });
  if ('violations' in parsed) throw invalidParams(parsed.violations);
  return { url: `${call.path}${queryText(call, parsed.request)}`, body: parsed.request };
}

function readLegacy(
  call: RestCall,
  query: Readonly<Record<string, string>>,
  body: JsonObject,
): RestRequest {
  // The proto calls the message `request` and shows it as `message`; the SDK reads both.
  checkFiles(body['message'] ?? body['request']);
  const historyLength = query['historyLength'] ?? query['history_length'];
  if (historyLength === undefined) return { url: call.path, body };
  // The SDK would read "1abc" as 1.
  if (!/^\d{1,9}$/.test(historyLength)) {
    throw invalidParams([
      { field: 'historyLength', description: 'must be an integer of at least 0' },
    ]);
  }
  return { url: `${call.path}?historyLength=${historyLength}`, body };
}

/** Query values are text; booleans are the one type that ProtoJSON does not also accept as such (section 11.5). */
function typedQuery(query: Readonly<Record<string, string>>): JsonObject {
  const typed = (text: string): Json => (text === 'true' ? true : text === 'false' ? false : text);
  const flags = ['includeArtifacts', 'include_artifacts'];
  const entries = Object.entries(query).map(([name, value]): [string, Json] => [
    name,
    flags.includes(name) ? typed(value) : value,
  ]);
  return Object.fromEntries(entries);
}

/** Only reads have a query that the SDK reads; their request is flat and checked. */
function queryText(call: RestCall, request: object): string {
  if (call.operation !== 'ListTasks' && call.operation !== 'GetTask') return '';
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(request)) {
    if (name !== 'id') parameters.set(name, String(value));
  }
  return parameters.size === 0 ? '' : `?${parameters.toString()}`;
}
