import { expect, it } from 'vitest';
import { z } from 'zod';
import { defineAgent } from '../../shared/agent/index.ts';
import { sweep } from '../../shared/app/worker/sweep.ts';
import { isEnded } from '../../shared/domain/run.ts';
import { MemoryRemoteAgents } from '../../testing/memory-remote-agents.ts';
import { Peer } from '../../testing/peer.ts';
import { remoteAt } from '../fixtures/remotes/remote.ts';
import { Breaking, BREAKS } from '../../testing/breaking.ts';
import { atEachCall } from './at-each-call.ts';
import { deliver } from './deliver.ts';
import { decide, everythingGranted, rowOf } from './turn-loop-world.ts';
import { World } from './world.ts';

/**
 * A function of all kinds of operations. At one call after the other, to the store and to the
 * remote agent, the process fails or dies. Whatever was lost: each operation comes about as its
 * kind says, each answer is that to its question, and what the caller was shown is shown once.
 */
async function run(breaking: Breaking) {
  const ran: string[] = [];
  const noted = (name: string) => void ran.push(name);
  const agent = defineAgent({
    name: 'flow',
    description: 'Works in steps.',
    remotes: [remoteAt('https://peer.example/card', { deadline: 300_000 })],
    async steps(ctx) {
      await ctx.artifact({ artifactId: 'log', parts: 'begun', lastChunk: false });
      const order = await ctx.step('read', () => (noted('read'), { n: 1 }));
      const { n } = await ctx.ask('How many?', z.object({ n: z.number() }));
      await ctx.artifact({ artifactId: 'log', parts: 'asked', append: true });
      const { approved } = await ctx.approve('pay', { summary: 'Pay.', details: { n } });
      await ctx.step('pay', () => noted('pay'), { effect: 'once' });
      const { status } = await ctx.call('peer', 'ship it');
      const both = await ctx.all([
        async (one) => {
          await one.sleep('1 min');
          return one.step('late', () => (noted('late'), 'late'));
        },
        (two) => two.step('early', () => (noted('early'), 'early')),
      ]);
      return `${order.n} ${n} ${approved} ${status} ${both.join()}`;
    },
  });
  const peer = new Peer();
  const remotes = new MemoryRemoteAgents(peer);
  const front = new World(agent, { remotes, grants: everythingGranted });
  const worker = new World(agent, {
    below: front,
    grants: everythingGranted,
    remotes: breaking.remotes(remotes),
    wrap: (below) => breaking.store(below),
  });
  const { taskId } = await front.send('go');
  for (let round = 0; round < 300; round += 1) {
    const row = await rowOf(front, taskId);
    if (isEnded(row) && row.projectedRevision === row.revision) break;
    if (row.status === 'waiting_for_input') await front.trySend([{ data: { n: 3 } }], { taskId });
    if (row.status === 'waiting_for_approval' && row.projectedRevision === row.revision)
      await decide(front, taskId, 'approve');
    for (const [id, { state }] of peer.tasks)
      if (state === 'WORKING' && round % 5 === 0) peer.settle(id, 'COMPLETED', 'shipped');
    await deliver(front, breaking.dead ? front : worker);
    await front.clock.advance(5_000);
    if (!breaking.dead) await worker.clock.advance(5_000);
    await sweep(front.app);
  }
  return { peer, ran, row: await rowOf(front, taskId), task: await front.get(taskId) };
}

function check({ peer, ran, row, task }: Awaited<ReturnType<typeof run>>): string {
  expect(ran.filter((name) => name === 'pay').length, 'pay').toBeLessThanOrEqual(1);
  expect(peer.tasks.size, 'tasks of the remote').toBeLessThanOrEqual(1);
  for (const count of peer.sends.values()) expect(count, 'sends').toBe(1);
  expect(isEnded(row), row.status).toBe(true);
  if (row.status === 'failed') return row.reason;
  const words = JSON.stringify(task.status.message?.parts);
  expect(words).toMatch(/1 3 true (completed|timeout) late,early/);
  expect([...new Set(ran)].toSorted()).toEqual(['early', 'late', 'pay', 'read']);
  expect(task.artifacts.map(({ parts }) => parts)).toEqual([
    [{ text: 'begun' }, { text: 'asked' }],
  ]);
  return row.status;
}

it('a run of steps whose process is lost at any call goes on as one that is not', async () => {
  const whole = new Breaking(0, 'before');
  const outcome = await run(whole);
  expect(check(outcome)).toBe('completed');
  expect(outcome.ran).toEqual(['read', 'pay', 'early', 'late']);
  expect(whole.calls).toBeGreaterThan(40);
  for (const how of BREAKS) {
    const ends = await atEachCall(whole, how, async (breaking) => check(await run(breaking)));
    // A worker that is gone within the step that must not run twice costs the run.
    const unknown = ends.filter((end) => end === 'EFFECT_UNKNOWN').length;
    expect(ends.filter((end) => end === 'completed')).toHaveLength(whole.calls - unknown);
    expect(unknown, how).toBeLessThanOrEqual(how.startsWith('crash') ? 4 : 0);
  }
}, 240_000);
