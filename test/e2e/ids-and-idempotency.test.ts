import { readdir } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { BINDINGS, Client } from './client.ts';
import { useOracle } from './oracle.ts';
import { type Server, STORE, useFleet } from './server.ts';
import { artifactIds, stateOf, textOf } from './wire.ts';

const fleet = useFleet();
/**
 * What lay beside the data folders before: the machine may have used these names for something
 * else.
 */
const present = new Set(await readdir(tmpdir()));
const oracle = useOracle();
let server: Server;
let client: Client;
let other: Client;

beforeAll(async () => {
  // No caller is authenticated here, so retries are recognised for all of them.
  const args = ['--idempotency', 'always'];
  server = await fleet.start({ args });
  client = new Client(server, oracle);
  other = new Client(await fleet.start({ data: server.data, args }), oracle);
});

describe('D1: a retry after a lost answer', () => {
  test('the same message answers the same task, also in 10 at once through two instances', async () => {
    const sending = { messageId: 'd1', contextId: 'd1' };
    const first = await client.send('steps=2 delay=20', sending);
    const retries = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        (at % 2 === 0 ? client : other).send('steps=2 delay=20', sending),
      ),
    );
    for (const retry of retries) expect(retry).toEqual(first);
    expect((await client.list({ contextId: 'd1' })).totalSize).toBe(1);
  });

  test('10 first deliveries at once make one task', async () => {
    const sending = { messageId: 'd1-race', contextId: 'd1-race' };
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        (at % 2 === 0 ? client : other).send('steps=2 delay=20', sending),
      ),
    );
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect(new Set(answers.map(stateOf))).toEqual(new Set(['COMPLETED']));
    expect((await client.list({ contextId: 'd1-race' })).totalSize).toBe(1);
  });

  test('a client that was reset while it waited gets its task by asking again', async () => {
    const sending = { messageId: 'd1-reset', contextId: 'd1-reset' };
    const stream = await client.stream('steps=4 delay=30', sending);
    await stream.next();
    stream.reset();
    const again = await client.stream('steps=4 delay=30', sending);
    await again.all();
    expect(oracle.idOf(again)).toBe(oracle.idOf(stream));
    expect(again.names().at(-1)).toBe('COMPLETED');
    expect((await client.list({ contextId: 'd1-reset' })).totalSize).toBe(1);
  });

  test('the same id with another body is refused, and changes nothing', async () => {
    const first = await client.send('steps=1', { messageId: 'd1-body' });
    await expect(client.send('steps=2', { messageId: 'd1-body' })).rejects.toMatchObject({
      code: -32602,
    });
    expect(await client.get(first.id)).toEqual(first);
  });

  test('a retried answer to a question is taken once', async () => {
    const { id: taskId } = await client.send('ask', { messageId: 'd1-question' });
    const sending = { taskId, messageId: 'd1-answer' };
    const answers = await Promise.all([
      client.send('red', sending),
      other.send('red', sending),
      client.send('red', sending),
    ]);
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect((answers[0]?.history ?? []).map(textOf)).toEqual([
      'ask',
      'Which colour?',
      'red',
      'you said red',
    ]);
  });
});

describe.each(BINDINGS)('D2, D4, D7: a message to what is not there (%s)', (binding) => {
  test('a task id with the wrong context is refused and nothing is stored', async () => {
    const each = new Client(server, oracle, binding);
    const asking = await each.send('ask');
    const wrong = each.send('red', { taskId: asking.id, contextId: 'elsewhere' });
    await expect(wrong).rejects.toMatchObject({ code: -32602 });
    expect(await each.get(asking.id)).toEqual(asking);
    expect((await each.list({ contextId: 'elsewhere' })).totalSize).toBe(0);
  });

  test('an unknown task id makes no task', async () => {
    const each = new Client(server, oracle, binding);
    const before = (await each.list()).totalSize;
    for (const taskId of [crypto.randomUUID(), 'mine', '../x']) {
      const contextId = 'd4';
      await expect(each.send('x', { taskId, contextId })).rejects.toMatchObject({ code: -32001 });
      await expect(each.stream('x', { taskId })).rejects.toMatchObject({ code: -32001 });
    }
    expect((await each.list()).totalSize).toBe(before);
  });

  test('a finished task takes no message; a new one in its context does', async () => {
    const each = new Client(server, oracle, binding);
    const done = await each.send('steps=1');
    const refused = each.send('more', { taskId: done.id });
    await expect(refused).rejects.toMatchObject({ code: -32004 });
    expect(await each.get(done.id)).toEqual(done);
    const next = await each.send('steps=1', { contextId: done.contextId });
    expect(next.id).not.toBe(done.id);
    expect(next.contextId).toBe(done.contextId);
  });
});

