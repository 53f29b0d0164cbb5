import { describe, expect, it } from 'vitest';
import { readTrail } from '../../shared/app/content/read-trail.ts';
import { endTrail } from '../../shared/app/privacy/end-trail.ts';
import { tightenCeiling } from '../../shared/app/privacy/tighten-ceiling.ts';
import { isFault } from '../../shared/ports/faults.ts';
import { call, ScriptedModel } from '../../testing/scripted-model.ts';
import { Breaking, BREAKS } from '../../testing/breaking.ts';
import { everythingGranted, finish, modelAgent, rowOf } from './turn-loop-world.ts';
import { World } from './world.ts';

const SECRET = 'a-secret-word';
const KEPT = 60_000;

/** A run that has ended, whose trail is kept in full. */
async function ended() {
  const model = new ScriptedModel({ calls: [call('look', { at: SECRET })] }, { text: 'done' });
  const agent = modelAgent(model);
  const ports = {
    grants: everythingGranted,
    installation: { answer: 'metadata', audit: 'full' },
    settings: { trailRetention: KEPT },
  } as const;
  const world = new World(agent, ports);
  const { taskId } = await world.send('go');
  await finish(world);
  return { agent, ports, taskId, world };
}

/** How what was said in the steps of a run comes to be destroyed. */
const WAYS = [
  ['its time is over', (by: World, taskId: string) => endTrail(by.app, taskId)],
  [
    'it is tightened',
    (by: World, taskId: string) => tightenCeiling(by.app, taskId, { audit: 'metadata' }),
  ],
] as const;

describe.each(WAYS)('a trail whose words are to go because %s', (_, destroy) => {
  it.each(BREAKS)(
    'loses them at one commit, and nothing else, when a call breaks (%s)',
    async (how) => {
      for (let at = 1; ; at += 1) {
        const { agent, ports, taskId, world } = await ended();
        const breaking = new Breaking(at, how);
        const wrap = (below: Parameters<Breaking['store']>[0]) => breaking.store(below);
        const other = new World(agent, { ...ports, below: world, wrap });
        await world.clock.advance(KEPT + 1);
        await other.clock.advance(KEPT + 1);
        const first = destroy(other, taskId).catch((error: unknown) => {
          if (!isFault(error)) throw error;
        });
        await Promise.race([first, other.rest()]);
        const between = await readTrail(world.app, await rowOf(world, taskId), { words: true });
        expect(between.steps).toHaveLength(4);
        const whole = between.level === 'full';
        expect(JSON.stringify(between.steps).includes(SECRET), `call ${at}`).toBe(whole);
        // The next process does what is left.
        await destroy(world, taskId);
        const { level, steps } = await readTrail(world.app, await rowOf(world, taskId), {
          words: true,
        });
        expect(level, `call ${at}`).toBe('metadata');
        expect(JSON.stringify(steps)).not.toContain(SECRET);
        expect(steps.map(({ kind }) => kind)).toEqual(['answer', 'turn', 'result', 'turn']);
        if (breaking.calls < at) return;
      }
    },
  );
});
