import type { ServerResponse } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { outgoing } from '../../test/fixtures/remotes/remote.ts';
import {
  acknowledgement,
  adapter,
  messageOf,
  scriptedRemote,
  type Script,
} from '../../test/fixtures/remotes/scripted-remote.ts';
import { json, type WebRequest } from '../../test/fixtures/remotes/web-server.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

type Respond = (request: WebRequest, response: ServerResponse) => void | Promise<void>;

async function remoteThat(respond: Respond, script: Script = {}) {
  const server = await scriptedRemote(respond, script);
  closing.push(() => server.close());
  return server;
}

const operation = { taskId: 'task-1', contextId: 'context' };

async function sent(respond: Respond, script: Script = {}) {
  const { remote } = await remoteThat(respond, script);
  return adapter().agents.send(remote, outgoing());
}

async function looked(respond: Respond, script: Script = {}) {
  const { remote } = await remoteThat(respond, script);
  return adapter().agents.poll(remote, operation);
}

const body =
  (type: string, text: string | Uint8Array, status = 200, more = {}): Respond =>
  (_, response) => {
    response.writeHead(status, { 'content-type': type, ...more }).end(text);
  };

/** A look's answer in JSON-RPC. */
const result = ({ body: text }: WebRequest, task: object) => ({
  jsonrpc: '2.0',
  id: JSON.parse(text).id,
  result: task,
});
const done = { id: 'task-1', contextId: 'context', status: { state: 'TASK_STATE_COMPLETED' } };

