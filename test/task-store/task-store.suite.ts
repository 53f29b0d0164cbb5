import { randomUUID } from 'node:crypto';
import { Task, TaskState } from '@a2a-js/sdk';
import type { TaskStore } from '@a2a-js/sdk/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asked, callOf, ids, messages, said, taskWith } from './tasks.ts';

export interface OpenedTaskStore {
  readonly store: TaskStore;
  close(): Promise<void>;
}

const anonymous = callOf();
const ended = { state: 'TASK_STATE_COMPLETED', timestamp: '2026-01-02T03:04:06.000Z' };
const at = (second: number, state = 'TASK_STATE_COMPLETED') => ({
  status: { state, timestamp: `2026-01-02T03:04:${String(second).padStart(2, '0')}.000Z` },
});

/** What the SDK's handler may rely on, whatever store it has. Each test has callers of its own. */
export function taskStoreSuite(name: string, open: () => Promise<OpenedTaskStore>): void {
  describe(`${name}: a task store`, () => {
    let opened: OpenedTaskStore;
    let store: TaskStore;
    beforeAll(async () => {
      opened = await open();
      ({ store } = opened);
    });
    afterAll(() => opened.close());

    const save = async (fields: object, call = anonymous): Promise<Task> => {
      const task = taskWith(fields);
      await store.save(task, call);
      return task;
    };

    test('a task comes back as it was saved, with every kind of part', async () => {
      const parts = [
        { text: 'words' },
        { raw: 'AAEC/w==', mediaType: 'application/octet-stream', filename: 'b.bin' },
        { url: 'https://example.com/a' },
        { data: { deep: [1, null, { '': 'x' }] }, metadata: { b: 1, a: 2 } },
      ];
      const task = await save({
        artifacts: [{ artifactId: 'a-1', name: 'one', parts, metadata: { z: 1, a: 'ä' } }],
        history: [{ messageId: 'm-1', role: 'ROLE_USER', parts }],
        metadata: { note: 'with "quotes" \u{1f600}', none: null },
      });
      const loaded = await store.load(task.id, anonymous);
      if (loaded === undefined) throw new Error('it was saved');
      // The SDK's store in memory makes Uint8Arrays of Buffers; on the wire both are the same.
      expect(JSON.stringify(Task.toJSON(loaded))).toBe(JSON.stringify(Task.toJSON(task)));
    });

    test('what was never saved is not there', async () => {
      expect(await store.load(randomUUID(), anonymous)).toBeUndefined();
    });

    test.each(['a/b', '..', '.', '../../secret', 'a\0b', 'x'.repeat(1_000), '\ud800', ''])(
      'an id of any form names nothing else: %j',
      async (id) => {
        const task = await save({});
        expect(await store.load(id, anonymous)).toBeUndefined();
        expect(await store.load(`${task.id}/${id}`, anonymous)).toBeUndefined();
        const list = await store.list(asked({ contextId: id === '' ? 'none' : id }), anonymous);
        expect(list.tasks).toEqual([]);
      },
    );

    test('a later save is what is loaded', async () => {
      const task = await save({ history: [said('m-1')] });
      const loaded = await store.load(task.id, anonymous);
      if (loaded === undefined) throw new Error('it was saved');
      loaded.history.push(said('m-2'));
      loaded.status = Task.fromJSON({ status: ended }).status;
      loaded.metadata = { step: 2 };
      await store.save(loaded, anonymous);
      const again = await store.load(task.id, anonymous);
      expect(again).toEqual(loaded);
      expect(messages(again)).toEqual(['m-1', 'm-2']);
    });

    test('neither what was saved nor what was loaded changes what is stored', async () => {
      const task = await save({ metadata: { list: [1] }, history: [said('m-1')] });
      const before = structuredClone(task);
      task.history.pop();
      (await store.load(task.id, anonymous))?.history.pop();
      const [listed] = (await store.list(asked({ contextId: task.contextId }), anonymous)).tasks;
      listed?.history.pop();
      expect(await store.load(task.id, anonymous)).toEqual(before);
    });

    test('two callers, and two tenants of one, never meet, even with equal ids (G23)', async () => {
      const fields = { id: randomUUID(), contextId: randomUUID() };
      const calls = [
        callOf('ada'),
        callOf('bob'),
        callOf('ada', 'red'),
        callOf('', 'red'),
        callOf(),
        callOf('Ada'),
      ];
      for (const [n, call] of calls.entries()) await save({ ...fields, metadata: { n } }, call);
      for (const [n, call] of calls.entries()) {
        expect((await store.load(fields.id, call))?.metadata).toEqual({ n });
        const { tasks, totalSize } = await store.list(asked(fields), call);
        expect([tasks.map(({ metadata }) => metadata), totalSize]).toEqual([[{ n }], 1]);
      }
      expect(await store.load(fields.id, callOf('eve'))).toBeUndefined();
      expect((await store.list(asked(), callOf('eve'))).totalSize).toBe(0);
    });

    test('a list is newest first, then by id, each task once over the pages', async () => {
      const call = callOf(randomUUID());
      const [a = '', b = '', c = ''] = [randomUUID(), randomUUID(), randomUUID()].sort();
      for (const [id, second] of [
        [b, 2],
        [a, 2],
        [c, 2],
      ] as const) {
        await save({ id, ...at(second) }, call);
      }
      const old = await save(at(1), call);
      const young = await save(at(3), call);
      const all = await store.list(asked(), call);
      expect(ids(all.tasks)).toEqual([young.id, c, b, a, old.id]);
      expect([all.totalSize, all.pageSize, all.nextPageToken]).toEqual([5, 50, '']);
      const walked: string[] = [];
      for (let pageToken = ''; ; ) {
        const page = await store.list(asked({ pageSize: 2, pageToken }), call);
        expect(page.totalSize).toBe(5);
        walked.push(...ids(page.tasks));
        pageToken = page.nextPageToken;
        if (pageToken === '') break;
        expect(page.tasks).toHaveLength(2);
      }
      expect(walked).toEqual(ids(all.tasks));
    });

    test('a last page that is full says that it is the last', async () => {
      const call = callOf(randomUUID());
      await save(at(1), call);
      await save(at(2), call);
      const page = await store.list(asked({ pageSize: 2 }), call);
      expect([page.tasks.length, page.nextPageToken]).toEqual([2, '']);
    });

    test('a list is filtered by context, state and time, by each alone and by all', async () => {
      const call = callOf(randomUUID());
      const contextId = randomUUID();
      const old = await save({ contextId, ...at(1) }, call);
      const failed = await save({ contextId, ...at(2, 'TASK_STATE_FAILED') }, call);
      const open = await save({ contextId, ...at(3, 'TASK_STATE_WORKING') }, call);
      const other = await save(at(4), call);
      const found = async (fields: Parameters<typeof asked>[0]) => {
        const { tasks, totalSize } = await store.list(asked(fields), call);
        expect(totalSize).toBe(tasks.length);
        return ids(tasks);
      };
      const completed = TaskState.TASK_STATE_COMPLETED;
      expect(await found({ contextId })).toEqual([open.id, failed.id, old.id]);
      expect(await found({ status: completed })).toEqual([other.id, old.id]);
      // Strictly later.
      const statusTimestampAfter = '2026-01-02T03:04:02.000Z';
      expect(await found({ statusTimestampAfter })).toEqual([other.id, open.id]);
      expect(await found({ contextId, status: completed })).toEqual([old.id]);
      expect(await found({ contextId, status: completed, statusTimestampAfter })).toEqual([]);
      expect(await found({ contextId: randomUUID() })).toEqual([]);
    });

    test('a task without a time comes last, and no time filter finds it', async () => {
      const call = callOf(randomUUID());
      const timeless = await save({ status: { state: 'TASK_STATE_COMPLETED' } }, call);
      const timed = await save(at(1), call);
      expect(ids((await store.list(asked(), call)).tasks)).toEqual([timed.id, timeless.id]);
      const since = asked({ statusTimestampAfter: '1971-01-01T00:00:00Z' });
      expect(ids((await store.list(since, call)).tasks)).toEqual([timed.id]);
      const first = await store.list(asked({ pageSize: 1 }), call);
      const second = await store.list(asked({ pageToken: first.nextPageToken }), call);
      expect(ids(second.tasks)).toEqual([timeless.id]);
    });

    test('a list shows artifacts only where they are asked for, and the whole history', async () => {
      const call = callOf(randomUUID());
      const artifacts = [{ artifactId: 'a', parts: [{ text: 'x' }] }];
      const task = await save({ artifacts, history: [said('m-1'), said('m-2')] }, call);
      const [without] = (await store.list(asked(), call)).tasks;
      expect(without?.artifacts).toEqual([]);
      expect(messages(without)).toEqual(['m-1', 'm-2']);
      const [whole] = (await store.list(asked({ includeArtifacts: true }), call)).tasks;
      expect(whole).toEqual(task);
    });

    test('what is no token of a list is refused as malformed', async () => {
      const token = asked({ pageToken: Buffer.from('junk').toString('base64') });
      await expect(store.list(token, anonymous)).rejects.toThrow(
        expect.objectContaining({ name: 'RequestMalformedError' }),
      );
    });
  });
}
