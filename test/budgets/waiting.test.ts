import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Backend } from '../../shared/ports/backend.ts';
import { openAt, suspended, total, waitingWorld } from '../app/waiting.ts';
import { countingBackend } from './counting-backend.ts';

/** What a run that waits for a remote agent may cost; one wake-up goes with each look. */
const counts = z.object({ reads: z.number(), writes: z.number() });
const file = z.object({ database: z.object({ delegatedTask: counts, look: counts }) });
const text = await readFile(new URL('../../budgets.json', import.meta.url), 'utf8');
const { delegatedTask, look } = file.parse(JSON.parse(text)).database;

let counter: ReturnType<typeof countingBackend> | undefined;
const { world, agent, peer, remote } = waitingWorld({
  wrap: (backend: Backend) => {
    counter = countingBackend(backend);
    return counter;
  },
});

function counted(): z.infer<typeof counts> {
  const { reads = 0, writes = 0 } = counter?.counted() ?? {};
  return { reads, writes };
}

function within(found: z.infer<typeof counts>, allowed: z.infer<typeof counts>): void {
  for (const name of ['reads', 'writes'] as const) {
    expect(found[name], `${name}: ${JSON.stringify(found)}`).toBeLessThanOrEqual(allowed[name]);
  }
}

test('a delegation and its looks cost no more than budgets.json says', async () => {
  const { taskId } = await world.send('hello');
  // What a process reads once in some seconds is no task's cost.
  await world.app.pausedAgents.of(world.principal.agent);
  await world.app.circuits.restOf(remote);
  counted();
  await world.work();
  const begun = counted();
  for (let n = 1; n <= 3; n += 1) {
    const { nextPollAt } = (await suspended(world, taskId)).dependency;
    await world.clock.advance(nextPollAt - world.clock.now());
    world.queue.splice(0, world.queue.length, ...world.queue.filter(({ kind }) => kind === 'poll'));
    counted();
    await world.work();
    within(counted(), look);
    expect([total(peer.looks), world.queue.length]).toEqual([n, 1]);
  }
  peer.settle(openAt(peer)[0] ?? '', 'COMPLETED', 'done');
  const { nextPollAt } = (await suspended(world, taskId)).dependency;
  await world.clock.advance(nextPollAt - world.clock.now());
  await world.app.pausedAgents.of(world.principal.agent);
  counted();
  await world.work();
  const ended = counted();
  expect(agent.seen).toHaveLength(1);
  // From its acceptance to its result, without the looks in between.
  const all = { reads: begun.reads + ended.reads, writes: begun.writes + ended.writes };
  within(all, delegatedTask);
});