describe.each(['JSONRPC', 'HTTP+JSON'] as const)('over %s, of a message', (binding) => {
  const unknown = (reason: string, more = {}) => ({ kind: 'outcome_unknown', reason, ...more });

  test('an answer that is cut off says nothing', async () => {
    const outcome = await sent(
      (request, response) => {
        const text = JSON.stringify(acknowledgement(request));
        response.writeHead(200, { 'content-length': text.length + 10 });
        response.write(text, () => response.destroy());
      },
      { binding },
    );
    expect(outcome).toEqual(unknown('broken answer'));
  });

  test('an answer that is no HTTP says nothing', async () => {
    const outcome = await sent((_, response) => void response.socket?.end('OK, done\r\n\r\n'), {
      binding,
    });
    expect(outcome).toEqual(unknown('no answer'));
  });

  test.each([
    ['no JSON', 'application/json', '{"task":'],
    ['nothing', 'application/json', ''],
    ['a web page', 'text/html', '<html>Please log in.</html>'],
    ['a number', 'application/json', '7'],
    ['null', 'application/json', 'null'],
    ['another protocol', 'application/json', '{"ok":true,"job":"17"}'],
    ['without a result', 'application/json', '{"jsonrpc":"2.0","id":1}'],
    ['a result of nothing', 'application/json', '{"jsonrpc":"2.0","id":1,"result":null}'],
    ['of another request', 'application/json', '{"jsonrpc":"2.0","id":99,"result":{"task":{}}}'],
    ['both', 'application/json', '{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":-32602}}'],
  ])('success with a body that is %s says nothing', async (_, type, text) => {
    expect(await sent(body(type, text), { binding })).toEqual(unknown('malformed'));
  });

  test('success in another encoding than UTF-8 says nothing', async () => {
    const outcome = await sent(
      (request, response) => {
        const text = JSON.stringify(acknowledgement(request, { metadata: { colour: 'grün' } }));
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(Buffer.from(text, 'latin1'));
      },
      { binding },
    );
    expect(outcome).toEqual(unknown('malformed'));
  });

  test('words for another context are not for us; for ours, or for none, they are', async () => {
    const { remote } = await remoteThat(
      (request, response) => {
        const { id, message } = messageOf(request);
        const contextId = message.messageId === 'ours' ? message.contextId : message.messageId;
        const parts = [{ text: 'Here.' }];
        const said = { message: { messageId: 'm', role: 'ROLE_AGENT', parts, contextId } };
        json(response, binding === 'JSONRPC' ? { jsonrpc: '2.0', id, result: said } : said);
      },
      { binding },
    );
    const { agents } = adapter();
    const answered = async (messageId: string) => agents.send(remote, outgoing({ messageId }));
    expect((await answered('ours')).kind).toBe('replied');
    expect((await answered('')).kind).toBe('replied');
    expect(await answered('another')).toEqual(unknown('other context'));
  });

  test.each([
    ['no id', { id: '' }],
    ['an id that is too long', { id: 'x'.repeat(257) }],
    ['an id with a line break', { id: 'a\r\nset-cookie: b' }],
    ['an id that is a step up', { id: '..' }],
  ])('a task with %s is no task', async (_, task) => {
    const outcome = await sent(
      (request, response) => json(response, acknowledgement(request, task)),
      { binding },
    );
    expect(outcome).toEqual(unknown('malformed'));
  });

  test.each([{ contextId: 'another' }, { contextId: '' }, { contextId: undefined }])(
    'a task that is not in our context (%j) is not ours',
    async (task) => {
      const outcome = await sent(
        (request, response) => json(response, acknowledgement(request, task)),
        { binding },
      );
      expect(outcome).toEqual(unknown('other context'));
    },
  );

  test.each([
    ['400', 400],
    ['401', 401],
    ['403', 403],
    ['404', 404],
    ['405', 405],
    ['413', 413],
    ['415', 415],
    ['422', 422],
    ['307', 307],
    ['308', 308],
  ])('HTTP %s is a refusal, whatever its body', async (_, code) => {
    for (const text of ['', '<html>No.</html>', '{}', 'x'.repeat(100_000)]) {
      const outcome = await sent(body('text/html', text, code), { binding });
      expect(outcome).toEqual({ kind: 'refused', reason: `http ${code}`, code });
    }
  });

  test.each([500, 501, 502, 503, 504, 599, 408, 409, 301, 302, 303])(
    'HTTP %i says nothing, whatever its body',
    async (code) => {
      const refusal = '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"No."}}';
      const bodies = code < 500 ? ['', '<html></html>'] : ['', '<html></html>', refusal];
      for (const text of bodies) {
        const outcome = await sent(body('application/json', text, code), { binding });
        expect(outcome).toEqual(unknown(`http ${code}`, { code }));
      }
    },
  );

  test('a redirect is not followed, and nothing goes where it leads', async () => {
    const other = await remoteThat((request, response) => json(response, acknowledgement(request)));
    for (const status of [301, 302, 303, 307, 308]) {
      const credential = { scheme: 'Bearer', secret: 'TOKEN' };
      const server = await remoteThat(body('', '', status, { location: `${other.url}/a2a` }), {
        binding,
        declared: { credential },
      });
      const { agents } = adapter({ secrets: () => 'secret' });
      const outcome = await agents.send(server.remote, outgoing());
      expect(outcome).toMatchObject({ reason: `http ${status}`, code: status });
      expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
        'Bearer secret',
        'Bearer secret',
      ]);
    }
    expect(other.connections()).toBe(0);
  });

  test.each([
    ['12', 12_000],
    ['Thu, 01 Jan 2026 00:00:45 GMT', 45_000],
    ['86400', 3_600_000],
    ['whenever', undefined],
  ])('429 with Retry-After: %s is a refusal for that long', async (header, retryAfter) => {
    const outcome = await sent(body('text/plain', 'No.', 429, { 'retry-after': header }), {
      binding,
    });
    const wait = retryAfter === undefined ? {} : { retryAfter };
    expect(outcome).toEqual({ kind: 'refused', reason: 'http 429', code: 429, ...wait });
  });

  test('503 with Retry-After is no refusal: it may have it', async () => {
    const outcome = await sent(body('text/plain', '', 503, { 'retry-after': '5' }), { binding });
    expect(outcome).toEqual(unknown('http 503', { code: 503, retryAfter: 5_000 }));
  });

  test('an answer within the cap counts with its size, one byte more is too large', async () => {
    let size = 0;
    const respond: Respond = (request, response) => {
      const text = JSON.stringify(acknowledgement(request));
      size = text.length;
      response.writeHead(200, { 'content-type': 'application/json' }).end(text);
    };
    const exact = await remoteThat(respond, { binding });
    const { agents } = adapter();
    const first = await agents.send(exact.remote, outgoing({ contextId: 'c' }));
    expect(first).toMatchObject({ kind: 'acknowledged', task: { bytes: size } });
    const remote = { ...exact.remote, answerBytes: size };
    const second = await agents.send(remote, outgoing({ contextId: 'c' }));
    expect(second.kind).toBe('acknowledged');
    const tooSmall = { ...exact.remote, answerBytes: size - 1 };
    expect(await agents.send(tooSmall, outgoing({ contextId: 'c' }))).toEqual(unknown('too large'));
  });

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ] as const)('%s is unpacked, a bomb is not', async (coding, pack) => {
    const packed: Respond = (request, response) => {
      const small = JSON.stringify(acknowledgement(request));
      const { messageId } = messageOf(request).message;
      const text = messageId === 'bomb' ? small + ' '.repeat(8 * 1024 * 1024) : small;
      const headers = { 'content-type': 'application/json', 'content-encoding': coding };
      response.writeHead(200, headers).end(pack(text));
    };
    const { remote } = await remoteThat(packed, { binding });
    const { agents } = adapter();
    expect((await agents.send(remote, outgoing())).kind).toBe('acknowledged');
    const outcome = await agents.send(remote, outgoing({ messageId: 'bomb' }));
    expect(outcome).toEqual(unknown('too large'));
  });

  test('what is packed wrongly, or as we do not know, says nothing', async () => {
    const bad = body('application/json', '{}', 200, { 'content-encoding': 'gzip' });
    expect(await sent(bad, { binding })).toEqual(unknown('broken answer'));
    const zip = body('application/json', '{}', 200, { 'content-encoding': 'compress' });
    expect(await sent(zip, { binding })).toEqual(unknown('broken answer'));
  });

  test('an answer without end is stopped at the cap', async () => {
    const outcome = await sent(
      (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const more = () => {
          while (!response.destroyed && response.write(' '.repeat(16_384)));
        };
        response.on('drain', more);
        more();
      },
      { binding },
    );
    expect(outcome).toEqual(unknown('too large'));
  });

  test('an answer that is sent twice is read once', async () => {
    const outcome = await sent(
      (request, response) => {
        const text = JSON.stringify(acknowledgement(request));
        const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n`;
        response.socket?.end((head + text).repeat(2));
      },
      { binding },
    );
    expect(outcome).toMatchObject({ kind: 'acknowledged', task: { state: 'WORKING' } });
  });

  test.each(['nothing', 'a head', 'half of it'])(
    'an answer of which %s came by the deadline says nothing',
    async (came) => {
      const reached = Promise.withResolvers<void>();
      const { remote } = await remoteThat(
        (request, response) => {
          if (came !== 'nothing') response.writeHead(200, { 'content-type': 'application/json' });
          if (came === 'a head') response.flushHeaders();
          if (came === 'half of it') response.write(JSON.stringify(acknowledgement(request)));
          reached.resolve();
        },
        { binding },
      );
      const { agents, clock } = adapter();
      const sending = agents.send(remote, outgoing());
      await reached.promise;
      await clock.advance(30_000);
      expect(await sending).toEqual(unknown('timeout'));
      expect(clock.waiting).toBe(0);
    },
  );

  test('no word of an answer comes into a reason or the log', async () => {
    const secret = 'jane@example.org';
    const answers: Respond[] = [
      body('application/json', JSON.stringify({ jsonrpc: '2.0', id: 1, result: secret })),
      body('text/html', `<html>${secret}</html>`, 500),
      body('application/json', JSON.stringify({ error: { message: secret } }), 400),
      body(
        'application/json',
        JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32602, message: secret } }),
      ),
      (_, response) => void response.writeHead(200, secret, { 'x-secret': secret }).end(secret),
      (request, response) => json(response, acknowledgement(request, { id: `${secret}\n` })),
    ];
    for (const respond of answers) {
      const { remote } = await remoteThat(respond, { binding });
      const { agents, log } = adapter();
      const message = outgoing({ parts: [{ text: secret }] });
      const outcome = await agents.send(remote, message);
      expect(log).toHaveLength(1);
      expect(JSON.stringify([outcome, log])).not.toContain(secret);
      expect(JSON.stringify(log)).not.toContain(message.contextId);
    }
  });
});

describe('of a message over JSON-RPC', () => {
  const error = (code: number, status = 200) =>
    body('application/json', JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code } }), status);

  test.each([-32700, -32600, -32601, -32602, -32001, -32004, -32005, -32008, -32009])(
    '%i is a refusal',
    async (code) => {
      expect(await sent(error(code))).toEqual({ kind: 'refused', reason: `a2a ${code}`, code });
      expect(await sent(error(code, 400))).toMatchObject({ kind: 'refused', code });
    },
  );

  test.each([-32603, -32006, -32050, -32000])(
    '%i comes from within: it may have begun',
    async (code) => {
      const reason = `a2a ${code}`;
      expect(await sent(error(code))).toEqual({ kind: 'outcome_unknown', reason, code });
    },
  );

  test('-32000 can mean anything, so the status decides', async () => {
    expect(await sent(error(-32000, 401))).toEqual({
      kind: 'refused',
      reason: 'http 401',
      code: 401,
    });
    expect(await sent(error(-32000, 429))).toMatchObject({ kind: 'refused', code: 429 });
    expect(await sent(error(-32603, 400))).toMatchObject({ kind: 'outcome_unknown' });
  });
});

describe('of a task', () => {
  test('the answer to a cancel is about that task, or says nothing', async () => {
    const { remote } = await remoteThat((request, response) =>
      json(response, result(request, { ...done, id: 'task-2' })),
    );
    const outcome = await adapter().agents.cancel(remote, operation);
    expect(outcome).toEqual({ kind: 'outcome_unknown', reason: 'other task' });
  });

  test('only a whole answer of its own can be unusable', async () => {
    const unusable = (reason: string) => ({ kind: 'unusable', reason });
    expect(await looked(body('application/json', '{"half":'))).toEqual(unusable('malformed'));
    expect(await looked(body('application/json', '{}'))).toEqual(unusable('malformed'));
    expect(await looked(body('application/json', ' '.repeat(70_000)))).toEqual(
      unusable('too large'),
    );
    const other = await looked((request, response) =>
      json(response, result(request, { ...done, id: 'task-2' })),
    );
    expect(other).toEqual(unusable('other task'));
  });

  test('a page of a proxy on the way, or half an answer, is a failed look', async () => {
    const failed = { kind: 'failed', reason: 'malformed' };
    expect(await looked(body('text/html', '<html>Back soon.</html>'))).toEqual(failed);
    const cut = await looked((_, response) => {
      response.useChunkedEncodingByDefault = false;
      response.shouldKeepAlive = false;
      response.writeHead(200, { 'content-type': 'application/json', connection: 'close' });
      response.end('{"jsonrpc":"2.0","id":1,"res');
    });
    expect(cut).toEqual(failed);
  });

  test('an error that is large is still an error', async () => {
    const outcome = await looked(body('text/html', 'x'.repeat(100_000), 502));
    expect(outcome).toEqual({ kind: 'failed', reason: 'http 502', code: 502 });
  });

  test('-32603 is a failed look, and so is a 404 that A2A knows nothing of', async () => {
    const internal = { jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'Oops' } };
    expect(await looked(body('application/json', JSON.stringify(internal)))).toEqual({
      kind: 'failed',
      reason: 'a2a -32603',
      code: -32603,
    });
    const outcome = await looked(body('text/html', 'Not here.', 404), { binding: 'HTTP+JSON' });
    expect(outcome).toEqual({ kind: 'failed', reason: 'http 404', code: 404 });
  });

  test('all that it holds comes along', async () => {
    const task = {
      ...done,
      status: {
        state: 'TASK_STATE_COMPLETED',
        message: {
          messageId: 'm',
          role: 'ROLE_USER',
          parts: [{ text: 'Done.' }],
          metadata: { a: 1 },
          referenceTaskIds: ['r'],
        },
      },
      artifacts: [
        {
          artifactId: 'a',
          name: 'A',
          description: 'The first.',
          extensions: ['https://x.example'],
          metadata: { b: [1] },
          parts: [
            { text: '', mediaType: 'text/plain' },
            { raw: 'AAEC', filename: 'bytes' },
            { url: 'https://files.example/1' },
            { data: { x: null }, metadata: { c: true } },
            { data: null },
          ],
        },
      ],
      history: [{ messageId: 'h', role: 'ROLE_USER', parts: [{ text: 'not asked for' }] }],
    };
    const outcome = await looked((request, response) => json(response, result(request, task)));
    expect(outcome).toMatchObject({
      kind: 'task',
      task: {
        ref: operation,
        state: 'COMPLETED',
        message: {
          messageId: 'm',
          role: 'agent',
          parts: [{ text: 'Done.' }],
          metadata: { a: 1 },
          referenceTaskIds: ['r'],
        },
        artifacts: [
          {
            artifactId: 'a',
            name: 'A',
            description: 'The first.',
            extensions: ['https://x.example'],
            metadata: { b: [1] },
            parts: [
              { text: '', mediaType: 'text/plain' },
              { raw: Buffer.from([0, 1, 2]), filename: 'bytes' },
              { url: 'https://files.example/1' },
              { data: { x: null }, metadata: { c: true } },
              { data: null },
            ],
          },
        ],
      },
    });
  });

  test('nesting that would exhaust a reader is nothing that can be used', async () => {
    for (const [depth, kind] of [
      [20, 'task'],
      [20_000, 'unusable'],
    ] as const) {
      const outcome = await looked((request, response) => {
        const artifacts = [{ artifactId: 'a', parts: [{ data: 'HERE' }] }];
        const text = JSON.stringify(result(request, { ...done, artifacts }));
        const nested = '['.repeat(depth) + ']'.repeat(depth);
        return body('application/json', text.replace('"HERE"', nested))(request, response);
      });
      expect(outcome.kind).toBe(kind);
    }
  });

  test('a task without a status is still open', async () => {
    const { id, contextId } = done;
    const outcome = await looked((request, response) =>
      json(response, result(request, { id, contextId })),
    );
    expect(outcome).toMatchObject({ kind: 'task', task: { state: 'UNKNOWN' } });
  });

  test('a list that does not keep to our context says nothing', async () => {
    const { remote } = await remoteThat((request, response) =>
      json(response, result(request, { tasks: [done, { ...done, contextId: 'another' }] })),
    );
    expect(await adapter().agents.find(remote, 'context')).toBeUndefined();
  });
});
