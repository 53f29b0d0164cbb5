import { randomUUID } from 'node:crypto';
import { Role, Task, TaskState } from '@a2a-js/sdk';
import { ServerCallContext } from '@a2a-js/sdk/server';
import { describe, expect, test } from 'vitest';
import {
  ContextBusyError,
  GcsTaskStore,
  TaskTerminalError,
} from '../../shared/task-store/index.ts';
import { MemoryBlobs } from '../../testing/memory-blobs.ts';
import { asked, callOf, ids, messages, said, taskWith } from './tasks.ts';

const anonymous = callOf();
const status = (state: string, timestamp = '2026-01-02T03:04:06.000Z') =>
  Task.fromJSON({ status: { state: `TASK_STATE_${state}`, timestamp } }).status;
const artifact = (artifactId: string, ...texts: readonly string[]) => ({
  artifactId,
  parts: texts.map((text) => ({ text })),
});

function house() {
  const blobs = new MemoryBlobs({ now: () => 0 });
  const [one, other] = [new GcsTaskStore({ blobs }), new GcsTaskStore({ blobs })];
  const loaded = async (task: Task, store = other): Promise<Task> => {
    const found = await store.load(task.id, anonymous);
    if (found === undefined) throw new Error('it was saved');
    return found;
  };
  return { blobs, one, other, loaded };
}

const textOf = (blobs: MemoryBlobs, name: string) =>
  new TextDecoder().decode(blobs.objects.get(name)?.body);
const partsOf = (task: Task) =>
  Object.fromEntries(
    task.artifacts.map((each) => [
      each.artifactId,
      each.parts.map(({ content }) => (content?.$case === 'text' ? content.value : '?')).join(' '),
    ]),
  );

