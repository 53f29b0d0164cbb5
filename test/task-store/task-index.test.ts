import { randomUUID } from 'node:crypto';
import { type Task, TaskState } from '@a2a-js/sdk';
import { describe, expect, test } from 'vitest';
import { Unavailable } from '../../shared/ports/faults.ts';
import { GcsTaskStore, TaskIndex } from '../../shared/task-store/index.ts';
import { MemoryBackend } from '../../testing/memory-backend.ts';
import { MemoryBlobs } from '../../testing/memory-blobs.ts';
import { asked, callOf, ids, said, taskWith } from './tasks.ts';

const anonymous = callOf();
const WORKING = TaskState.TASK_STATE_WORKING;
const COMPLETED = TaskState.TASK_STATE_COMPLETED;

function house() {
  const blobs = new MemoryBlobs({ now: () => 0 });
  const backend = new MemoryBackend();
  let left = Infinity;
  /** The same database, which stops answering after so many commits. */
  const failing: ConstructorParameters<typeof TaskIndex>[0] = {
    read: (paths) => backend.read(paths),
    query: (query, after) => backend.query(query, after),
    count: (query) => backend.count(query),
    async commit(checks, writes) {
      left -= 1;
      if (left < 0) throw new Unavailable('the index');
      return backend.commit(checks, writes);
    },
  };
  const store = new GcsTaskStore({
    blobs,
    index: new TaskIndex(failing),
  });
  return {
    blobs,
    backend,
    store,
    plain: new GcsTaskStore({ blobs }),
    commits: (count: number) => {
      left = count;
    },
  };
}

function end(task: Task): void {
  const timestamp = '2026-01-02T03:04:09.000Z';
  task.status = { state: COMPLETED, message: undefined, timestamp };
}

const listed = async (store: GcsTaskStore, status: TaskState = 0) => {
  const { tasks, totalSize } = await store.list(asked({ status }), anonymous);
  return { ids: ids(tasks), totalSize };
};

describe('an index', () => {
  test('holds ids, states and times, and no word of a task', async () => {
    const { backend, store } = house();
    const task = taskWith({ history: [said('m-1')], metadata: { secret: 'a word' } });
    await store.save(task, callOf('otto@example.com', 'north'));
    const query = { collection: 'tasks', filters: [], order: undefined, limit: 10 };
    const [row, ...others] = await backend.query(query);
    expect(others).toEqual([]);
    expect(Object.keys(row?.fields ?? {}).sort()).toEqual([
      'contextId',
      'revision',
      'scope',
      'state',
      'statusAt',
      'taskId',
    ]);
    expect(JSON.stringify(row)).not.toMatch(/otto|north|word|m-1/);
  });

  test('that stops answering at any moment hides no stored task, and is right after one save', async () => {
    for (const count of [0, 1, 2]) {
      const { store, plain, commits } = house();
      const task = taskWith({});
      commits(count);
      const outcome = await store.save(task, anonymous).then(
        () => 'saved',
        (error: unknown) => (error instanceof Unavailable ? 'unavailable' : error),
      );
      expect(outcome).toBe(count < 2 ? 'unavailable' : 'saved');
      commits(Infinity);
      expect(await listed(store)).toEqual(await listed(plain));
      await store.save(task, anonymous);
      expect(await listed(store)).toEqual({ ids: [task.id], totalSize: 1 });
      expect(await listed(store, WORKING)).toEqual({ ids: [task.id], totalSize: 1 });
    }
  });

  test('that is behind shows each task as it is in the bucket, and is made right again', async () => {
    const { store, plain } = house();
    const task = taskWith({});
    await store.save(task, anonymous);
    const other = await plain.load(task.id, anonymous);
    if (other === undefined) throw new Error('it was saved');
    end(other);
    await plain.save(other, anonymous);
    const { tasks } = await store.list(asked(), anonymous);
    expect(tasks).toEqual([other]);
    expect((await listed(store, WORKING)).ids).toEqual([]);
    expect((await listed(store, COMPLETED)).ids).toEqual([]);
    expect(await store.rebuildIndex()).toEqual({ tasks: 1, removed: 0 });
    expect(await listed(store, COMPLETED)).toEqual({ ids: [task.id], totalSize: 1 });
  });

  test('lists a task whose context was taken before it was stored', async () => {
    const { blobs, store } = house();
    const [lost, next] = [taskWith({}), taskWith({})];
    next.contextId = lost.contextId;
    // What a process leaves that dies between the claim and the task.
    const active = Buffer.from(JSON.stringify({ taskId: lost.id }));
    const write = { contentType: 'x/y', expect: 'absent' };
    await blobs.put(`contexts/${lost.contextId}/active.json`, active, write);
    await store.save(next, anonymous);
    expect(await listed(store, TaskState.TASK_STATE_REJECTED)).toEqual({
      ids: [lost.id],
      totalSize: 1,
    });
    expect((await listed(store)).totalSize).toBe(2);
  });

  test('is not set back by a writer that comes late', async () => {
    const { backend, blobs, store } = house();
    const task = taskWith({});
    await store.save(task, anonymous);
    end(task);
    await store.save(task, anonymous);
    const place = {
      taskId: task.id,
      contextId: task.contextId,
      pointer: '',
      task: '',
      folder: '',
      scope: { prefix: '' },
    };
    const old = { id: task.id, contextId: task.contextId, status: { state: 'TASK_STATE_WORKING' } };
    for (const revision of [0, 1, 2]) {
      await new TaskIndex(backend).record(place, old, revision);
    }
    expect(await listed(store, COMPLETED)).toEqual({ ids: [task.id], totalSize: 1 });
    expect(blobs.objects.size).toBe(3);
  });

  test('is rebuilt from the bucket alone, for every owner, and forgets what is not there', async () => {
    const { blobs, backend, plain } = house();
    const calls = [anonymous, callOf('ada'), callOf('bob', 'red')];
    const tasks = calls.map(() => taskWith({}));
    for (const [n, task] of tasks.entries()) await plain.save(task, calls[n] ?? anonymous);
    const foreign = new GcsTaskStore({ blobs, prefix: 'other/' });
    await foreign.save(taskWith({}), anonymous);
    const gone = taskWith({});
    const store = new GcsTaskStore({ blobs, index: new TaskIndex(backend) });
    await store.save(gone, anonymous);
    await blobs.delete(`contexts/${gone.contextId}/${gone.id}/task.json`);
    expect((await store.list(asked(), anonymous)).tasks).toEqual([]);
    expect(await store.rebuildIndex()).toEqual({ tasks: 3, removed: 1 });
    for (const [n, call] of calls.entries()) {
      expect((await store.list(asked(), call)).tasks).toEqual([tasks[n]]);
      expect((await store.list(asked(), call)).totalSize).toBe(1);
    }
    expect(await store.rebuildIndex()).toEqual({ tasks: 3, removed: 0 });
    await expect(plain.rebuildIndex()).rejects.toThrow('no index');
  });

  test('forgets a task that is deleted, and knows one of the same id again', async () => {
    const { store } = house();
    const task = taskWith({ id: randomUUID() });
    end(task);
    await store.save(task, anonymous);
    await store.delete(task.id, anonymous);
    expect(await listed(store)).toEqual({ ids: [], totalSize: 0 });
    await store.save(taskWith({ id: task.id }), anonymous);
    expect(await listed(store, WORKING)).toEqual({ ids: [task.id], totalSize: 1 });
  });
});
