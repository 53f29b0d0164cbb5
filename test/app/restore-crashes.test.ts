import { describe, expect, it } from 'vitest';
import { defineAgent } from '../../shared/agent/index.ts';
import { sweep } from '../../shared/app/worker/sweep.ts';
import type { Backend } from '../../shared/ports/backend.ts';
import type { Blobs } from '../../shared/ports/blobs.ts';
import { afterLoss, restored } from './restoring.ts';
import { World } from './world.ts';
import { wrapped, wrappedBlobs } from './wrapped.ts';

const agent = defineAgent({
  name: 'short',
  description: 'Ends, or asks.',
  parallel: true,
  run: (ctx) => (ctx.text === 'ask' ? ctx.ask('Which?') : 'done'),
});

/** Three tasks that ended and two that wait, in two contexts. */
async function lost(): Promise<World> {
  const world = new World(agent);
  for (const [at, text] of ['one', 'ask', 'two', 'ask', 'three'].entries()) {
    await world.send(text, { contextId: `ctx-${at % 2}` });
    await world.work();
  }
  return world;
}

const rowsOf = (world: World) =>
  world.backend
    .everything()
    .filter(({ path }) => /^(runs|tasks)\/[^/]+$/.test(path))
    .map(({ path, fields }) => `${path} ${JSON.stringify(fields['status'] ?? fields['state'])}`)
    .toSorted((a, b) => a.localeCompare(b));

/** No fault of a service: nothing is tried again. */
class Crash extends Error {}

/** Calls of store and objects count together; the one with that number fails, before or after. */
function breaking(at: number, after: boolean) {
  const counter = { calls: 0 };
  async function call<T>(run: () => Promise<T>): Promise<T> {
    counter.calls += 1;
    // From then on nothing answers: the process is gone.
    if (counter.calls < at) return run();
    if (counter.calls === at && after) await run();
    throw new Crash();
  }
  return {
    counter,
    options: {
      wrap: (below: Backend) =>
        wrapped(below, {
          read: (paths) => call(() => below.read(paths)),
          commit: (...given) => call(() => below.commit(...given)),
        }),
      wrapBlobs: (below: Blobs) =>
        wrappedBlobs(below, {
          get: (name) => call(() => below.get(name)),
          put: (...given) => call(() => below.put(...given)),
          list: (...given) => call(() => below.list(...given)),
        }),
    },
  };
}

describe('a restore that breaks off at any call', () => {
  it('is finished by the next one, and comes to the same', async () => {
    const whole = await lost();
    const reference = afterLoss(whole, agent);
    const { counts } = await restored(reference);
    const { calls } = await callsOfOne();
    expect(calls).toBeGreaterThan(20);
    for (let at = 1; at <= calls; at += 1) {
      for (const after of [false, true]) {
        const before = await lost();
        const { options } = breaking(at, after);
        const broken = afterLoss(before, agent, options);
        await restored(broken).catch((error: unknown) => {
          if (!(error instanceof Crash)) throw error;
        });
        const next = new World(agent, { below: broken, wrapBlobs: () => before.blobs, seed: 9 });
        const second = await restored(next);
        const where = `call ${at}, ${after ? 'after' : 'before'}`;
        expect(second.problems, where).toEqual([]);
        expect(second.counts.restored + second.counts.present, where).toBe(counts.restored);
        expect(rowsOf(next), where).toEqual(rowsOf(reference));
        // What the broken one left undone is due, and done.
        await next.clock.advance(60_000);
        await sweep(next.app);
        await next.work();
        expect(copies(before), where).toEqual(copies(whole));
      }
    }
  });

  async function callsOfOne() {
    const { counter, options } = breaking(Number.POSITIVE_INFINITY, false);
    await restored(afterLoss(await lost(), agent, options));
    return counter;
  }
});

/** What the bucket says of each task. */
function copies({ blobs }: World): readonly unknown[] {
  const names = [...blobs.objects.keys()].filter((name) => name.endsWith('/task.json'));
  return names
    .toSorted((a, b) => a.localeCompare(b))
    .map((name) => {
      const body = Buffer.from(blobs.objects.get(name)?.body ?? []).toString('utf8');
      return [name, /TASK_STATE_[A-Z_]+/.exec(body)?.[0]];
    });
}
