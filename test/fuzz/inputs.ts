import fc from 'fast-check';
import type { JsonObject } from '../../shared/domain/json.ts';
import { encode } from '../../shared/grpc/codec.ts';
import { methodAt } from '../../shared/grpc/methods.ts';
import { hostile, KNOWN_TASKS, messageOf } from './hostile-json.ts';
import { mangled, type Mangled } from './hostile-bytes.ts';

export type Input =
  /** Bytes of one request over HTTP/1.1, the head as text. */
  | { readonly kind: 'http'; readonly head: string; readonly body: Mangled }
  /** A request that stops in the middle; nothing answers it, and nothing may come of it. */
  | { readonly kind: 'half'; readonly head: string; readonly body: Mangled }
  | { readonly kind: 'grpc'; readonly path: string; readonly body: Mangled };

const REQUESTS = {
  SendMessage: 'SendMessageRequest',
  SendStreamingMessage: 'SendMessageRequest',
  GetTask: 'GetTaskRequest',
  ListTasks: 'ListTasksRequest',
  CancelTask: 'CancelTaskRequest',
  SubscribeToTask: 'SubscribeToTaskRequest',
  CreateTaskPushNotificationConfig: 'TaskPushNotificationConfig',
  GetTaskPushNotificationConfig: 'GetTaskPushNotificationConfigRequest',
  ListTaskPushNotificationConfigs: 'ListTaskPushNotificationConfigsRequest',
  DeleteTaskPushNotificationConfig: 'DeleteTaskPushNotificationConfigRequest',
  GetExtendedAgentCard: 'GetExtendedAgentCardRequest',
};
const LEGACY = [
  'message/send',
  'message/stream',
  'tasks/get',
  'tasks/cancel',
  'tasks/resubscribe',
  'tasks/pushNotificationConfig/set',
  'agent/getAuthenticatedExtendedCard',
];

const rarely = <T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>, weight = 9): fc.Arbitrary<T> =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: odd });
const operation = fc.constantFrom(...Object.entries(REQUESTS));
const bytesOf = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value) ?? '');

const rpcBody = operation
  .chain(([name, type]) => fc.tuple(fc.constant(name), messageOf(type)))
  .chain(([name, params]) =>
    fc.record(
      {
        jsonrpc: rarely(fc.constant<unknown>('2.0'), hostile),
        id: rarely<unknown>(fc.integer(), hostile),
        method: rarely<unknown>(
          fc.constant(name),
          fc.oneof(fc.constantFrom(...LEGACY), hostile),
          4,
        ),
        params: rarely<unknown>(fc.constant(params), hostile),
      },
      { requiredKeys: ['jsonrpc', 'method'] },
    ),
  )
  .chain((envelope) =>
    rarely<unknown>(fc.constant(envelope), fc.constant([envelope, envelope]), 30),
  )
  .map(bytesOf);

const id = fc.oneof(
  fc.constantFrom(...KNOWN_TASKS, 'unknown', '..', '%00', '%ff', '%2e%2e', '%', 'a%2fb', '*'),
  fc.string({ maxLength: 20 }).map(encodeURIComponentSafely),
);
const query = fc
  .dictionary(
    fc.constantFrom(
      'historyLength',
      'pageSize',
      'status',
      'pageToken',
      'contextId',
      'tenant',
      'includeArtifacts',
      'statusTimestampAfter',
      'A2A-Version',
      '__proto__',
      'x',
    ),
    fc.oneof(fc.string({ maxLength: 20 }), fc.constantFrom('-1', '1e9', '0x10', 'TASK_STATE_X')),
    { maxKeys: 3 },
  )
  .map((pairs) => new URLSearchParams(pairs).toString());
const prefix = fc.constantFrom(
  '',
  '',
  '',
  '/v1',
  '/acme',
  '/agents/conformance',
  '/agents/x',
  '/.',
);
const tail = id.chain((each) =>
  fc.constantFrom(
    ...Array.from({ length: 8 }, () => '/message:send'),
    ...Array.from({ length: 4 }, () => '/message:stream'),
    '/tasks',
    `/tasks/${each}`,
    `/tasks/${each}:cancel`,
    `/tasks/${each}:subscribe`,
    `/tasks/${each}:nope`,
    `/tasks/${each}/pushNotificationConfigs`,
    `/tasks/${each}/pushNotificationConfigs/${each}`,
    '/extendedAgentCard',
    '/.well-known/agent-card.json',
    '/card',
    `/${each}`,
    '//',
    '/?',
    '*',
  ),
);
const path = fc
  .tuple(prefix, tail, rarely(fc.constant(''), query, 3))
  .map(([before, rest, asked]) => `${before}${rest}${asked === '' ? '' : `?${asked}`}`);

