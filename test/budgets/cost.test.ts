import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineAgent } from '../../shared/agent/index.ts';
import { runDoc } from '../../shared/app/records/documents.ts';
import { sweepRun } from '../../shared/app/worker/sweep.ts';
import { isRefused } from '../../shared/domain/refusal.ts';
import { defaults } from '../../shared/domain/settings.ts';
import type { Backend } from '../../shared/ports/backend.ts';
import { World } from '../app/world.ts';
import { countingBackend } from './counting-backend.ts';

/**
 * What docs/operating.md counts costs from. A minute in which an agent shows something every five
 * seconds.
 */
const counts = z.object({ reads: z.number(), writes: z.number(), deletes: z.number() });
const file = z.object({
  database: z.object({
    streamedMinute: counts,
    watchedMinute: counts,
    purgedMinute: counts,
    purgedShort: counts,
  }),
});
const text = await readFile(new URL('../../budgets.json', import.meta.url), 'utf8');
const { streamedMinute, watchedMinute, purgedMinute, purgedShort } = file.parse(
  JSON.parse(text),
).database;

const agent = defineAgent({
  name: 'minute',
  description: 'Shows something every five seconds.',
  async run(ctx) {
    if (ctx.text === 'short') return 'done';
    if (ctx.text === 'silent') return await clockSleep(10 * 60_000).then(() => 'done');
    for (let step = 1; step <= 12; step += 1) {
      await new Promise<void>((resolve) => world.clock.after(5_000, resolve));
      if (step < 12) await ctx.artifact({ artifactId: `${step}`, parts: `step ${step}` });
    }
    return 'done';
  },
});

const clockSleep = (span: number) => world.clock.sleep(span);

let deletes = 0;
let counter: ReturnType<typeof countingBackend> | undefined;
const world = new World(agent, {
  idempotency: 'always',
  wrap(backend: Backend) {
    counter = countingBackend({
      ...bound(backend),
      commit(checks, writes) {
        deletes += writes.filter(({ fields }) => fields === undefined).length;
        return backend.commit(checks, writes);
      },
    });
    return counter;
  },
});

function bound(backend: Backend): Backend {
  return {
    read: (paths) => backend.read(paths),
    commit: (checks, writes) => backend.commit(checks, writes),
    query: (query, after) => backend.query(query, after),
    count: (query) => backend.count(query),
    follow: (query, after, signal) => backend.follow(query, after, signal),
    watch: (path, signal) => backend.watch(path, signal),
    close: () => backend.close(),
  };
}

function counted() {
  const { reads = 0, writes = 0 } = counter?.counted() ?? {};
  const of = { reads, writes: writes - deletes, deletes };
  deletes = 0;
  return of;
}

test('a streamed minute and the purge after it cost no more than budgets.json says', async () => {
  // What a process reads once in some seconds is no task's cost.
  await world.app.shards.toRead();
  await world.app.pausedAgents.of(world.principal.agent);
  counted();
  const sent = await world.send('go');
  const frames: string[] = [];
  const request = { until: 'settled', afterRevision: sent.revision } as const;
  const { signal } = new AbortController();
  const stream = await world.service.stream(world.principal, sent.taskId, request, signal);
  if (isRefused(stream)) throw new Error(stream.code);
  const read = (async () => {
    for await (const { kind } of stream) frames.push(kind);
  })();
  await world.work();
  for (let step = 0; step < 13; step += 1) {
    await world.clock.advance(5_000);
    await world.rest();
  }
  await read;
  keeps(counted(), streamedMinute);
  expect(frames.length).toBeGreaterThan(12);
  expect(await world.state(sent.taskId)).toBe('COMPLETED');
  counted();

  keeps(await purged(sent.taskId), purgedMinute);
});

test('a minute of an agent that shows nothing costs its renewals and the watch on its row', async () => {
  await world.send('silent', { blocking: true });
  await world.work();
  await world.clock.advance(60_000);
  await world.rest();
  counted();
  await world.clock.advance(60_000);
  await world.rest();
  keeps(counted(), watchedMinute);
});

test('the purge of a short task costs no more than budgets.json says', async () => {
  const { taskId } = await world.send('short', { blocking: true });
  await world.work();
  expect(await world.state(taskId)).toBe('COMPLETED');
  keeps(await purged(taskId), purgedShort);
});

/**
 * What removing it costs when its retention is over: the sweeper's look at the row, and the purge
 * that it hands over.
 */
async function purged(taskId: string) {
  await world.clock.advance(defaults.retention);
  counted();
  const run = await world.app.store.get(runDoc(taskId));
  if (run !== undefined) await sweepRun(world.app, run);
  await world.work();
  const cost = counted();
  expect(await world.app.store.get(runDoc(taskId))).toBeUndefined();
  return cost;
}

function keeps(found: z.infer<typeof counts>, allowed: z.infer<typeof counts>): void {
  for (const name of ['reads', 'writes', 'deletes'] as const) {
    expect(found[name], `${name}: ${JSON.stringify(found)}`).toBeLessThanOrEqual(allowed[name]);
  }
}
