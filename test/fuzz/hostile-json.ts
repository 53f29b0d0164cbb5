import fc from 'fast-check';
import { A2A } from '../../shared/grpc/proto-table.ts';

/** Each stands for the id of a task that there is, and is as long; see `Target`. */
export const KNOWN_TASKS = [
  '00000000-0000-4000-8000-000000000001',
  '00000000-0000-4000-8000-000000000002',
] as const;

const HOSTILE_TEXTS = [
  '',
  ' ',
  '\0',
  '\ud800',
  'x\udfff',
  '__proto__',
  'constructor',
  'toString',
  '../../etc/passwd',
  '..%2f..',
  '%00',
  "'; DROP TABLE runs; --",
  '\u202e\ufeff',
  '😀'.repeat(100),
  'x'.repeat(2_000),
  '9'.repeat(400),
  '[object Object]',
  'null',
  '2026-13-45T99:99:99Z',
  '0001-01-01T00:00:00Z',
  'http://169.254.169.254/latest',
  'file:///etc/passwd',
  'data:text/html,<script>',
];
const HOSTILE_NUMBERS = [-1, 0, 1.5, 1e308, -1e308, 5e-324, 2 ** 31, 2 ** 53, -(2 ** 63), -0];

const text = fc.oneof(
  { weight: 4, arbitrary: fc.string({ maxLength: 20 }) },
  { weight: 2, arbitrary: fc.constantFrom(...KNOWN_TASKS) },
  { weight: 2, arbitrary: fc.constantFrom(...HOSTILE_TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
);
const number = fc.oneof(fc.integer(), fc.constantFrom(...HOSTILE_NUMBERS));
const deep = fc
  .tuple(fc.constantFrom(60, 99, 101, 500), fc.boolean())
  .map(([levels, list]) => nested(levels, list));

/** Any value, of whatever type the field has. */
export const hostile: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 2, arbitrary: text },
  { weight: 2, arbitrary: number },
  { weight: 1, arbitrary: deep },
  { weight: 1, arbitrary: fc.array(text, { maxLength: 40 }) },
);

function nested(levels: number, list: boolean): unknown {
  let value: unknown = 'bottom';
  for (let level = 0; level < levels; level += 1) value = list ? [value] : { a: value };
  return value;
}

/**
 * A message as its schema says; to a depth, for messages hold messages. One field in `odd` is of no
 * type at all; 0: none is, and protobuf can carry it.
 */
export function messageOf(type: string, odd = 12, depth = 4): fc.Arbitrary<object> {
  const oneofs = new Map<string, [string, fc.Arbitrary<unknown>][]>();
  const members: Record<string, fc.Arbitrary<unknown>> = {};
  for (const line of A2A.messages[type] ?? []) {
    const [, oneof, name = '', , map, kind = '', many] =
      /^(?:(\w+)\.)?(\w+) (\d+) (map:)?(\w+)(\?|\[\])?$/.exec(line) ?? [];
    const one = valueOf(
      type === 'Message' && name === 'task_id' ? 'message_task' : name,
      kind,
      odd,
      depth - 1,
    );
    const value =
      map !== undefined
        ? fc.dictionary(text, one, { maxKeys: 2 })
        : many === '[]'
          ? fc.array(one, { minLength: name === 'parts' ? 1 : 0, maxLength: 3 })
          : one;
    if (oneof === undefined) {
      members[camelCase(name)] = value;
      continue;
    }
    const choices = oneofs.get(oneof) ?? [];
    choices.push([camelCase(name), value]);
    oneofs.set(oneof, choices);
  }
  const plain = fc.record(members, { requiredKeys: REQUIRED[type] ?? [] });
  const chosen = [...oneofs.values()].map((choices) =>
    fc.oneof(...choices.map(([name, value]) => value.map((each) => ({ [name]: each })))),
  );
  return fc
    .tuple(fc.nat({ max: 9 }), plain, ...chosen)
    .map(([way, ...parts]) => respelt(Object.assign({}, ...parts) as object, way));
}

