import { type Message, Role, Task, TaskState } from '@a2a-js/sdk';
import { describe, expect, test } from 'vitest';
import { GcsTaskStore } from '../../shared/task-store/index.ts';
import { everyWay, type Fate, Processes } from './schedules.ts';
import { asked, callOf, messages, said, taskWith } from './tasks.ts';

const anonymous = callOf();
const contextId = 'context';
const [WORKING, COMPLETED, CANCELED, REJECTED] = [
  TaskState.TASK_STATE_WORKING,
  TaskState.TASK_STATE_COMPLETED,
  TaskState.TASK_STATE_CANCELED,
  TaskState.TASK_STATE_REJECTED,
] as const;
const nameOf = (outcome: unknown): string =>
  outcome instanceof Error ? outcome.constructor.name : String(outcome);

/** The tasks as a process sees them that comes afterwards, by their ids. */
async function kept({ objects }: Processes): Promise<ReadonlyMap<string, Task>> {
  const store = new GcsTaskStore({ blobs: objects });
  const { tasks } = await store.list(asked({ includeArtifacts: true }), anonymous);
  return new Map(tasks.map((task) => [task.id, task]));
}

async function loadedBy(store: GcsTaskStore, id: string): Promise<Task> {
  const task = await store.load(id, anonymous);
  if (task === undefined) throw new Error('it was saved');
  return task;
}

const openOnes = (tasks: ReadonlyMap<string, Task>): readonly string[] =>
  [...tasks.values()].filter(({ status }) => status?.state === WORKING).map(({ id }) => id);

function ended(task: Task, state: TaskState, timestamp: string): void {
  task.status = { state, message: undefined, timestamp };
}

function append(task: Task, text: string): void {
  const part = Task.fromJSON({ artifacts: [{ artifactId: 'a', parts: [{ text }] }] }).artifacts[0];
  const present = task.artifacts.find(({ artifactId }) => artifactId === 'a');
  if (present === undefined) task.artifacts.push(...(part === undefined ? [] : [part]));
  else present.parts.push(...(part?.parts ?? []));
}

const textsOf = (task: Task | undefined) =>
  task?.artifacts.flatMap(({ parts }) =>
    parts.map(({ content }) => (content?.$case === 'text' ? content.value : '?')),
  );

describe('two stores on one context, in every order of their calls', () => {
  test('take one of two tasks, and refuse the other', async () => {
    const runs = await everyWay(async (choose) => {
      const world = new Processes();
      const stores = [0, 1].map(() => new GcsTaskStore({ blobs: world.process() }));
      const outcomes = await world.run(
        choose,
        stores.map(
          (store, n) => () => store.save(taskWith({ id: `t-${n}`, contextId }), anonymous),
        ),
      );
      const tasks = await kept(world);
      const won = outcomes.findIndex((outcome) => outcome === 'done');
      expect(outcomes.map(nameOf).toSorted()).toEqual(['ContextBusyError', 'done']);
      expect(openOnes(tasks)).toEqual([`t-${won}`]);
      expect(tasks.get(`t-${1 - won}`)?.status?.state ?? REJECTED).toBe(REJECTED);
    });
    expect(runs).toBeGreaterThan(20);
  });

  test('take one of two tasks behind one that has ended, too', async () => {
    await everyWay(async (choose) => {
      const world = new Processes();
      const first = taskWith({ id: 't-first', contextId, status: { state: 'TASK_STATE_WORKING' } });
      const before = new GcsTaskStore({ blobs: world.objects });
      await before.save(first, anonymous);
      ended(first, COMPLETED, '2026-01-02T03:04:05.000Z');
      await before.save(first, anonymous);
      const stores = [0, 1].map(() => new GcsTaskStore({ blobs: world.process() }));
      const outcomes = await world.run(
        choose,
        stores.map(
          (store, n) => () => store.save(taskWith({ id: `t-${n}`, contextId }), anonymous),
        ),
      );
      expect(outcomes.map(nameOf).toSorted()).toEqual(['ContextBusyError', 'done']);
      expect(openOnes(await kept(world))).toHaveLength(1);
    });
  });

  test('where one dies at any call, the other has the context unless a task is stored', async () => {
    const deaths: readonly Fate[] = ['died before', 'died after'];
    await everyWay(async (choose) => {
      const world = new Processes();
      const [fate, at] = [deaths[choose(2)] ?? 'died before', choose(3)];
      const dying = world.process((call) => (call === at ? fate : 'answered'));
      const [lost, next] = [
        taskWith({ id: 'lost', contextId }),
        taskWith({ id: 'next', contextId }),
      ];
      const other = new GcsTaskStore({ blobs: world.process() });
      const [, outcome] = await world.run(choose, [
        () => new GcsTaskStore({ blobs: dying }).save(lost, anonymous),
        () => other.save(next, anonymous),
      ]);
      const open = openOnes(await kept(world));
      // Three calls: pointer, claim, task.
      const stored = at === 2 && fate === 'died after' && nameOf(outcome) !== 'done';
      expect(open).toEqual([stored ? 'lost' : 'next']);
      expect(nameOf(outcome)).toBe(stored ? 'ContextBusyError' : 'done');
      // Whatever comes of the dead one later changes nothing.
      const again = new GcsTaskStore({ blobs: world.objects }).save(
        taskWith({ id: 'lost', contextId }),
        anonymous,
      );
      expect(nameOf(await again.catch((error: unknown) => error))).toBe(
        stored ? 'undefined' : 'ContextBusyError',
      );
      expect(openOnes(await kept(world))).toEqual(open);
    });
  });
});

