import { createHash } from 'node:crypto';
import http from 'node:http';
import { type HttpBinding, callOf, sendParams, type Sending } from './client.ts';

interface Question {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What to do while a stream is open, once it has shown a word. */
interface Meanwhile {
  readonly after: string;
  readonly act: (shown: string) => Promise<unknown>;
}

/** These say when or where, and not what. */
const LEFT_OUT: ReadonlySet<string> = new Set(['date', 'last-modified', 'content-length', 'etag']);

/**
 * Talks to a server and writes down each answer as it came over the wire: status, headers, and
 * every byte of the body.
 */
export class Transcript {
  readonly #url: string;
  readonly #binding: HttpBinding;
  readonly #entries: string[] = [];

  constructor(server: { readonly url: string }, binding: HttpBinding) {
    this.#url = server.url;
    this.#binding = binding;
  }

  send(text: string, sending: Sending & { readonly messageId: string }): Promise<string> {
    return this.call('SendMessage', sendParams(text, sending));
  }

  async unwritten(operation: string, params: object): Promise<string> {
    const text = await this.call(operation, params);
    this.#entries.pop();
    return text;
  }

  /** The body; of streams everything until their end. */
  call(
    operation: string,
    params: object,
    headers: Readonly<Record<string, string>> = {},
    meanwhile?: Meanwhile,
  ): Promise<string> {
    const { method, path, body } = callOf(this.#binding, operation, params);
    return this.ask(
      { method, path, headers, ...(body !== undefined && { body: JSON.stringify(body) }) },
      meanwhile,
    );
  }

  async ask(question: Question, meanwhile?: Meanwhile): Promise<string> {
    const { method, path, body, headers } = question;
    const at = this.#entries.push('') - 1;
    const chunks: Buffer[] = [];
    let doing: Promise<unknown> | undefined;
    const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
      const asked = http.request(`${this.#url}${path}`, {
        method,
        agent: false,
        headers: {
          'A2A-Version': '1.0',
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
          ...headers,
        },
      });
      asked.on('error', reject);
      asked.on('response', (response) => {
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          if (meanwhile === undefined || doing !== undefined) return;
          const shown = Buffer.concat(chunks).toString('utf8');
          if (shown.includes(meanwhile.after)) doing = meanwhile.act(shown);
        });
        response.on('end', () => resolve(response));
        response.on('error', reject);
      });
      asked.end(body);
    });
    await doing;
    const text = Buffer.concat(chunks).toString('utf8');
    const told = Object.entries(answer.headers)
      .filter(([name]) => !LEFT_OUT.has(name))
      .map(([name, value]) => `${name}: ${String(value)}`)
      .toSorted();
    this.#entries[at] = [
      `> ${method} ${path} ${body ?? ''}`,
      `< ${answer.statusCode ?? 0}`,
      ...told.map((header) => `< ${header}`),
      // A heartbeat comes by the clock.
      text.replaceAll(': keep-alive\n\n', ''),
    ].join('\n');
    return text;
  }

  /** Everything, with ids by the order in which they came, and without times and ports. */
  text(): string {
    const ids = new Map<string, string>();
    return this.#entries
      .join('\n\n')
      .replaceAll(this.#url, '<url>')
      .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => {
        const name = ids.get(id) ?? `<id ${ids.size + 1}>`;
        ids.set(id, name);
        return name;
      })
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '<time>')
      .replaceAll(/((?:nextPageToken":"|pageToken":"|pageToken=))[\w%.~-]+/g, '$1<token>')
      .replaceAll(
        /[A-Za-z0-9+/=]{2000,}/g,
        (long) => `<${long.length} characters, ${sha256(long)}>`,
      );
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The id of the first task that an answer names. */
export function taskIn(text: string): string {
  const [, id = ''] = /"(?:task":\{"id|taskId)":"([^"]+)"/.exec(text) ?? [];
  if (id === '') throw new Error(`no task in ${text.slice(0, 200)}`);
  return id;
}

/**
 * The calls: every operation, every kind of answer, errors by kind. Nothing in it depends on who is
 * quicker.
 */