/** Without these nothing gets past the first check. */
const REQUIRED: Readonly<Record<string, string[]>> = {
  SendMessageRequest: ['message', 'configuration'],
  Message: ['messageId', 'role', 'parts'],
  GetTaskRequest: ['id'],
  CancelTaskRequest: ['id'],
  SubscribeToTaskRequest: ['id'],
  GetTaskPushNotificationConfigRequest: ['id', 'taskId'],
  DeleteTaskPushNotificationConfigRequest: ['id', 'taskId'],
  ListTaskPushNotificationConfigsRequest: ['taskId'],
  Artifact: ['artifactId', 'parts'],
  AuthenticationInfo: ['scheme'],
  SendMessageConfiguration: ['returnImmediately'],
  TaskPushNotificationConfig: ['url', 'taskId'],
};

function valueOf(name: string, kind: string, odd: number, depth: number): fc.Arbitrary<unknown> {
  if (depth < 0) return fc.constant({});
  const usual = usualOf(name, kind, odd, depth);
  if (odd === 0) return usual;
  return fc.oneof({ weight: odd - 1, arbitrary: usual }, { weight: 1, arbitrary: hostile });
}

function usualOf(name: string, kind: string, odd: number, depth: number): fc.Arbitrary<unknown> {
  if (name === 'role') return mostly('ROLE_USER', 'ROLE_AGENT', text);
  if (name === 'message_id')
    return fc.oneof(
      fc.uuid().map((id) => `tck-${id}`),
      KINDS,
    );
  // Where a wrong one is refused whatever else there is, it is mostly right.
  if (name === 'tenant') return mostly('', 'acme', text);
  if (name === 'context_id') return mostly('', 'demo-1', text);
  if (name === 'scheme') return mostly('Bearer', 'Basic', text);
  if (name === 'token' || name === 'credentials') return mostly('abc', '', text);
  if (name === 'message_task') return mostly('', KNOWN_TASKS[0], text);
  if (name === 'id' || name === 'task_id') return fc.constantFrom(...KNOWN_TASKS, 'unknown', '');
  if (name === 'return_immediately') return fc.constant(true);
  if (name === 'url') return mostly('https://hook.example/x', 'http://127.0.0.1:9/x', text);
  switch (kind) {
    case 'string':
      return text;
    case 'bytes':
      return fc.base64String({ maxLength: 40 });
    case 'bool':
      return fc.boolean();
    case 'int32':
      return fc.integer({ min: 0, max: 100 });
    case 'Timestamp':
      return fc
        .date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true })
        .map((at) => at.toISOString());
    case 'Struct':
      return fc.dictionary(text, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 });
    case 'Value':
      return fc.jsonValue({ maxDepth: 3 });
    default: {
      const values = A2A.enums[kind];
      if (values === undefined) return messageOf(kind, odd, depth);
      return odd === 0 ? fc.constantFrom(...values) : fc.constantFrom(...values, 'NO', 99);
    }
  }
}

function mostly(one: string, other: string, odd: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 12, arbitrary: fc.constant(one) },
    { weight: 2, arbitrary: fc.constant(other) },
    { weight: 1, arbitrary: odd },
  );
}

/** What the agent of the conformance kits does without waiting. */
const KINDS = fc.constantFrom(
  'tck-complete-task',
  'tck-input-required',
  'tck-artifact-data',
  'tck-artifact-file',
  'tck-message-response',
  'tck-reject-task',
  'tck-stream-artifact-chunked',
);

/** ProtoJSON takes a field by the name in its proto file, too. */
function respelt(message: object, way: number): object {
  if (way > 0) return message;
  const members = Object.entries(message).map(([name, value]): [string, unknown] => [
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value,
  ]);
  return Object.fromEntries(members);
}

function camelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