describe('two stores on one task, in every order of their calls', () => {
  /** Each has loaded the task, and saves what it made of it. */
  async function race(
    changes: readonly ((task: Task) => void)[],
    check: (outcomes: readonly string[], task: Task | undefined) => void,
  ): Promise<void> {
    await everyWay(async (choose) => {
      const world = new Processes();
      const task = taskWith({ id: 'task', contextId, history: [said('m-0')] });
      append(task, '0');
      await new GcsTaskStore({ blobs: world.objects }).save(task, anonymous);
      const outcomes = await world.run(
        choose,
        changes.map((change) => async () => {
          const store = new GcsTaskStore({ blobs: world.process() });
          const mine = await loadedBy(store, 'task');
          change(mine);
          await store.save(mine, anonymous);
        }),
      );
      check(outcomes.map(nameOf), (await kept(world)).get('task'));
    });
  }
  const says = (id: string): Message => said(id, Role.ROLE_AGENT);

  test('lose nothing of what both say and make', async () => {
    await race(
      [1, 2].map((n) => (task) => {
        task.history.push(says(`m-${n}`));
        append(task, `${n}`);
      }),
      (outcomes, task) => {
        expect(outcomes).toEqual(['done', 'done']);
        expect(messages(task)?.toSorted()).toEqual(['m-0', 'm-1', 'm-2']);
        expect(textsOf(task)?.toSorted()).toEqual(['0', '1', '2']);
        expect([messages(task)?.[0], textsOf(task)?.[0]]).toEqual(['m-0', '0']);
      },
    );
  });

  test('end it once', async () => {
    const times = ['2026-01-02T03:04:06.000Z', '2026-01-02T03:04:07.000Z'];
    const states = [COMPLETED, CANCELED] as const;
    await race(
      states.map((state, n) => (task) => ended(task, state, times[n] ?? '')),
      (outcomes, task) => {
        const won = outcomes.indexOf('done');
        expect(outcomes.toSorted()).toEqual(['TaskTerminalError', 'done']);
        expect(task?.status?.state).toBe(states[won]);
        expect(task?.status?.timestamp).toBe(times[won]);
      },
    );
  });

  test('refuse a message to it or keep it, also where the task ends meanwhile', async () => {
    await race(
      [
        (task) => ended(task, COMPLETED, '2026-01-02T03:04:06.000Z'),
        (task) => void task.history.push(said('m-1')),
      ],
      ([end, message], task) => {
        expect(end).toBe('done');
        expect(task?.status?.state).toBe(COMPLETED);
        const taken = message === 'done';
        if (!taken) expect(message).toBe('TaskTerminalError');
        expect(messages(task)).toEqual(taken ? ['m-0', 'm-1'] : ['m-0']);
      },
    );
  });

  test('that both begin it make one of it', async () => {
    await everyWay(async (choose) => {
      const world = new Processes();
      const outcomes = await world.run(
        choose,
        [1, 2].map((n) => () => {
          const store = new GcsTaskStore({ blobs: world.process() });
          const history = [said('m-0'), says(`m-${n}`)];
          return store.save(taskWith({ id: 'task', contextId, history }), anonymous);
        }),
      );
      expect(outcomes).toEqual(['done', 'done']);
      const tasks = await kept(world);
      expect([...tasks.keys()]).toEqual(['task']);
      expect(messages(tasks.get('task'))?.toSorted()).toEqual(['m-0', 'm-1', 'm-2']);
    });
  });
});

