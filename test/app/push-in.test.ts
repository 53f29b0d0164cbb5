import { describe, expect, it } from 'vitest';
import { pollSooner } from '../../shared/app/delegation/poll-sooner.ts';
import { purgeRun } from '../../shared/app/privacy/purge-run.ts';
import { sweep } from '../../shared/app/worker/sweep.ts';
import { begun, minute, openAt, passes, suspended, total, waitingWorld } from './waiting.ts';

const baseUrl = 'https://holdfast.example/';
const pushing = { baseUrl, remote: { push: true } } as const;

async function waiting() {
  const made = waitingWorld(pushing);
  const taskId = await begun(made.world);
  const [task] = made.peer.tasks.values();
  if (task?.push === undefined) throw new Error('nothing was asked for');
  return { ...made, taskId, task, push: task.push, remoteTask: task.taskId };
}

describe('a remote that may push', () => {
  it('is told one URL for all, and a token that no reader here understands', async () => {
    const { world, taskId, push } = await waiting();
    expect(push.url).toBe('https://holdfast.example/pushes');
    expect(push.token).toMatch(/^[\w-]{22}$/);
    const stored = world.backend
      .everything()
      .map(({ path, fields }) => path + JSON.stringify(fields));
    expect(stored.join()).not.toContain(push.token);
    expect(JSON.stringify(push)).not.toContain(taskId);
  });

  it('is told nothing where it is not declared, or we have no address', async () => {
    for (const options of [{ baseUrl }, { remote: { push: true } }]) {
      const { world, peer } = waitingWorld(options);
      await begun(world);
      expect([...peer.tasks.values()][0]).not.toHaveProperty('push');
      expect(world.backend.all('pushes')).toEqual([]);
    }
  });

  it('has its task looked at sooner, and the look decides', async () => {
    const { world, agent, peer, push, remoteTask } = await waiting();
    peer.settle(remoteTask, 'COMPLETED', 'done');
    await world.clock.advance(1_000);
    await pollSooner(world.app, push.token);
    await world.work();
    expect(total(peer.looks)).toBe(1);
    expect(agent.seen).toMatchObject([{ value: { status: 'completed' } }]);
  });

  it('changes nothing by a lie', async () => {
    const { world, taskId, push, agent } = await waiting();
    await world.clock.advance(1_000);
    const before = await suspended(world, taskId);
    await pollSooner(world.app, push.token);
    await world.work();
    const { dependency, ...after } = await suspended(world, taskId);
    const { dependency: waited, ...rest } = before;
    expect(after).toEqual(rest);
    expect(dependency).toMatchObject({ polls: 1, deadlineAt: waited.deadlineAt });
    expect(agent.seen).toEqual([]);
  });

  it('that pushes all the time has its task looked at every five seconds, not more', async () => {
    const { world, peer, push } = await waiting();
    for (let second = 0; second < 120; second += 1) {
      await pollSooner(world.app, push.token);
      await pollSooner(world.app, push.token);
      await passes(world, 1_000, 1_000);
    }
    expect(total(peer.looks)).toBeGreaterThan(15);
    expect(total(peer.looks)).toBeLessThanOrEqual(25);
  });

  it('is not looked at sooner when that is soon anyway', async () => {
    const { world, taskId, push } = await waiting();
    const { dependency } = await suspended(world, taskId);
    await world.clock.advance(dependency.nextPollAt - world.clock.now() - 900);
    await pollSooner(world.app, push.token);
    expect((await suspended(world, taskId)).dependency).toEqual(dependency);
  });

  it('is told nothing by a token that is wrong, of a task that is over, or removed', async () => {
    const { world, taskId, peer, push } = await waiting();
    const before = await suspended(world, taskId);
    await pollSooner(world.app, `${push.token.slice(0, -1)}!`);
    expect(await suspended(world, taskId)).toEqual(before);
    peer.settle(openAt(peer)[0] ?? '', 'COMPLETED', 'done');
    await passes(world, minute);
    world.queue.length = 0;
    await pollSooner(world.app, push.token);
    expect(world.queue).toEqual([]);
    expect(await purgeRun(world.app, taskId)).toBe('purged');
    expect(world.backend.all('pushes')).toEqual([]);
    await pollSooner(world.app, push.token);
    expect(world.queue).toEqual([]);
  });

  it('that pushes when the outcome of its send is not known has the task looked for', async () => {
    const { world, peer, agent } = waitingWorld(pushing);
    peer.script('send', { kind: 'drop', when: 'after' });
    const taskId = await begun(world);
    expect(await suspended(world, taskId)).toMatchObject({ dependency: { operation: null } });
    const [task] = peer.tasks.values();
    peer.settle(task?.taskId ?? '', 'COMPLETED', 'done');
    await world.clock.advance(1_000);
    await pollSooner(world.app, task?.push?.token ?? '');
    await world.work();
    await sweep(world.app);
    expect(agent.seen).toMatchObject([{ value: { status: 'completed' } }]);
    expect(total(peer.sends)).toBe(1);
  });
});
