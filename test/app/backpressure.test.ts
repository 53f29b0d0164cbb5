import { describe, expect, it } from 'vitest';
import { defineAgent } from '../../shared/agent/index.ts';
import type { Backend } from '../../shared/ports/backend.ts';
import { Unavailable } from '../../shared/ports/faults.ts';
import { latch, World } from './world.ts';
import { makesPublic } from './wrapped.ts';

const LARGE = 'x'.repeat(100);
const settings = { progressBytes: 50 };

/**
 * Calls `before` with the number of each commit that publishes something, 1 for the task's
 * acceptance.
 */
function atPublications(before: (number: number) => Promise<void>): (backend: Backend) => Backend {
  let number = 0;
  return (backend) => ({
    read: (paths) => backend.read(paths),
    async commit(checks, writes) {
      if (makesPublic(writes)) {
        number += 1;
        await before(number);
      }
      return backend.commit(checks, writes);
    },
    query: (query, after) => backend.query(query, after),
    count: (query) => backend.count(query),
    follow: (query, after, signal) => backend.follow(query, after, signal),
    watch: (path, signal) => backend.watch(path, signal),
    close: () => backend.close(),
  });
}

describe('what piles up is committed before the agent may go on', () => {
  it('an agent that shows several large things at once waits for each of them', async () => {
    const gate = latch();
    const shown: number[] = [];
    const agent = defineAgent({
      name: 'agent',
      description: 'Shows much at once.',
      async run(ctx) {
        const show = async (n: number): Promise<void> => {
          await ctx.artifact({ artifactId: `a${n}`, parts: LARGE });
          shown.push(n);
        };
        await Promise.all([show(1), show(2), show(3)]);
      },
    });
    // Acceptance, claim, the first artifact: then the others have to wait.
    const wrap = atPublications((number) => (number === 4 ? gate.opened : Promise.resolve()));
    const world = new World(agent, { settings, wrap });
    const { taskId } = await world.send('go');
    await world.work();
    expect(shown).toEqual([1]);
    gate.open();
    await world.rest();
    expect(shown).toEqual([1, 2, 3]);
    expect(await world.state(taskId)).toBe('COMPLETED');
  });

  it('an object store that does not answer for a moment does not cost the claim', async () => {
    let runs = 0;
    const agent = defineAgent({
      name: 'agent',
      description: 'Shows something large.',
      async run(ctx) {
        runs += 1;
        await ctx.artifact({ artifactId: 'a', parts: 'y'.repeat(1_000) });
      },
    });
    const world = new World(agent, { settings: { ...settings, inlineContent: 500 } });
    const { blobs } = world;
    const put = blobs.put.bind(blobs);
    let failures = 2;
    blobs.put = (name, body, write) => {
      failures -= 1;
      return failures < 0 ? put(name, body, write) : Promise.reject(new Unavailable('the store'));
    };
    const { taskId } = await world.send('go');
    await world.work();
    await world.clock.advance(2_000);
    expect(await world.state(taskId)).toBe('COMPLETED');
    expect(runs).toBe(1);
  });
});