describe('a save whose answer is lost', () => {
  test('at any call, and is made again, is stored once, also where another store writes in between', async () => {
    let lost = 0;
    await everyWay(async (choose) => {
      const world = new Processes();
      const at = choose(4);
      const task = taskWith({ id: 'task', contextId });
      append(task, '0');
      const store = new GcsTaskStore({
        blobs: world.process((call) => (call === at ? 'answer lost' : 'answered')),
      });
      const save = async (): Promise<void> => {
        for (;;) {
          try {
            await store.save(task, anonymous);
            return;
          } catch (error) {
            if (nameOf(error) !== 'Unavailable') throw error;
            lost += 1;
          }
        }
      };
      const other = new GcsTaskStore({ blobs: world.process() });
      const outcomes = await world.run(choose, [
        async () => {
          await save();
          append(task, '1');
          task.history.push(says('m-1'));
          await save();
        },
        async () => {
          const theirs = await other.load('task', anonymous);
          if (theirs === undefined) return;
          append(theirs, '2');
          await other.save(theirs, anonymous);
        },
      ]);
      expect(outcomes).toEqual(['done', 'done']);
      const now = (await kept(world)).get('task');
      const texts = textsOf(now) ?? [];
      expect(texts.filter((text) => text !== '2')).toEqual(['0', '1']);
      expect(texts.filter((text) => text === '2').length).toBeLessThan(2);
      expect(messages(now)).toEqual(['m-1']);
    });
    expect(lost).toBeGreaterThan(100);
  });

  const says = (id: string): Message => said(id, Role.ROLE_AGENT);
});

test('a deletion that dies at any call is finished by the next one', async () => {
  await everyWay(async (choose) => {
    const world = new Processes();
    const task = taskWith({ id: 'task', contextId });
    const before = new GcsTaskStore({ blobs: world.objects });
    await before.save(task, anonymous);
    ended(task, COMPLETED, '2026-01-02T03:04:05.000Z');
    await before.save(task, anonymous);
    const beside = { contentType: 'x/y', expect: 'absent' };
    await world.objects.put('contexts/context/task/workspace.tar.gz', Buffer.from('x'), beside);
    await world.objects.put('tasks/task/push/p.json', Buffer.from('{}'), beside);
    const at = choose(12);
    const dying = world.process((call) => (call === at ? 'died after' : 'answered'));
    await world.run(choose, [() => new GcsTaskStore({ blobs: dying }).delete('task', anonymous)]);
    await new GcsTaskStore({ blobs: world.objects }).delete('task', anonymous);
    expect([...world.objects.objects.keys()]).toEqual(['contexts/context/active.json']);
    await before.save(taskWith({ id: 'next', contextId }), anonymous);
    expect([...(await kept(world)).keys()]).toEqual(['next']);
  });
});