describe('D6: the answer to a question', () => {
  test('goes to the same task, which works on and ends', async () => {
    const asked = await client.send('ask');
    expect(stateOf(asked)).toBe('INPUT_REQUIRED');
    expect(textOf(asked.status.message)).toBe('Which colour?');
    const stream = await client.stream('steps=1 red', { taskId: asked.id });
    await stream.all();
    // The snapshot comes after the answer was taken, so it may be WORKING already.
    expect(stream.names().filter((name) => !name.endsWith('WORKING'))).toEqual([
      'artifact step-1',
      'COMPLETED',
    ]);
    expect(stream.names()[0]).toMatch(/^task (SUBMITTED|WORKING)$/);
    const task = await client.get(asked.id);
    expect(textOf(task.status.message)).toBe('you said steps=1 red');
    expect(artifactIds(task)).toEqual(['step-1']);
  });
});

describe('D9: the context of the caller', () => {
  test.each(BINDINGS)(
    'is echoed unchanged; without one the server makes one and keeps it (%s)',
    async (binding) => {
      const each = new Client(server, oracle, binding);
      const contextId = `Mine.1_2~3:4@5=6+7-${binding}`;
      expect((await each.send('steps=1', { contextId })).contextId).toBe(contextId);
      const stream = await each.stream('steps=1', { contextId });
      for (const { event } of await stream.all())
        expect(JSON.stringify(event)).toContain(contextId);
      const { id, contextId: made } = await each.send('steps=1');
      expect(made).not.toBe('');
      expect((await each.get(id)).contextId).toBe(made);
    },
  );
});

const HOSTILE = [
  '../x',
  '..%2fx',
  'a/b',
  'a\\b',
  'nul\0byte',
  'right\u202eleft',
  'x'.repeat(10_240),
  '.',
  '..',
  '__x__',
  ' ',
  'a b',
  'é',
  '\ud800',
  'con\ntrol',
];

describe.each(BINDINGS)('D10: ids that would be paths (%s)', (binding) => {
  test.each(HOSTILE.map((id) => [JSON.stringify(id).slice(0, 24), id]))(
    '%s is no context and no task',
    async (_, id) => {
      const each = new Client(server, oracle, binding);
      await expect(each.send('steps=1', { contextId: id })).rejects.toMatchObject({ code: -32602 });
      await expect(each.stream('steps=1', { contextId: id })).rejects.toMatchObject({
        code: -32602,
      });
      // No URL can hold these as a segment: clients resolve dots away, and half a surrogate pair
      // has no UTF-8.
      if (binding === 'rest' && ['.', '..', '\ud800'].includes(id)) return;
      const code = expect.toSatisfy((value: number) => [-32001, -32602, -32601].includes(value));
      await expect(each.get(id)).rejects.toMatchObject({ code });
      await expect(each.cancel(id)).rejects.toMatchObject({ code });
      await expect(each.subscribe(id)).rejects.toMatchObject({ code });
      await expect(each.send('x', { taskId: id })).rejects.toMatchObject({ code });
    },
  );

  test('an empty context is none; two that differ in case are two', async () => {
    const each = new Client(server, oracle, binding);
    expect((await each.send('steps=1', { contextId: '' })).contextId).not.toBe('');
    await each.send('steps=1', { contextId: `case-${binding}` });
    expect((await each.list({ contextId: `CASE-${binding}` })).totalSize).toBe(0);
  });
});

describe('D10: raw paths', () => {
  test.each([
    '/tasks/%2e',
    '/tasks/%2e%2e',
    '/tasks/..%2f..%2fstore.sqlite',
    '/tasks/%00',
    '/tasks/%ff',
    '/tasks/../../etc/passwd',
    '//tasks//x',
  ])('%s is nothing', async (path) => {
    const { hostname, port } = new URL(server.url);
    const headers = { 'A2A-Version': '1.0' };
    const status = await new Promise((resolve, reject) => {
      get({ hostname, port, path, headers, agent: false }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).on('error', reject);
    });
    expect(status).toBe(404);
  });
});

describe.skipIf(STORE === 'google')('D10: on the disk', () => {
  test('nothing lies outside the data folder, and every object under its two prefixes', async () => {
    const names = await readdir(server.data, { recursive: true });
    const objects = names.filter((name) => name.startsWith('objects'));
    expect(names.every((name) => !name.split('/').includes('..'))).toBe(true);
    expect(objects.length).toBeGreaterThan(0);
    const siblings = await readdir(join(server.data, '..'));
    const named = siblings.filter((name) => ['x', 'a', 'b'].includes(name));
    expect(named.filter((name) => !present.has(name))).toEqual([]);
  });
});

describe('D11: history over several turns', () => {
  test('holds every turn, and one reader that wants little takes nothing from the others', async () => {
    const { id: taskId } = await client.send('ask=2');
    await client.send('ask=2 first', { taskId });
    await client.send('events=2 second', { taskId });
    const all = await client.get(taskId);
    expect((all.history ?? []).map(textOf).map((text) => text?.trim())).toEqual([
      'ask=2',
      'Which colour?',
      'ask=2 first',
      'Which colour?',
      'events=2 second',
      'event 1',
      'event 2',
      'you said events=2 second',
    ]);
    expect((await client.get(taskId, 1)).history?.map(textOf)).toEqual([
      'you said events=2 second',
    ]);
    expect((await client.get(taskId, 0)).history ?? []).toEqual([]);
    expect(await client.get(taskId)).toEqual(all);
    expect(await other.get(taskId)).toEqual(all);
  });
});
