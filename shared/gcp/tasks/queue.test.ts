import { randomUUID } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { VirtualClock } from '../../../testing/virtual-clock.ts';
import { openTasksQueue } from '../../../test/google/tasks-queue.ts';
import type { TaskId } from '../../domain/ids.ts';
import { traceparent } from '../../domain/trace-context.ts';
import type { WakeUp } from '../../ports/queue.ts';
import { repeated } from '../../app/wake-up.ts';
import { taskIdOf } from './route.ts';

const day = 86_400_000;

async function open(shards = 1) {
  const clock = new VirtualClock();
  const opened = await openTasksQueue({ clock, log: { write() {} }, concurrency: 8 }, shards);
  onTestFinished(() => opened.close());
  const seen: WakeUp[] = [];
  opened.start(async (wakeUp) => {
    seen.push(wakeUp);
    return 'done';
  });
  const wakeUp = (over: Partial<WakeUp> = {}): WakeUp => ({
    kind: 'run',
    taskId: randomUUID() as TaskId,
    revision: 1,
    at: clock.now(),
    ...over,
  });
  const waiting = () =>
    [...opened.emulator.engine.queues.values()].flatMap(({ tasks }) => [...tasks.values()]);
  return { ...opened, clock, seen, wakeUp, waiting };
}

test('a wake-up whose creation had no answer is created once and delivered once', async () => {
  const { queue, emulator, seen, wakeUp, idle } = await open();
  let losses = 2;
  emulator.plan(() => (losses-- > 0 ? 'lost-answer' : undefined));
  await queue.enqueue(wakeUp());
  await idle();
  expect(seen).toHaveLength(1);
});

test.each(['unavailable', 'silence'] as const)(
  'a service with %s is Unavailable',
  async (fault) => {
    const { queue, emulator, wakeUp } = await open();
    emulator.plan(() => fault);
    await expect(queue.enqueue(wakeUp())).rejects.toMatchObject({ name: 'Unavailable' });
  },
);

test('a queue that is not there may wake up later', async () => {
  const { queue, emulator, wakeUp } = await open();
  for (const name of emulator.engine.queues.keys()) emulator.engine.deleteQueue(name);
  await expect(queue.enqueue(wakeUp())).rejects.toMatchObject({ name: 'Unavailable' });
});

test('a task holds ids, numbers and a token, and nothing else', async () => {
  const { queue, clock, waiting, wakeUp } = await open();
  const given = wakeUp({ at: clock.now() + day });
  await queue.enqueue(given);
  const [task] = waiting();
  expect(JSON.parse(String(task?.target.body))).toEqual(given);
  expect(task?.scheduleTime).toBe(given.at);
  expect(task?.dispatchDeadline).toBe(600_000);
  expect(task?.target.oidc?.serviceAccountEmail).toBe('tasks@p.example');
});

test('runs, projections and polls have queues of their own, and a task keeps to one shard of each', async () => {
  const { queue, emulator, clock, wakeUp } = await open(4);
  const at = clock.now() + day;
  const given = wakeUp({ at });
  for (let n = 0; n < 60; n += 1) await queue.enqueue(wakeUp({ at }));
  const kinds = ['run', 'check-lease', 'deadline', 'project'] as const;
  const remote = ['poll', 'dependency-deadline', 'cancel-remote'] as const;
  for (const kind of [...kinds, ...remote]) {
    for (const revision of [1, 2]) await queue.enqueue({ ...given, kind, revision });
  }
  const found = [...emulator.engine.queues.values()].map(({ name, tasks }) => ({
    id: name.split('/').at(-1) ?? '',
    all: tasks.size,
    own: [...tasks.values()].filter(({ target }) => String(target.body).includes(given.taskId))
      .length,
  }));
  expect(found.map(({ id }) => id)).toContain('projections-g1-3');
  for (const { all, id } of found) if (id.startsWith('runs')) expect(all).toBeGreaterThan(4);
  const own = found.filter(({ own }) => own > 0).map(({ id, own }) => [id.split('-')[0], own]);
  expect(own).toEqual([
    ['runs', 6],
    ['projections', 2],
    ['polls', 6],
  ]);
});

test('a name is new for each kind, task, revision, time, repeat, generation and leg', () => {
  const given: WakeUp = { kind: 'run', taskId: randomUUID() as TaskId, revision: 1, at: 5 };
  const others: WakeUp[] = [
    { ...given, kind: 'project' },
    { ...given, taskId: randomUUID() as TaskId },
    { ...given, revision: 2 },
    { ...given, at: 6 },
    { ...given, repeat: 1 },
  ];
  const ids = [given, ...others].map((each) => taskIdOf(each, 'g1', 0));
  const all = new Set([...ids, taskIdOf(given, 'g2', 0), taskIdOf(given, 'g1', 1)]);
  expect(all.size).toBe(8);
  expect(taskIdOf({ ...given, repeat: 0 }, 'g1', 0)).toBe(ids[0]);
  // A trace makes no wake-up another one.
  const trace = traceparent('00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01');
  expect(trace && taskIdOf({ ...given, trace }, 'g1', 0)).toBe(ids[0]);
});

describe('a wake-up further ahead than a task can be scheduled', () => {
  test('goes in legs of 29 days and is delivered once, at its time', async () => {
    const { queue, clock, seen, waiting, wakeUp, idle } = await open();
    const given = wakeUp({ at: clock.now() + 70 * day });
    await queue.enqueue(given);
    await queue.enqueue(given);
    for (let n = 1; n < 70; n += 1) {
      await clock.advance(day);
      await idle();
      expect(waiting()).toHaveLength(1);
    }
    expect(seen).toEqual([]);
    await clock.advance(day);
    await idle();
    // Each leg raised its repeat, so that no leg has the name of the one that made it.
    expect(seen).toEqual([repeated(repeated(given))]);
    expect(waiting()).toEqual([]);
  });
});
