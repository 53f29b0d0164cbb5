import { connect } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { defaults } from '../../shared/domain/settings.ts';
import { isRefused } from '../../shared/domain/refusal.ts';
import { FakeTaskService } from '../doubles/fake-task-service.ts';
import { detailsOf, request, rpc, say } from './calls.ts';
import { type EdgeServer, edgeServer } from './edge-server.ts';
import { openStream, shapeOf, type SseReader } from './sse.ts';

let edge: EdgeServer;
let closing: AbortController;
beforeEach(async () => {
  closing = new AbortController();
  edge = await edgeServer({ v03: true, closing: closing.signal });
});
afterEach(() => edge.close());

const { heartbeat, streamLife } = defaults;

async function holding(): Promise<string> {
  await rpc(edge, 'SendMessage', { ...say('hold'), configuration: { returnImmediately: true } });
  return edge.service.only().taskId;
}

async function shapes(stream: SseReader): Promise<string[]> {
  return (await stream.rest()).map(({ id, data }) => `${id ?? '-'} ${shapeOf(data)}`);
}

/** Until the server has noticed; each turn gives its sockets a chance. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => void setImmediate(resolve));
}

describe("a sender's stream", () => {
  test('begins with the task and ends with the terminal state, each event with its id', async () => {
    const stream = await openStream(edge, '/message:stream', say('hold'));
    expect(shapeOf((await stream.next())?.data ?? {})).toBe('task WORKING');
    const task = edge.service.only();
    task.artifact('a', [{ text: 'one' }], false, false);
    task.artifact('a', [{ text: 'two' }], true, true);
    task.to('COMPLETED', 'Done.', { reason: 'NONE' });
    const events = await stream.rest();
    expect(events.map(({ id }) => id)).toEqual(['2', '3', '4']);
    const { taskId, contextId } = task;
    expect(events.map(({ data }) => data)).toEqual([
      {
        artifactUpdate: {
          taskId,
          contextId,
          artifact: { artifactId: 'a', parts: [{ text: 'one' }] },
        },
      },
      {
        artifactUpdate: {
          taskId,
          contextId,
          artifact: { artifactId: 'a', parts: [{ text: 'two' }] },
          append: true,
          lastChunk: true,
        },
      },
      {
        statusUpdate: {
          taskId,
          contextId,
          status: {
            state: 'TASK_STATE_COMPLETED',
            timestamp: '2026-01-01T00:00:00.004Z',
            message: {
              messageId: 'agent-4',
              role: 'ROLE_AGENT',
              parts: [{ text: 'Done.' }],
              taskId,
              contextId,
            },
          },
          metadata: { reason: 'NONE' },
        },
      },
    ]);
  });

  test('ends where input is required', async () => {
    expect(await shapes(await openStream(edge, '/message:stream', say('ask')))).toEqual([
      '2 task INPUT_REQUIRED',
    ]);
  });

  test('stays open where authorisation is required', async () => {
    const stream = await openStream(edge, '/message:stream', say('auth'));
    expect(shapeOf((await stream.next())?.data ?? {})).toBe('task AUTH_REQUIRED');
    edge.service.only().to('WORKING');
    edge.service.only().to('COMPLETED');
    expect(await shapes(stream)).toEqual(['3 statusUpdate WORKING', '4 statusUpdate COMPLETED']);
  });

  test('of an answer on a task that asked does not end at the old question', async () => {
    await rpc(edge, 'SendMessage', say('ask'));
    const { taskId } = edge.service.only();
    const stream = await openStream(edge, '/message:stream', say('ask', { taskId }));
    expect(await shapes(stream)).toEqual(['4 task INPUT_REQUIRED']);
  });

  test('holds exactly one message when the agent answers with a message', async () => {
    const stream = await openStream(edge, '/message:stream', say('reply'));
    const events = await stream.rest();
    expect(events.map(({ id, data }) => [id, Object.keys(data)])).toEqual([
      [undefined, ['message']],
    ]);
    expect(events[0]?.data).toMatchObject({
      message: { role: 'ROLE_AGENT', contextId: expect.any(String) },
    });
  });

  test('cuts the history of its task to what was asked for', async () => {
    const params = { ...say('ask'), configuration: { historyLength: 0 } };
    const stream = await openStream(edge, '/message:stream', params);
    expect(JSON.stringify(await stream.next())).not.toContain('history');
  });

  test('asks the application for a stream behind its own message', async () => {
    await openStream(edge, '/message:stream', say('hello'));
    expect(edge.service.streams).toEqual([{ until: 'settled', afterRevision: 1 }]);
  });

  test('tells proxies to keep their hands off', async () => {
    const stream = await openStream(edge, '/message:stream', say('hello'));
    expect(stream.response.headers.get('x-accel-buffering')).toBe('no');
    expect(stream.response.headers.get('cache-control')).toBe('no-cache');
  });
});

describe('a subscription', () => {
  test('stays open at INPUT_REQUIRED and ends with the terminal state, by GET and by POST', async () => {
    await rpc(edge, 'SendMessage', say('ask'));
    const { taskId } = edge.service.only();
    const byGet = await openStream(edge, `/tasks/${taskId}:subscribe`);
    const byPost = await openStream(edge, `/tasks/${taskId}%3Asubscribe`, {});
    for (const stream of [byGet, byPost]) {
      expect(shapeOf((await stream.next())?.data ?? {})).toBe('task INPUT_REQUIRED');
    }
    edge.service.only().to('COMPLETED');
    expect(await shapes(byGet)).toEqual(['3 statusUpdate COMPLETED']);
    expect(await shapes(byPost)).toEqual(['3 statusUpdate COMPLETED']);
  });

  test('over JSON-RPC carries the id of its request in each event', async () => {
    const id = await holding();
    const call = { jsonrpc: '2.0', id: 'sub', method: 'SubscribeToTask', params: { id } };
    const stream = await openStream(edge, '/', call);
    expect((await stream.next())?.data).toMatchObject({ id: 'sub', result: { task: { id } } });
    edge.service.only().to('FAILED');
    expect((await stream.next())?.data).toMatchObject({
      id: 'sub',
      result: { statusUpdate: { taskId: id } },
    });
  });
});

describe('Last-Event-ID', () => {
  test('resumes behind that event: the task as it stood there without its content, then every later event once', async () => {
    const id = await holding();
    const task = edge.service.only();
    task.artifact('a', [{ text: 'missed' }]);
    const headers = { 'Last-Event-ID': '1' };
    const stream = await openStream(edge, `/tasks/${id}:subscribe`, undefined, headers);
    task.to('COMPLETED');
    const first = await stream.next();
    expect([first?.id, first?.data]).toEqual([
      '1',
      {
        task: {
          id,
          contextId: task.contextId,
          status: { state: 'TASK_STATE_WORKING', timestamp: expect.any(String) },
        },
      },
    ]);
    expect(await shapes(stream)).toEqual(['2 artifactUpdate', '3 statusUpdate COMPLETED']);
    expect(edge.service.streams).toEqual([{ until: 'terminal', afterSeq: 1 }]);
  });

  test('replays what is missing of a task that has ended meanwhile', async () => {
    const id = await holding();
    edge.service.only().to('COMPLETED');
    const headers = { 'Last-Event-ID': '1' };
    const stream = await openStream(edge, `/tasks/${id}:subscribe`, undefined, headers);
    const [task, event] = await stream.rest();
    const { contextId } = edge.service.only();
    expect(shapeOf(task?.data ?? {})).toBe('task WORKING');
    expect(event?.data).toMatchObject({ statusUpdate: { taskId: id, contextId } });
  });

  test('at the end of an ended task is refused like any subscription to it', async () => {
    const id = await holding();
    edge.service.only().to('COMPLETED');
    const headers = { 'Last-Event-ID': '2' };
    const answer = await request(edge, 'GET', `/tasks/${id}:subscribe`, undefined, headers);
    expect(detailsOf(answer.body).reasons).toContain('holdfast/TASK_TERMINAL');
  });

  test('opens the stream at once, though nothing new is to be said yet', async () => {
    const id = await holding();
    const headers = { 'Last-Event-ID': '1' };
    const stream = await openStream(edge, `/tasks/${id}:subscribe`, undefined, headers);
    expect(shapeOf((await stream.next())?.data ?? {})).toBe('task WORKING');
    await edge.clock.advance(heartbeat);
    expect(await stream.comment()).toBe(': keep-alive');
    edge.service.only().to('COMPLETED');
    expect(await shapes(stream)).toEqual(['2 statusUpdate COMPLETED']);
  });

  test.each(['abc', '-1', '1.5', '99999999999999999'])('%j is refused by name', async (value) => {
    const id = await holding();
    const headers = { 'Last-Event-ID': value };
    const answer = await request(edge, 'GET', `/tasks/${id}:subscribe`, undefined, headers);
    expect(answer.status).toBe(400);
    expect(detailsOf(answer.body).fields).toEqual(['Last-Event-ID']);
  });

  test('for a task of another caller says that there is none', async () => {
    const id = await holding();
    const headers = { 'Last-Event-ID': '0' };
    const answer = await request(edge, 'GET', `/acme/tasks/${id}:subscribe`, undefined, headers);
    expect(answer.status).toBe(404);
  });
});

describe('an idle stream', () => {
  test('shows a sign of life each heartbeat', async () => {
    const stream = await openStream(edge, '/message:stream', say('hold'));
    await stream.next();
    for (let beat = 0; beat < 3; beat++) {
      await edge.clock.advance(heartbeat);
      expect(await stream.comment()).toBe(': keep-alive');
    }
    edge.service.only().to('COMPLETED');
    expect(await shapes(stream)).toEqual(['2 statusUpdate COMPLETED']);
  });

  test('is closed as planned at the end of its life, and says how to go on', async () => {
    const stream = await openStream(edge, '/message:stream', say('hold'));
    await stream.next();
    await edge.clock.advance(streamLife);
    expect(await stream.next()).toBeUndefined();
    expect(stream.comments.at(-1)).toBe(': closing, resume with Last-Event-ID');
    expect(edge.service.only().terminal).toBe(false);
    expect([edge.service.only().waiting, edge.clock.waiting]).toEqual([0, 0]);
  });

  test('is closed as planned when the process is about to go, whatever its protocol', async () => {
    const part = { kind: 'text', text: 'hold' };
    const params = { message: { kind: 'message', messageId: 'm', role: 'user', parts: [part] } };
    const call = { jsonrpc: '2.0', id: 1, method: 'message/stream', params };
    const streams = [
      await openStream(edge, '/message:stream', say('hold')),
      await openStream(edge, '/', { ...call, method: 'SendStreamingMessage', params: say('hold') }),
      await openStream(edge, '/', call, { 'A2A-Version': '0.3' }),
    ];
    for (const stream of streams) await stream.next();
    closing.abort();
    for (const stream of streams) {
      expect(await stream.next()).toBeUndefined();
      expect(stream.comments).toEqual([': closing, resume with Last-Event-ID']);
    }
  });
});

describe('a client that goes away', () => {
  test('frees everything its stream held, and the task goes on', async () => {
    const stream = await openStream(edge, '/message:stream', say('hold'));
    await stream.next();
    const task = edge.service.only();
    expect([task.waiting, edge.clock.waiting]).toEqual([1, 2]);
    stream.leave();
    await until(() => task.waiting === 0);
    await until(() => edge.clock.waiting === 0);
    expect(task.state).toBe('WORKING');
  });

  test('takes no other stream with it', async () => {
    const id = await holding();
    const [one, two] = [
      await openStream(edge, `/tasks/${id}:subscribe`),
      await openStream(edge, `/tasks/${id}:subscribe`),
    ];
    await one.next();
    await two.next();
    one.leave();
    await until(() => edge.service.only().waiting === 1);
    edge.service.only().to('COMPLETED');
    expect(await shapes(two)).toEqual(['2 statusUpdate COMPLETED']);
  });

  test('ends the wait of its blocking call', async () => {
    const abort = new AbortController();
    const call = fetch(`${edge.url}/message:send`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'A2A-Version': '1.0' },
      body: JSON.stringify(say('hold')),
      signal: abort.signal,
    });
    await until(() => edge.service.tasks.size === 1 && edge.service.only().waiting === 1);
    abort.abort();
    await expect(call).rejects.toThrow();
    await until(() => edge.service.only().waiting === 0);
  });
});

test('a blocking call answers with the task as it stands when the process is about to go', async () => {
  const call = request(edge, 'POST', '/message:send', say('hold'));
  await until(() => edge.service.tasks.size === 1 && edge.service.only().waiting === 1);
  closing.abort();
  expect((await call).body).toMatchObject({ task: { status: { state: 'TASK_STATE_WORKING' } } });
});

test('a stream that carried as much as one answer may ends as planned, behind a whole event', async () => {
  await edge.close();
  edge = await edgeServer({ settings: { ...defaults, streamBytes: 1_000 } });
  const stream = await openStream(edge, '/message:stream', say('hold'));
  await stream.next();
  const task = edge.service.only();
  task.artifact('a', [{ text: 'x'.repeat(2_000) }]);
  expect(shapeOf((await stream.next())?.data ?? {})).toBe('artifactUpdate');
  expect(await stream.next()).toBeUndefined();
  expect(stream.comments.at(-1)).toBe(': closing, resume with Last-Event-ID');
  expect([task.terminal, task.waiting, edge.clock.waiting]).toEqual([false, 0, 0]);
});

test('a stream holds nothing of what it has sent', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const held: WeakRef<object>[] = [];
  const service = new FakeTaskService();
  const stream = service.stream.bind(service);
  service.stream = async (...given) => {
    const frames = await stream(...given);
    if (isRefused(frames)) return frames;
    const passed = frames[Symbol.asyncIterator]();
    return {
      [Symbol.asyncIterator]: () => ({
        async next() {
          const next = await passed.next();
          if (next.done !== true) held.push(new WeakRef(next.value));
          return next;
        },
        return: () => Promise.resolve({ done: true, value: undefined }),
      }),
    };
  };
  await edge.close();
  edge = { ...(await edgeServer({ service })), service };
  const id = await holding();
  const streams = [
    await openStream(edge, `/tasks/${id}:subscribe`),
    await openStream(edge, `/tasks/${id}:subscribe`, undefined, { 'Last-Event-ID': '0' }),
  ];
  for (const each of streams) await each.next();
  await until(() => service.only().waiting === 2);
  collect();
  expect(held.length).toBeGreaterThanOrEqual(2);
  expect(held.filter((each) => each.deref() !== undefined)).toEqual([]);
});

test('a slow client is waited for, and nothing piles up meanwhile', async () => {
  await edge.close();
  edge = await edgeServer({ settings: { ...defaults, streamBytes: 128 * 1024 * 1024 } });
  const id = await holding();
  const task = edge.service.only();
  const socket = connect(Number(new URL(edge.url).port), '127.0.0.1');
  socket.pause();
  socket.write(`GET /tasks/${id}:subscribe?A2A-Version=1.0 HTTP/1.1\r\nHost: x\r\n\r\n`);
  await until(() => task.waiting === 1);
  const megabyte = 'x'.repeat(1024 * 1024);
  // The kernel's buffers take some; far from all that the task says.
  for (let count = 0; count < 64; count++) task.artifact(`a${count}`, [{ text: megabyte }]);
  const response = edge.responses.at(-1);
  await until(() => response?.writableNeedDrain === true);
  expect(response?.writableLength).toBeLessThan(3 * 1024 * 1024);
  let received = 0;
  socket.on('data', (data: Buffer) => {
    received += data.length;
  });
  task.to('COMPLETED');
  socket.resume();
  await until(() => response?.writableFinished === true && received > 64 * 1024 * 1024);
  socket.destroy();
  await once(socket, 'close');
});

test('a fault in the middle of a stream is an event of the binding, without internals', async () => {
  const id = await holding();
  const task = edge.service.only();
  const stream = await openStream(edge, `/tasks/${id}:subscribe`);
  await stream.next();
  task.break(new Error('secret db password'));
  const event = await stream.next();
  expect([event?.event, event?.id]).toEqual(['error', undefined]);
  expect(event?.data).toMatchObject({ error: { code: 500, status: 'INTERNAL' } });
  expect(JSON.stringify(event)).not.toContain('secret');
  expect(await stream.next()).toBeUndefined();
});

test('an event that would be too much beside what was sent comes first in the next stream', async () => {
  await edge.close();
  edge = await edgeServer({ settings: { ...defaults, streamBytes: 200_000 } });
  const first = await openStream(edge, '/message:stream', say('hold'));
  await first.next();
  const task = edge.service.only();
  for (const id of ['a', 'b']) task.artifact(id, [{ text: id.repeat(150_000) }]);
  task.artifact('c', [{ text: 'c'.repeat(190_000) }]);
  task.to('COMPLETED');
  const artifactOf = (event: { readonly data: object } | undefined) =>
    JSON.stringify(event?.data).match(/"artifactId":"(\w)"/)?.[1];
  let stream = first;
  const seen: (string | undefined)[] = [];
  let last = '';
  for (let streams = 0; streams < 4 && seen.length < 3; streams += 1) {
    for (let event = await stream.next(); event !== undefined; event = await stream.next()) {
      last = event.id ?? last;
      if (artifactOf(event) !== undefined) seen.push(artifactOf(event));
    }
    if (seen.length < 3) {
      expect(stream.comments.at(-1)).toBe(': closing, resume with Last-Event-ID');
      stream = await openStream(edge, `/tasks/${task.taskId}:subscribe`, undefined, {
        'Last-Event-ID': last,
      });
    }
  }
  expect(seen).toEqual(['a', 'b', 'c']);
});
