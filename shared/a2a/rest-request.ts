import { isJsonObject, type Json, type JsonObject } from '../domain/json.ts';
import type { Exchange } from './exchange.ts';
import { fail, invalidParams } from './failure.ts';
import { queryObject } from './http-request.ts';
import { legacyRestCreate } from './legacy-push.ts';
import { legacySend } from './legacy-rest.ts';
import type { RestCall } from './rest-route.ts';
import { type Call, type Operation, parseCall } from './schema.ts';
import { tenantOf } from './tenant.ts';

/** The call that a route, its query and its body are, checked; the version is known by now. */
export function readRest(exchange: Exchange, route: RestCall, body: unknown): Call {
  const query = queryObject(exchange.target.query);
  const content = isJsonObject(body) ? body : {};
  exchange.tenant = tenantOf(route.tenant, content['tenant'] ?? query['tenant']);
  const legacy = exchange.version === '0.3';
  if (legacy !== route.legacy) {
    const wanted = route.legacy ? '0.3' : '1.0';
    throw fail(
      'VERSION_NOT_SUPPORTED',
      `This path speaks A2A ${wanted}; send A2A-Version: ${wanted}.`,
    );
  }
  const { configId, id, operation } = route;
  const sends = operation === 'SendMessage' || operation === 'SendStreamingMessage';
  if (sends && !isJsonObject(body)) {
    throw invalidParams([{ field: 'body', description: 'must be a JSON object' }]);
  }
  const creates = operation === 'CreateTaskPushNotificationConfig';
  const given = sends || creates || operation === 'CancelTask' ? content : typedQuery(query);
  const request = legacy ? legacyRequest(operation, given) : given;
  const ofConfig = operation.includes('PushNotificationConfig');
  const parsed = parseCall(operation, {
    ...(isJsonObject(request) && request),
    ...(id !== undefined && (ofConfig ? { taskId: id } : { id })),
    ...(configId !== undefined && { id: configId }),
  });
  if ('violations' in parsed) throw invalidParams(parsed.violations);
  return parsed;
}

function legacyRequest(operation: Operation, given: JsonObject): Json {
  if (operation === 'SendMessage' || operation === 'SendStreamingMessage') return legacySend(given);
  return operation === 'CreateTaskPushNotificationConfig' ? legacyRestCreate(given) : given;
}

/**
 * Query values are text; booleans are the one type that ProtoJSON does not also accept as such
 * (section 11.5).
 */
function typedQuery(query: Readonly<Record<string, string>>): JsonObject {
  const typed = (text: string): Json => (text === 'true' ? true : text === 'false' ? false : text);
  const flags = ['includeArtifacts', 'include_artifacts'];
  const entries = Object.entries(query).map(([name, value]): [string, Json] => [
    name,
    flags.includes(name) ? typed(value) : value,
  ]);
  return Object.fromEntries(entries);
}
