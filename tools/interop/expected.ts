/** What a client saw, by the names that its program prints. */
export type Seen = Readonly<Record<string, string>>;

/** A client in one of its conversations: `JSONRPC 1.0`, `HTTP+JSON 0.3`, or `ADK`. */
export interface Way {
  readonly client: string;
  readonly way: string;
}

const COMMON: Seen = {
  card: 'scripted: GRPC, HTTP+JSON, JSONRPC',
  send: 'COMPLETED, done: steps=2',
  artifacts: 'step-1 result of step 1, step-2 result of step 2',
  get: 'COMPLETED',
  message: 'pong',
  stream:
    'task SUBMITTED, status WORKING, artifact step-1, artifact step-2, status WORKING, status COMPLETED',
  echo: 'the same',
  ask: 'INPUT_REQUIRED, Which colour?',
  answer: 'COMPLETED, you said blue',
  subscription: 'task INPUT_REQUIRED, status WORKING, status COMPLETED',
  'at once': 'open',
  cancel: 'CANCELED',
  list: 'COMPLETED',
  push: 'hook http://127.0.0.1:9/',
  'push again': 'hook',
  pushes: '1',
  'push deleted': 'None',
  'cancel again': 'CANCELED',
};

const ADK: Seen = {
  send: 'result of step 1, result of step 2, done: steps=2',
  message: 'pong',
  stream: 'chunk 1;, chunk 2;, chunk 3;, event 1 , done: chunks=3 events=1',
  ask: 'asks: Which colour?, Which colour?, you said blue',
  fail: 'failed as asked',
};

/** How a client names three refusals: no such task, not cancelable, not possible now. */
type Refusals = readonly [string, string, string];

const NAMED: Refusals = [
  'TaskNotFoundError',
  'TaskNotCancelableError',
  'UnsupportedOperationError',
];
const NAMED_BY_GO: Refusals = [
  'ErrTaskNotFound',
  'ErrTaskNotCancelable',
  'ErrUnsupportedOperation',
];
const OLD_RPC = [-32_001, -32_002, -32_004].map((code) => `A2AClientJSONRPCError ${code}`);
const OLD_HTTP = [404, 400, 400].map((code) => `A2AClientHTTPError ${code}`);

function refusals(
  [unknown = '', final = '', impossible = '']: readonly string[],
  old: boolean,
): Seen {
  return {
    'unknown task': unknown,
    // In 1.0 a task that is cancelled may be cancelled again.
    ...(old && { 'cancel again': final }),
    'cancel of a finished task': final,
    'message to a finished task': impossible,
    'subscription to a finished task': impossible,
  };
}

const JAVA = [
  'echo',
  'subscription',
  'at once',
  'push',
  'push again',
  'pushes',
  'push deleted',
  'cancel again',
];

/** What a client has no call for, or its program does not ask. */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  'python 0.3': ['at once', 'pushes', 'push deleted'],
  java: JAVA,
  'java 1.0': JAVA,
};

/** What a client must see. */
export function expectedOf({ client, way }: Way): Seen {
  if (client === 'adk') return ADK;
  const old = way.endsWith('0.3');
  const rest = way.startsWith('HTTP+JSON');
  const named = client === 'go' ? NAMED_BY_GO : NAMED;
  const byCode = rest ? OLD_HTTP : OLD_RPC;
  const seen: Seen = {
    ...COMMON,
    ...refusals(client === 'python 0.3' ? byCode : named, old),
    ...(old && { card: 'scripted: HTTP+JSON, JSONRPC' }),
    ...PARTICULARS[`${client}, ${way}`],
  };
  const without = new Set([...(LEFT_OUT[client] ?? []), ...(old ? ['list'] : [])]);
  return Object.fromEntries(Object.entries(seen).filter(([name]) => !without.has(name)));
}

/** Why each is so: docs/interop.md. */
const PARTICULARS: Readonly<Record<string, Seen>> = {
  'python, HTTP+JSON 0.3': { pushes: 'NotImplementedError', 'push deleted': 'NotImplementedError' },
  'go, JSONRPC 1.0': { 'subscription to a finished task': '' },
  'go, JSONRPC 0.3': { card: 'scripted: JSONRPC' },
  'java 1.0, JSONRPC 1.0': {
    card: 'scripted',
    'subscription to a finished task': 'TimeoutException',
  },
  'java 1.0, HTTP+JSON 1.0': {
    card: 'scripted',
    'unknown task': 'UnsupportedOperationException',
    'cancel of a finished task': 'UnsupportedOperationException',
    'message to a finished task': 'UnsupportedOperationException',
    'subscription to a finished task': 'IOException',
  },
  'java, JSONRPC 0.3': { card: 'scripted' },
  'java, HTTP+JSON 0.3': { card: 'scripted', 'subscription to a finished task': 'IOException' },
};

/** The lines of a program, by the way that each stands under. */
export function seenIn(output: string): ReadonlyMap<string, Seen> {
  const found = new Map<string, Record<string, string>>();
  let current: Record<string, string> = {};
  for (const line of output.split('\n')) {
    const [, way] = /^== (.*)$/.exec(line) ?? [];
    const [, name, value = ''] = /^([a-z][a-z 0-9]*): ?(.*)$/.exec(line) ?? [];
    if (way !== undefined) found.set(way, (current = {}));
    else if (name !== undefined) current[name] = value;
  }
  return found;
}