describe('the layout', () => {
  test('is the pointer, the active task and the standard task, for any reader (G20)', async () => {
    const { blobs, one } = house();
    const task = taskWith({ history: [said('m-1')] });
    await one.save(task, anonymous);
    const folder = `contexts/${task.contextId}`;
    expect(new Set(blobs.objects.keys())).toEqual(
      new Set([
        `${folder}/${task.id}/task.json`,
        `${folder}/active.json`,
        `tasks/${task.id}/contextId.txt`,
      ]),
    );
    expect(textOf(blobs, `tasks/${task.id}/contextId.txt`)).toBe(task.contextId);
    expect(JSON.parse(textOf(blobs, `${folder}/active.json`))).toEqual({ taskId: task.id });
    expect(Task.fromJSON(JSON.parse(textOf(blobs, `${folder}/${task.id}/task.json`)))).toEqual(
      task,
    );
  });

  test('keeps each owner and tenant in a folder of their own that names neither (G23)', async () => {
    const { blobs, one } = house();
    const task = taskWith({});
    const calls = [
      callOf('otto@example.com'),
      callOf('otto@example.com', 'north'),
      callOf('', 'north'),
    ];
    for (const call of calls) await one.save(taskWith(task), call);
    const names = [...blobs.objects.keys()];
    const folders = new Set(names.map((name) => /^scopes\/[0-9a-f]{40}\//.exec(name)?.[0]));
    expect([folders.size, names.length]).toEqual([3, 9]);
    expect(names.filter((name) => /otto|north/.test(name))).toEqual([]);
  });

  test('takes no authenticated user without a name for an anonymous caller (G23)', async () => {
    const { blobs, one } = house();
    const task = taskWith({});
    await one.save(task, anonymous);
    const nameless = new ServerCallContext({ user: { isAuthenticated: true, userName: '' } });
    await expect(one.load(task.id, nameless)).rejects.toMatchObject({ name: 'NoOwner' });
    await expect(one.save(taskWith({}), nameless)).rejects.toMatchObject({ name: 'NoOwner' });
    await expect(one.list(asked(), nameless)).rejects.toMatchObject({ name: 'NoOwner' });
    expect(blobs.objects.size).toBe(3);
    // Another way to tell callers apart is the server's own.
    const byDay = new GcsTaskStore({ blobs, ownerResolver: () => 'monday' });
    await byDay.save(task, nameless);
    expect(await byDay.load(task.id, anonymous)).toEqual(task);
    expect(blobs.objects.size).toBe(6);
  });

  test('is for servers with a copy of the SDK of their own, whose classes are other types', async () => {
    class OtherCopy {
      readonly #ownToThisClass = 'ada';
      get tenant() {
        return undefined;
      }
      get user() {
        return { isAuthenticated: true, userName: this.#ownToThisClass };
      }
      get requestedVersion() {
        return '1.0';
      }
    }
    const { blobs, one } = house();
    const task = taskWith({});
    await one.save(task, new OtherCopy());
    expect(await one.load(task.id, callOf('ada'))).toEqual(task);
    const ownerResolver = ({ user }: OtherCopy) => user.userName;
    const resolving = new GcsTaskStore({ blobs, ownerResolver });
    expect(await resolving.load(task.id, new OtherCopy())).toEqual(task);
  });

  test('puts everything under the prefix', async () => {
    const { blobs } = house();
    await new GcsTaskStore({ blobs, prefix: 'servers/one/' }).save(taskWith({}), anonymous);
    const outside = [...blobs.objects.keys()].filter((name) => !name.startsWith('servers/one/'));
    expect(outside).toEqual([]);
    for (const prefix of ['/', 'a', '../', 'a//', 'a/./', `${'a'.repeat(100)}/`]) {
      expect(() => new GcsTaskStore({ blobs, prefix })).toThrow(
        expect.objectContaining({ name: 'BadPrefix' }),
      );
    }
  });

  test('makes no two ids one name, and takes none that is too long or no text (G21)', async () => {
    const { blobs, one } = house();
    const odd = [
      'a/b',
      'a%2Fb',
      'a%252Fb',
      '..',
      '.',
      'active.json',
      'ä',
      'a\u0308',
      'A',
      'a',
      '\0',
    ];
    for (const id of odd) {
      for (const contextId of odd) {
        const task = taskWith({ id: `${id} in ${contextId}`, contextId, status: status('FAILED') });
        await one.save(task, anonymous);
        expect(await one.load(task.id, anonymous)).toEqual(task);
      }
    }
    const names = [...blobs.objects.keys()];
    expect(names).toHaveLength(2 * odd.length ** 2);
    expect(names.filter((name) => name.split('/').some((part) => /^\.*$/.test(part)))).toEqual([]);
    for (const bad of ['', 'x'.repeat(201), '/'.repeat(70), 'ab\ud800']) {
      const refused = { name: 'RequestMalformedError', reason: 'INVALID_PARAMS' };
      await expect(one.save(taskWith({ id: bad }), anonymous)).rejects.toMatchObject({
        ...refused,
        metadata: { field: 'task.id' },
      });
      await expect(one.save(taskWith({ contextId: bad }), anonymous)).rejects.toMatchObject({
        ...refused,
        metadata: { field: 'task.contextId' },
      });
    }
  });

  test('is not changed by any read (G20)', async () => {
    const { blobs, one, other } = house();
    const task = taskWith({});
    await one.save(task, anonymous);
    const before = new Map(blobs.objects);
    await other.load(task.id, anonymous);
    await other.load(randomUUID(), anonymous);
    await other.list(asked(), anonymous);
    await other.list(asked({ contextId: task.contextId }), anonymous);
    expect(blobs.objects).toEqual(before);
  });
});

describe('a save over what another writer saved meanwhile', () => {
  test('loses no message, no artifact, no part and no metadata of either', async () => {
    const { one, loaded } = house();
    const task = taskWith({
      history: [said('m-1')],
      artifacts: [artifact('both', 'a'), artifact('mine', 'a'), artifact('theirs', 'a')],
      metadata: { kept: 1, mine: 1, theirs: 1 },
    });
    await one.save(task, anonymous);
    const [mine, theirs] = [await loaded(task, one), await loaded(task)];
    const add = (to: Task, ...added: readonly object[]) =>
      void to.artifacts.push(...Task.fromJSON({ artifacts: added }).artifacts);
    const append = (to: Task, id: string, text: string) => {
      const parts = Task.fromJSON({ artifacts: [artifact(id, text)] }).artifacts[0]?.parts ?? [];
      to.artifacts.find(({ artifactId }) => artifactId === id)?.parts.push(...parts);
    };
    theirs.history.push(said('m-2'));
    append(theirs, 'both', 'b');
    append(theirs, 'theirs', 'b');
    add(theirs, artifact('new-theirs', 'n'));
    theirs.metadata = { kept: 1, mine: 1, theirs: 2 };
    mine.history.push(said('m-3', Role.ROLE_AGENT));
    append(mine, 'both', 'c');
    append(mine, 'mine', 'c');
    add(mine, artifact('new-mine', 'n'));
    mine.metadata = { kept: 1, mine: 2, theirs: 1 };
    mine.status = status('COMPLETED');
    await one.save(theirs, anonymous);
    await one.save(mine, anonymous);
    const now = await loaded(task);
    expect(messages(now)).toEqual(['m-1', 'm-2', 'm-3']);
    expect(partsOf(now)).toEqual({
      both: 'a b c',
      mine: 'a c',
      theirs: 'a b',
      'new-theirs': 'n',
      'new-mine': 'n',
    });
    expect(now.metadata).toEqual({ kept: 1, mine: 2, theirs: 2 });
    expect(now.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
  });

  test('of an object that was never loaded adds, and drops nothing', async () => {
    const { one, other, loaded } = house();
    const task = taskWith({ history: [said('m-1')], artifacts: [artifact('a', 'x')] });
    await one.save(task, anonymous);
    const { id, contextId } = task;
    const added = { history: [said('m-2', Role.ROLE_AGENT)], artifacts: [artifact('b', 'y')] };
    await other.save(taskWith({ id, contextId, ...added }), anonymous);
    const now = await loaded(task);
    expect([messages(now), partsOf(now)]).toEqual([['m-1', 'm-2'], { a: 'x', b: 'y' }]);
  });

  test('with what was loaded may take away an artifact and metadata', async () => {
    const { one, loaded } = house();
    const task = taskWith({
      artifacts: [artifact('a', 'x'), artifact('b', 'y')],
      metadata: { a: 1, b: 1 },
    });
    await one.save(task, anonymous);
    const mine = await loaded(task, one);
    mine.artifacts.pop();
    mine.metadata = { a: 1 };
    await one.save(mine, anonymous);
    expect([partsOf(await loaded(task)), (await loaded(task)).metadata]).toEqual([
      { a: 'x' },
      { a: 1 },
    ]);
  });

  test('and the same object again loses nothing that it never showed', async () => {
    const { one, other, loaded } = house();
    const task = taskWith({ history: [said('m-1')] });
    await one.save(task, anonymous);
    const theirs = await loaded(task);
    theirs.artifacts.push(...Task.fromJSON({ artifacts: [artifact('theirs', 'x')] }).artifacts);
    await other.save(theirs, anonymous);
    for (const text of ['m-2', 'm-3']) {
      task.history.push(said(text, Role.ROLE_AGENT));
      await one.save(task, anonymous);
    }
    const now = await loaded(task);
    expect([messages(now), partsOf(now)]).toEqual([['m-1', 'm-2', 'm-3'], { theirs: 'x' }]);
  });

  test('of one object that is saved again before it was stored applies each change once', async () => {
    const { one, loaded } = house();
    const task = taskWith({ artifacts: [artifact('a', '0')] });
    await one.save(task, anonymous);
    const saves: Promise<void>[] = [];
    for (const text of ['1', '2', '3']) {
      const [more] = Task.fromJSON({ artifacts: [artifact('a', text)] }).artifacts;
      task.artifacts[0]?.parts.push(...(more?.parts ?? []));
      task.history.push(said(`m-${text}`, Role.ROLE_AGENT));
      saves.push(one.save(task, anonymous));
    }
    await Promise.all(saves);
    expect(partsOf(await loaded(task))).toEqual({ a: '0 1 2 3' });
    expect(messages(await loaded(task))).toEqual(['m-1', 'm-2', 'm-3']);
  });

  test('can not move a task into another context', async () => {
    const { one, other } = house();
    const task = taskWith({});
    await one.save(task, anonymous);
    const moved = taskWith({ id: task.id });
    await expect(other.save(moved, anonymous)).rejects.toMatchObject({
      name: 'RequestMalformedError',
      metadata: { field: 'task.contextId' },
    });
  });
});

describe('the end of a task', () => {
  test.each(['COMPLETED', 'FAILED', 'CANCELED', 'REJECTED'])(
    '(%s) is final, whatever a writer knew',
    async (end) => {
      const { one, other, loaded } = house();
      const task = taskWith({});
      await one.save(task, anonymous);
      const late = await loaded(task);
      task.status = status(end);
      await one.save(task, anonymous);
      const refused = {
        name: 'UnsupportedOperationError',
        metadata: { state: `TASK_STATE_${end}` },
      };
      for (const state of ['WORKING', end === 'FAILED' ? 'COMPLETED' : 'FAILED']) {
        const fresh = taskWith({ ...task, status: status(state) });
        await expect(other.save(fresh, anonymous)).rejects.toMatchObject(refused);
        late.status = status(state, '2026-01-02T03:04:07.000Z');
        await expect(other.save(late, anonymous)).rejects.toMatchObject(refused);
      }
      expect(await loaded(task)).toEqual(task);
    },
  );

  test('the first stands where two writers end it alike', async () => {
    const { one, other, loaded } = house();
    const task = taskWith({});
    await one.save(task, anonymous);
    const late = await loaded(task);
    task.status = status('COMPLETED');
    await one.save(task, anonymous);
    late.status = status('COMPLETED', '2026-01-02T03:04:09.000Z');
    await other.save(late, anonymous);
    expect((await loaded(task)).status).toEqual(task.status);
  });

  test('takes no message of the user any more, and what the agent adds late', async () => {
    const { one, other, loaded } = house();
    const task = taskWith({ history: [said('m-1')] });
    await one.save(task, anonymous);
    const [message, late] = [await loaded(task), await loaded(task)];
    task.status = status('CANCELED');
    await one.save(task, anonymous);
    message.history.push(said('m-2'));
    await expect(other.save(message, anonymous)).rejects.toThrow(TaskTerminalError);
    late.artifacts.push(...Task.fromJSON({ artifacts: [artifact('late', 'x')] }).artifacts);
    await other.save(late, anonymous);
    const now = await loaded(task);
    expect([now.status, partsOf(now), messages(now)]).toEqual([
      task.status,
      { late: 'x' },
      ['m-1'],
    ]);
  });
});

describe('a context', () => {
  test('takes one task at a time: the next when the last one has ended (G19)', async () => {
    const { one, other } = house();
    const contextId = randomUUID();
    const first = taskWith({ contextId });
    await one.save(first, anonymous);
    const second = taskWith({ contextId });
    for (const state of ['WORKING', 'INPUT_REQUIRED', 'AUTH_REQUIRED', 'SUBMITTED']) {
      first.status = status(state);
      await one.save(first, anonymous);
      await expect(other.save(second, anonymous)).rejects.toMatchObject({
        name: 'UnsupportedOperationError',
        reason: 'UNSUPPORTED_OPERATION',
        metadata: { reason: 'CONTEXT_BUSY', contextId, activeTaskId: first.id },
      });
      expect(await other.load(second.id, anonymous)).toBeUndefined();
    }
    await other.save(taskWith({ contextId: randomUUID() }), anonymous);
    first.status = status('CANCELED');
    await one.save(first, anonymous);
    await other.save(second, anonymous);
    expect(await one.load(second.id, anonymous)).toEqual(second);
  });

  test('of another owner is another context, even with the same id', async () => {
    const { one } = house();
    const contextId = randomUUID();
    await one.save(taskWith({ contextId }), callOf('ada'));
    await one.save(taskWith({ contextId }), callOf('bob'));
    await expect(one.save(taskWith({ contextId }), callOf('bob'))).rejects.toThrow('context');
  });

  test('takes any number where it may be parallel', async () => {
    const { blobs } = house();
    const store = new GcsTaskStore({ blobs, contexts: 'parallel' });
    const contextId = randomUUID();
    const tasks = [taskWith({ contextId }), taskWith({ contextId })];
    for (const task of tasks) await store.save(task, anonymous);
    const { tasks: listed } = await store.list(asked({ contextId }), anonymous);
    expect(new Set(ids(listed))).toEqual(new Set(ids(tasks)));
  });

  test('is free where the active task was never stored, and that one can not come late', async () => {
    const { blobs, one, other } = house();
    const contextId = randomUUID();
    const [lost, next] = [taskWith({ contextId }), taskWith({ contextId })];
    // What a process leaves that dies between the claim and the task.
    const expected = { contentType: 'x/y', expect: 'absent' };
    const active = JSON.stringify({ taskId: lost.id });
    await blobs.put(`contexts/${contextId}/active.json`, Buffer.from(active), expected);
    await blobs.put(`tasks/${lost.id}/contextId.txt`, Buffer.from(contextId), expected);
    await other.save(next, anonymous);
    await expect(one.save(lost, anonymous)).rejects.toThrow(ContextBusyError);
    expect((await one.load(lost.id, anonymous))?.status?.state).toBe(TaskState.TASK_STATE_REJECTED);
    expect(await one.load(next.id, anonymous)).toEqual(next);
  });
});

describe('a task that is deleted', () => {
  test('leaves nothing behind but that its context is free', async () => {
    const { blobs, one, other } = house();
    const task = taskWith({});
    await one.save(task, anonymous);
    await expect(other.delete(task.id, anonymous)).rejects.toMatchObject({
      name: 'UnsupportedOperationError',
    });
    const mine = await one.load(task.id, anonymous);
    task.status = status('COMPLETED');
    await one.save(task, anonymous);
    await other.delete(task.id, anonymous);
    await other.delete(task.id, anonymous);
    expect([...blobs.objects.keys()]).toEqual([`contexts/${task.contextId}/active.json`]);
    expect(await one.load(task.id, anonymous)).toBeUndefined();
    await one.save(taskWith({ contextId: task.contextId }), anonymous);
    expect((await one.list(asked(), anonymous)).totalSize).toBe(1);
    if (mine === undefined) throw new Error('it was saved');
    mine.metadata = { late: true };
    await expect(one.save(mine, anonymous)).rejects.toMatchObject({ name: 'TaskNotFoundError' });
  });

  test('is one of the caller: a foreign one stays', async () => {
    const { one } = house();
    const task = taskWith({ status: status('COMPLETED') });
    await one.save(task, callOf('ada'));
    await one.delete(task.id, callOf('bob'));
    await one.delete('../x', callOf('ada'));
    expect(await one.load(task.id, callOf('ada'))).toEqual(task);
  });
});

describe('an object that is no task', () => {
  test('is a fault to load, and hides no other from a list', async () => {
    const { blobs, one } = house();
    const contextId = randomUUID();
    const [good, bad] = [
      taskWith({ contextId, status: status('FAILED') }),
      taskWith({ contextId, status: status('FAILED') }),
    ];
    for (const task of [good, bad]) await one.save(task, anonymous);
    const name = `contexts/${contextId}/${bad.id}/task.json`;
    const write = { contentType: 'x/y', expect: blobs.objects.get(name)?.generation ?? '' };
    await blobs.put(name, Buffer.from('{"id":'), write);
    await expect(one.load(bad.id, anonymous)).rejects.toMatchObject({ name: 'Unreadable' });
    expect(ids((await one.list(asked(), anonymous)).tasks)).toEqual([good.id]);
  });
});