const header = fc.oneof(
  fc.constantFrom(
    'A2A-Version: 0.3',
    'A2A-Version: 1.0.7',
    'A2A-Version: 99',
    'A2A-Extensions: a, b,,c',
    'Last-Event-ID: 1',
    'Last-Event-ID: -1',
    'Last-Event-ID: 99999999999999999999',
    'Accept: application/a2a+json',
    'Accept: */*;q=0',
    'Origin: null',
    'Origin: https://evil.example',
    'Expect: 100-continue',
    'Expect: 200-maybe',
    'Authorization: Bearer x.y.z',
    'Authorization: Basic OjpAOg==',
    'Traceparent: 00-00000000000000000000000000000000-0000000000000000-00',
    'Traceparent: \u00ff',
    'If-None-Match: *',
    'If-Modified-Since: x',
    'X-Forwarded-Host: evil.example/<script>',
    'Range: bytes=0-1',
    'Upgrade: h2c',
    'Host: other',
    'Content-Length: 5',
    'Transfer-Encoding: chunked',
    'Transfer-Encoding: identity, chunked',
    'Content-Type: text/html',
    'Cookie: a=b',
    `X-Long: ${'y'.repeat(9_000)}`,
    `X-Longer: ${'y'.repeat(20_000)}`,
  ),
  fc.tuple(fc.nat({ max: 2_500 })).map(([count]) => 'x: y\r\n'.repeat(count) + 'z: z'),
  fc
    .string({ unit: 'binary', maxLength: 20 })
    .map((text) => `x: ${text.replaceAll(/[\r\n]/g, '')}`),
);
const headers = rarely(fc.constant<string[]>([]), fc.array(header, { maxLength: 3 }), 3);
const contentType = rarely(
  fc.constantFrom('application/json', 'application/a2a+json'),
  fc.constantFrom('text/plain', 'application/json; charset=latin1', 'multipart/form-data', ''),
  12,
);
const version = rarely(fc.constant('1.0'), fc.constantFrom('0.3', '', '2.0', 'x'), 8);
const method = fc.constantFrom(
  'POST',
  'POST',
  'POST',
  'GET',
  'GET',
  'DELETE',
  'PUT',
  'HEAD',
  'OPTIONS',
  'PATCH',
);

function headOf(
  verb: string,
  target: string,
  type: string,
  speaks: string,
  more: readonly string[],
): string {
  const lines = [`${verb} ${target} HTTP/1.1`, 'Host: 127.0.0.1', 'Connection: close'];
  if (type !== '') lines.push(`Content-Type: ${type}`);
  if (speaks !== '') lines.push(`A2A-Version: ${speaks}`);
  return [...lines, ...more].join('\r\n');
}

const rpc = fc
  .tuple(
    rarely(fc.constant('application/json'), contentType, 12),
    version,
    headers,
    mangled(rpcBody),
  )
  .map(
    ([type, speaks, more, body]): Input => ({
      kind: 'http',
      head: headOf('POST', '/', type, speaks, more),
      body,
    }),
  );
const restBody = rarely(
  fc.constant('SendMessageRequest'),
  operation.map(([, type]) => type),
  3,
)
  .chain((type) => rarely<unknown>(messageOf(type), hostile, 12))
  .map(bytesOf);
const rest = fc
  .tuple(
    rarely(fc.constant('POST'), method, 1),
    path,
    contentType,
    version,
    headers,
    mangled(restBody),
  )
  .map(
    ([verb, target, type, speaks, more, body]): Input => ({
      kind: 'http',
      head: headOf(verb, target, type, speaks, more),
      body,
    }),
  );
/** Sends with few faults, so that many reach what lies behind the checks. */
const send = fc
  .tuple(
    fc.constantFrom('/message:send', '/message:send', '/message:stream', '/acme/message:send'),
    fc.constantFrom(0, 60).chain((odd) => messageOf('SendMessageRequest', odd)),
  )
  .map(
    ([target, message]): Input => ({
      kind: 'http',
      head: headOf('POST', target, 'application/json', '1.0', []),
      body: { bytes: bytesOf(message) },
    }),
  );
const half = fc
  .tuple(rest, fc.nat({ max: 400 }))
  .map(
    ([whole, cut]): Input =>
      whole.kind === 'http' ? { ...whole, kind: 'half', head: whole.head.slice(0, cut) } : whole,
  );
const grpc = operation
  .chain(([name, type]) =>
    fc.tuple(
      rarely(
        fc.constant(`/lf.a2a.v1.A2AService/${name}`),
        fc.constantFrom('/', '/x.Y/Z', '/grpc.health.v1.Health/Check'),
        20,
      ),
      mangled(
        rarely(
          fc
            .constantFrom(0, 0, 0, 12)
            .chain((odd) => messageOf(type, odd))
            .map((json) => encoded(name, json)),
          fc.constantFrom(50, 101, 340, 2_000).map(lists),
          40,
        ),
      ),
    ),
  )
  .map(([target, body]): Input => ({ kind: 'grpc', path: target, body }));

/** What a caller may send who follows the protocol badly, or not at all. */
export const input: fc.Arbitrary<Input> = fc.oneof(
  { weight: 4, arbitrary: rpc },
  { weight: 5, arbitrary: rest },
  { weight: 3, arbitrary: send },
  { weight: 3, arbitrary: grpc },
  { weight: 1, arbitrary: half },
);

/** As protobuf, if it can be; else its text, which is no message. */
function encoded(name: string, json: object): Uint8Array {
  const type = methodAt(`/lf.a2a.v1.A2AService/${name}`)?.request ?? '';
  try {
    return encode(type, JSON.parse(JSON.stringify(json)) as JsonObject);
  } catch {
    return Buffer.from('no message');
  }
}

/** Metadata of a send whose one value is so many lists in one another. */
function lists(levels: number): Uint8Array {
  let value: Uint8Array = Buffer.from([0x08, 0]);
  for (let level = 0; level < levels; level += 1) value = field(0x32, field(0x0a, value));
  return field(
    0x22,
    field(0x0a, Buffer.concat([field(0x0a, Buffer.from('k')), field(0x12, value)])),
  );
}

function field(tag: number, content: Uint8Array): Uint8Array {
  const length: number[] = [];
  for (let rest = content.length; length.length === 0 || rest > 0; rest = Math.floor(rest / 128)) {
    length.push((rest % 128) + (rest >= 128 ? 128 : 0));
  }
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

function encodeURIComponentSafely(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