export async function play(script: Transcript, binding: HttpBinding): Promise<void> {
  const contextId = `transcript-${binding}`;
  const name = (id: string) => `${binding}-${id}`;
  const stream = (text: string, sending: Sending) =>
    script.call('SendStreamingMessage', sendParams(text, sending));

  const first = taskIn(await script.send('steps=2', { messageId: name('m1'), contextId }));
  await script.send('steps=2', { messageId: name('m1'), contextId });
  await script.send('steps=3', { messageId: name('m1'), contextId });
  await script.send('ping', { messageId: name('direct') });
  await script.call('GetTask', { id: first });
  await script.call('GetTask', { id: first, historyLength: 1 });

  const streamed = await stream('steps=3 delay=20', { messageId: name('m2'), contextId });
  await script.call('SubscribeToTask', { id: taskIn(streamed) }, { 'Last-Event-ID': '2' });
  await script.call('SubscribeToTask', { id: taskIn(streamed) });
  for (const bad of ['999', 'x', '-1'])
    await script.call('SubscribeToTask', { id: taskIn(streamed) }, { 'Last-Event-ID': bad });
  await stream('chunks=4', { messageId: name('m3'), contextId });
  await stream('events=2', { messageId: name('m4'), contextId });

  const asked = taskIn(await script.send('ask', { messageId: name('m5'), contextId }));
  await script.send('meanwhile', { messageId: name('busy'), contextId });
  await script.call(
    'SubscribeToTask',
    { id: asked },
    {},
    {
      after: 'INPUT_REQUIRED',
      act: () => script.send('steps=1 red', { messageId: name('m6'), taskId: asked }),
    },
  );
  await script.send('too late', { messageId: name('m7'), taskId: asked });
  await script.send('elsewhere', { messageId: name('m8'), taskId: asked, contextId: 'another' });
  const choice = taskIn(await script.send('choose', { messageId: name('m9'), contextId }));
  await script.send('', {
    messageId: name('m10'),
    taskId: choice,
    parts: [{ data: { count: 0 } }],
  });
  await script.send('', {
    messageId: name('m11'),
    taskId: choice,
    parts: [{ data: { count: 2 } }],
  });

  const open = taskIn(await script.send('ask', { messageId: name('m12'), contextId }));
  await script.call('CancelTask', { id: open });
  await script.call('CancelTask', { id: open });
  const long = sendParams('steps=1 wait=60000', { messageId: name('m13'), contextId });
  await script.call(
    'SendStreamingMessage',
    long,
    {},
    {
      after: 'step-1',
      act: (shown) => script.call('CancelTask', { id: taskIn(shown) }),
    },
  );

  for (const end of ['fail', 'crash', 'reject', 'flaky=1 steps=1', 'late', 'echo', 'big=300KiB'])
    await script.send(end, { messageId: name(end), contextId });
  const big = taskIn(await stream('big=250KiB', { messageId: name('m14'), contextId }));
  await script.call('GetTask', { id: big });
  // How far it has come when it is answered is chance, so that answer is not written down.
  const later = taskIn(
    await script.unwritten(
      'SendMessage',
      sendParams('steps=1', { messageId: name('m15'), contextId, ri: true }),
    ),
  );
  await script.call('SubscribeToTask', { id: later }, { 'Last-Event-ID': '0' });

  await script.call('ListTasks', { contextId });
  await pages(script, { contextId, pageSize: 6 });
  await script.call('ListTasks', {
    contextId,
    status: 'TASK_STATE_CANCELED',
    includeArtifacts: true,
  });
  await script.call('ListTasks', { contextId: 'nobody' });
  for (const bad of [
    { pageSize: 1000 },
    { pageSize: 0 },
    { pageToken: 'x!' },
    { status: 'TASK_STATE_ODD' },
    { historyLength: -1 },
  ])
    await script.call('ListTasks', { contextId, ...bad });

  const unknown = '00000000-0000-4000-8000-000000000000';
  for (const operation of ['GetTask', 'CancelTask', 'SubscribeToTask'])
    await script.call(operation, { id: unknown });
  await script.call('GetTask', { id: '../etc' });
  await script.call('SendMessage', {});
  await script.call('SendMessage', { message: { messageId: '', role: 'ROLE_USER', parts: [] } });
  await script.call('SendMessage', {
    message: { messageId: name('m16'), role: 'ROLE_ODD', parts: [{ text: 'x' }] },
  });
  await script.send('x', { messageId: name('m17'), contextId: 'a/b' });
  await script.send('x', { messageId: name('m18'), taskId: unknown });
  await script.call('SendMessage', sendParams('x', { messageId: name('m19') }), {
    'A2A-Version': '0.3',
  });
  await script.call('SendMessage', sendParams('x', { messageId: name('m20') }), {
    'A2A-Version': '9',
  });
  await script.call('SendMessage', sendParams('x', { messageId: name('m21') }), {
    'Content-Type': 'text/plain',
  });
}

async function pages(script: Transcript, query: Readonly<Record<string, unknown>>): Promise<void> {
  let pageToken = '';
  do {
    const text = await script.call('ListTasks', {
      ...query,
      ...(pageToken !== '' && { pageToken }),
    });
    [, pageToken = ''] = /"nextPageToken":"([^"]*)"/.exec(text) ?? [];
  } while (pageToken !== '');
}

/** What lies beside the two bindings. */
export async function playPaths(script: Transcript): Promise<void> {
  const rpc = (body: string) => script.ask({ method: 'POST', path: '/', body });
  for (const path of [
    '/.well-known/agent-card.json',
    '/agents/scripted/.well-known/agent-card.json',
    '/agents/nobody/',
    '/nowhere',
    '/extendedAgentCard',
  ])
    await script.ask({ method: 'GET', path });
  await script.ask({ method: 'DELETE', path: '/tasks' });
  await script.ask({ method: 'POST', path: '/message:send', body: '{"message":' });
  for (const body of [
    '{',
    '[]',
    '"x"',
    '{"jsonrpc":"1.0","id":1,"method":"GetTask"}',
    '{"jsonrpc":"2.0","id":1,"method":"Nothing"}',
  ])
    await rpc(body);
  // The methods of v0.3, which is off, and of a task that is not there.
  for (const method of [
    'message/send',
    'tasks/get',
    'CreateTaskPushNotificationConfig',
    'GetExtendedAgentCard',
  ])
    await rpc(
      JSON.stringify({ jsonrpc: '2.0', id: method, method, params: { id: 'x', taskId: 'x' } }),
    );
}
