import { describe, expect, it } from 'vitest';
import { defineAgent } from '../../shared/agent/index.ts';
import { tightenCeiling } from '../../shared/app/privacy/tighten-ceiling.ts';
import { isRefused } from '../../shared/domain/refusal.ts';
import { Meanwhile } from './meanwhile.ts';
import {
  everyPath,
  finished,
  given,
  type Moment,
  MOMENTS,
  objectsOf,
  type Scene,
  sceneAt,
} from './privacy-waiting.ts';
import { SECRET } from './shapes.ts';
import { rowOf } from './turn-loop-world.ts';
import { total } from './waiting.ts';
import { World } from './world.ts';

interface Told extends Scene {
  /** The tightening came, and the task was there by then. */
  readonly acted: boolean;
}

const bystander = defineAgent({ name: 'bystander', description: 'Does nothing.', run: () => '' });

/**
 * The whole story of a run, with the tightening just before that call. Undefined: there are not
 * that many calls.
 */
async function tell(
  moment: Moment,
  answer: 'none' | 'redacted',
  at: number,
): Promise<Told | undefined> {
  const base = new World(bystander);
  const other = new World(bystander, { below: base, seed: 3 });
  const meanwhile = new Meanwhile(at);
  let acted = false;
  meanwhile.act = async () => {
    const [run] = other.backend.all('runs');
    if (run === undefined) return;
    acted = true;
    await tightenCeiling(other.app, run.path.slice('runs/'.length), { answer });
  };
  const scene = await sceneAt(moment, { below: base, ...meanwhile.options });
  await finished(moment, scene);
  return meanwhile.calls < at ? undefined : { ...scene, acted };
}

/** Every such story in which there was something to tighten. */
async function* stories(moment: Moment, answer: 'none' | 'redacted') {
  for (let at = 1; ; at += 1) {
    const told = await tell(moment, answer, at);
    if (told === undefined) return;
    if (told.acted) yield { ...told, where: `before call ${at}` };
  }
}

describe.each(MOMENTS)('the story of a run $name', (moment) => {
  it('tightened to redacted before any call of the store, it completes with what it was really given', async () => {
    const calm = await sceneAt(moment);
    await finished(moment, calm);
    let told = 0;
    for await (const scene of stories(moment, 'redacted')) {
      const { peer, taskId, where, world } = scene;
      told += 1;
      expect(await world.get(taskId), where).toMatchObject({
        status: { state: 'COMPLETED', message: { parts: [{ text: 'done [removed]' }] } },
      });
      expect(await everyPath(world, taskId), where).not.toContain(SECRET);
      expect(given(scene), where).toEqual(given(calm));
      expect(total(peer.sends), where).toBe(total(calm.peer.sends));
      expect(total(peer.cancels), where).toBe(0);
    }
    expect(told).toBeGreaterThan(10);
  });

  it('tightened to none before any call of the store, nothing of it is left, and no remote task goes on', async () => {
    let told = 0;
    for await (const { peer, taskId, where, world } of stories(moment, 'none')) {
      told += 1;
      const task = await world.service.get(world.principal, taskId);
      // What had ended by then is removed.
      if (isRefused(task)) {
        expect(task.code, where).toBe('TASK_NOT_FOUND');
        expect(objectsOf(world, taskId), where).toEqual([]);
      } else {
        const reason = 'RESULT_NOT_KEPT';
        expect(task, where).toMatchObject({ status: { state: 'FAILED' }, metadata: { reason } });
        expect(await rowOf(world, taskId), where).not.toHaveProperty('payloadKey');
      }
      expect((await everyPath(world, taskId)).includes(SECRET), where).toBe(false);
      for (const { state, taskId: remote } of peer.tasks.values()) {
        expect(peer.cancels.get(remote) ?? 0, where).toBeLessThanOrEqual(1);
        // A task whose answer was lost is not known.
        if (moment.lost === undefined) expect(state, where).not.toBe('WORKING');
      }
    }
    expect(told).toBeGreaterThan(10);
  });
});
