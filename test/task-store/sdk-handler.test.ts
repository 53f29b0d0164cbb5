import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type StorageEmulator, startStorageEmulator } from '../../emulators/storage/start.ts';
import { SdkProcess } from './sdk-process.ts';

let emulator: StorageEmulator;
let folder: string;
beforeAll(async () => {
  emulator = await startStorageEmulator();
  folder = mkdtempSync(join(tmpdir(), 'holdfast-sdk-'));
});
afterAll(async () => {
  await emulator.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

const PLACES: Readonly<Record<string, () => readonly string[]>> = {
  'a folder': () => ['folder', join(folder, randomUUID())],
  // As `npm start -- --store google` has it.
  'the storage emulator': () => {
    const bucket = `b-${randomUUID()}`;
    emulator.buckets.create(bucket, true);
    return ['bucket', bucket, emulator.url];
  },
};

describe.each(Object.entries(PLACES))("the SDK's own handler over %s", (_, place) => {
  const running: SdkProcess[] = [];
  const start = async (args: readonly string[]): Promise<SdkProcess> => {
    const server = new SdkProcess(args);
    running.push(server);
    return server.start();
  };
  afterEach(async () => {
    for (const server of running.splice(0)) await server.kill();
  });

  test('answers GetTask and ListTasks with the same bytes after a kill and a restart', async () => {
    const server = await start(place());
    const done = await server.send('a house');
    const asking = await server.send('ask');
    const working = await server.send('hold', { wait: false });
    await expect.poll(async () => (await server.get(working.id)).status.state).toMatch(/WORKING/);
    const texts = async () => [
      ...(await Promise.all(
        [done, asking, working].map(({ id }) => server.text('GetTask', { id })),
      )),
      await server.text('ListTasks', { includeArtifacts: true }),
    ];
    const before = await texts();
    expect(before[0]).toContain('made of a house');
    expect([done, asking].map(({ status }) => status.state)).toEqual([
      'TASK_STATE_COMPLETED',
      'TASK_STATE_INPUT_REQUIRED',
    ]);
    await server.restart();
    expect(await texts()).toEqual(before);
  });

  test('goes on after a kill with a question that was asked before it', async () => {
    const server = await start(place());
    const asking = await server.send('ask');
    await server.restart();
    const answered = await server.send('blue', { taskId: asking.id });
    expect(answered).toMatchObject({ id: asking.id, status: { state: 'TASK_STATE_COMPLETED' } });
    const ids = (await server.get(asking.id)).history?.map(({ messageId }) => messageId) ?? [];
    expect([ids.length, new Set(ids).size]).toEqual([4, 4]);
  });

  test('keeps a context to one open task, through a kill, until it is cancelled (G19)', async () => {
    const server = await start(place());
    const contextId = randomUUID();
    const first = await server.send('hold', { contextId, wait: false });
    for (const wait of [true, false]) {
      const before = await server.started();
      const { error } = await server.trySend('second', { contextId, wait });
      expect(error).toMatchObject({
        code: -32004,
        data: [{ metadata: { reason: 'CONTEXT_BUSY', contextId, activeTaskId: first.id } }],
      });
      expect(await server.started()).toBe(before);
      expect((await server.list({ contextId })).tasks.map(({ id }) => id)).toEqual([first.id]);
      await server.restart();
    }
    await server.call('CancelTask', { id: first.id });
    const second = await server.send('second', { contextId });
    expect(second.status.state).toBe('TASK_STATE_COMPLETED');
  });

  test('refuses a second task also where the executor knows nothing of the store', async () => {
    const server = await start(place());
    const contextId = randomUUID();
    const first = await server.send('hold', { contextId, wait: false });
    const { error } = await server.trySend('plain', { contextId });
    expect(error).toMatchObject({ code: -32004, data: [{ metadata: { reason: 'CONTEXT_BUSY' } }] });
    expect((await server.list({ contextId })).tasks.map(({ id }) => id)).toEqual([first.id]);
    expect((await server.send('plain')).status.state).toBe('TASK_STATE_COMPLETED');
  });

  test('takes one of ten tasks that two servers are sent at once into one context', async () => {
    const args = place();
    const [one, other] = [await start(args), await start(args)];
    const contextId = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 10 }, async (_each, n) =>
        (n % 2 === 0 ? one : other).trySend('hold', { contextId, wait: false }),
      ),
    );
    const codes = answers.flatMap(({ error }) => (error === undefined ? [] : [error.code]));
    expect(codes).toEqual(Array(9).fill(-32004));
    const states = (await one.list({ contextId })).tasks.map(({ status }) => status.state);
    expect(states.filter((state) => state !== 'TASK_STATE_REJECTED')).toHaveLength(1);
    expect((await one.started()) + (await other.started())).toBe(1);
  });

  test('keeps CANCELED where another server cancels what this one works on', async () => {
    const args = place();
    const [working, cancelling] = [await start(args), await start(args)];
    const { id } = await working.send('hold', { wait: false });
    const cancelled = await cancelling.call('CancelTask', { id });
    expect(cancelled.result).toMatchObject({ status: { state: 'TASK_STATE_CANCELED' } });
    const before = await cancelling.text('GetTask', { id });
    await working.release();
    // Its executor has ended when it has worked on another task behind this one.
    await working.send('next');
    expect((await working.get(id)).status.state).toBe('TASK_STATE_CANCELED');
    expect(JSON.parse(await cancelling.text('GetTask', { id })).result.status).toEqual(
      JSON.parse(before).result.status,
    );
  });

  test('killed under load has each task that it answered, and takes a next one in every context', async () => {
    const server = await start(place());
    const answered = new Map<string, string>();
    const contexts = Array.from({ length: 24 }, () => randomUUID());
    const killed = Promise.withResolvers<void>();
    const senders = Promise.allSettled(
      Array.from({ length: 8 }, async (_each, sender) => {
        for (const contextId of contexts.filter((_context, n) => n % 8 === sender)) {
          const { id } = await server.send(`work ${contextId}`, { contextId });
          answered.set(id, await server.text('GetTask', { id }));
          if (answered.size >= 8) killed.resolve();
        }
      }),
    );
    await killed.promise;
    await server.kill();
    await senders;
    await server.start();
    for (const [id, text] of answered) expect(await server.text('GetTask', { id })).toBe(text);
    for (const contextId of contexts) {
      const open = (await server.list({ contextId })).tasks.filter(
        ({ status }) => !/COMPLETED|REJECTED/.test(status.state),
      );
      expect(open.length).toBeLessThan(2);
      for (const { id } of open) await server.call('CancelTask', { id });
      const next = await server.send('next', { contextId });
      expect(next.status.state).toBe('TASK_STATE_COMPLETED');
    }
  });

  test('shows each caller its own tasks, and a foreign id as an unknown one (G23)', async () => {
    const server = await start(place());
    const contextId = randomUUID();
    const [ada, bob] = [
      await server.send('of Ada', { user: 'ada', contextId }),
      await server.send('of Bob', { user: 'bob', contextId }),
    ];
    for (const [user, own, foreign] of [
      ['ada', ada, bob],
      ['bob', bob, ada],
    ] as const) {
      expect((await server.list({ contextId }, user)).tasks.map(({ id }) => id)).toEqual([own.id]);
      expect((await server.call('GetTask', { id: foreign.id }, user)).error?.code).toBe(-32001);
      expect((await server.call('CancelTask', { id: foreign.id }, user)).error?.code).toBe(-32001);
    }
    expect((await server.list({ contextId })).totalSize).toBe(0);
  });

  test('keeps push configurations over a kill, each with its task', async () => {
    const server = await start(place());
    const { id: taskId } = await server.send('hold', { wait: false });
    const config = { taskId, url: 'http://127.0.0.1:9/hook', token: 'a token' };
    const created = await server.call('CreateTaskPushNotificationConfig', config);
    await server.restart();
    const found = await server.call('ListTaskPushNotificationConfigs', { taskId });
    expect(found.result).toEqual({ configs: [created.result] });
    expect(created.result).toMatchObject(config);
  });

  test('refuses an id that no object can be named by with the field', async () => {
    const server = await start(place());
    const { error } = await server.trySend('x', { contextId: 'x'.repeat(201) });
    expect(error).toMatchObject({
      code: -32602,
      data: [{ metadata: { field: 'task.contextId' } }],
    });
    const odd = '../../a b/\u00e4';
    const task = await server.send('x', { contextId: odd });
    expect((await server.list({ contextId: odd })).tasks.map(({ id }) => id)).toEqual([task.id]);
  });
});

test("the SDK's own handler over a storage that loses answers stores each event once", async () => {
  const bucket = `b-${randomUUID()}`;
  emulator.buckets.create(bucket, true);
  let calls = 0;
  emulator.plan(() => {
    calls += 1;
    return calls % 4 === 0 ? 'lost-answer' : undefined;
  });
  const server = await new SdkProcess(['bucket', bucket, emulator.url]).start();
  try {
    const contextId = randomUUID();
    for (const text of ['one', 'two', 'three']) {
      const { id } = await server.send(text, { contextId });
      const answer = await server.text('GetTask', { id });
      expect(answer.split(`made of ${text}`)).toHaveLength(2);
      expect(answer.split(`done: ${text}`)).toHaveLength(3);
      expect((await server.get(id)).history).toHaveLength(2);
    }
    expect((await server.list({ contextId })).totalSize).toBe(3);
    expect(calls).toBeGreaterThan(40);
  } finally {
    emulator.plan(undefined);
    await server.kill();
  }
});
