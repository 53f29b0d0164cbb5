import { fail } from './failure.ts';
import type { Operation } from './schema.ts';

/** What an HTTP+JSON path names (section 11.3), whatever the version. */
export interface RestCall {
  readonly operation: Operation;
  /** v0.3 paths begin with /v1. */
  readonly legacy: boolean;
  readonly tenant: string | undefined;
  /** Task id, where the path has one. */
  readonly id: string | undefined;
  /** The id of a push notification configuration, where the path has one. */
  readonly configId: string | undefined;
}

interface Resource {
  readonly methods: Readonly<Partial<Record<string, Operation>>>;
  readonly id?: string;
  readonly configId?: string;
}

export function restRoute(method: string, path: string): RestCall {
  const segments = segmentsOf(path);
  const [first] = segments;
  const legacy = first === 'v1';
  const plain = legacy ? undefined : resourceOf(segments, false);
  const inner = segments.slice(1);
  const resource = plain ?? (first === undefined ? undefined : resourceOf(inner, legacy));
  if (resource === undefined) throw fail('ROUTE_NOT_FOUND', 'There is nothing at this path.');
  const { configId, id, methods } = resource;
  const operation = methods[method === 'HEAD' ? 'GET' : method];
  if (operation === undefined) {
    const allow = Object.keys(methods).join(', ');
    throw fail('HTTP_METHOD_NOT_ALLOWED', `This path takes ${allow}.`, { allow });
  }
  const tenant = plain === undefined && !legacy ? first : undefined;
  return { operation, legacy, tenant, id, configId };
}

/** Decoded, so that `%3Acancel` is the verb it says. */
function segmentsOf(path: string): string[] {
  const raw = path.replace(/^\//, '').replace(/\/$/, '').split('/');
  try {
    return raw.map(decodeURIComponent);
  } catch {
    throw fail('ROUTE_NOT_FOUND', 'The path is not percent-encoded UTF-8.');
  }
}

function resourceOf(segments: readonly string[], legacy: boolean): Resource | undefined {
  const [head = '', second, third, fourth, ...more] = segments;
  if (more.length > 0) return undefined;
  if (second === undefined) return collectionOf(head, legacy);
  if (head !== 'tasks') return undefined;
  if (third === undefined) return taskOf(second);
  if (third !== 'pushNotificationConfigs') return undefined;
  if (fourth === undefined) {
    const methods = {
      GET: 'ListTaskPushNotificationConfigs',
      POST: 'CreateTaskPushNotificationConfig',
    } as const;
    return { methods, id: second };
  }
  const methods = {
    GET: 'GetTaskPushNotificationConfig',
    DELETE: 'DeleteTaskPushNotificationConfig',
  } as const;
  return { methods, id: second, configId: fourth };
}

function collectionOf(name: string, legacy: boolean): Resource | undefined {
  switch (name) {
    case 'message:send':
      return { methods: { POST: 'SendMessage' } };
    case 'message:stream':
      return { methods: { POST: 'SendStreamingMessage' } };
    case legacy ? 'card' : 'extendedAgentCard':
      return { methods: { GET: 'GetExtendedAgentCard' } };
    case 'tasks':
      // v0.3 lists tasks over gRPC and REST only by way of an optional method that its SDKs never
      // served.
      return legacy ? undefined : { methods: { GET: 'ListTasks' } };
    default:
      return undefined;
  }
}

/** A task, or a task and a verb behind the last colon. */
function taskOf(segment: string): Resource {
  const colon = segment.lastIndexOf(':');
  const id = segment.slice(0, colon);
  const verb = colon === -1 ? '' : segment.slice(colon);
  switch (verb) {
    case ':cancel':
      return { methods: { POST: 'CancelTask' }, id };
    case ':subscribe':
      // The proto says GET, the specification's text POST (section 5.3, 11.3.2).
      return { methods: { GET: 'SubscribeToTask', POST: 'SubscribeToTask' }, id };
    default:
      return { methods: { GET: 'GetTask' }, id: segment };
  }
}
