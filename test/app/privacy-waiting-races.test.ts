import { describe, expect, it } from 'vitest';
import { tightenCeiling } from '../../shared/app/privacy/tighten-ceiling.ts';
import { isRefused } from '../../shared/domain/refusal.ts';
import { Meanwhile } from './meanwhile.ts';
import {
  elsewhere,
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
import type { World } from './world.ts';

/**
 * An operator tightens a run at that moment, and something happens before one of the calls that
 * this makes.
 */
async function tighteningWhile(
  moment: Moment,
  answer: 'none' | 'redacted',
  at: number,
  happens: (scene: Scene, other: World) => Promise<unknown>,
): Promise<{ readonly scene: Scene; readonly over: boolean }> {
  const scene = await sceneAt(moment);
  return tighteningOf(moment, scene, answer, at, happens);
}

async function tighteningOf(
  moment: Moment,
  scene: Scene,
  answer: 'none' | 'redacted',
  at: number,
  happens: (scene: Scene, other: World) => Promise<unknown>,
): Promise<{ readonly scene: Scene; readonly over: boolean }> {
  const meanwhile = new Meanwhile(at);
  const operator = await elsewhere(scene, { seed: 3, ...meanwhile.options });
  const other = await elsewhere(scene, { seed: 4 });
  meanwhile.act = () => happens(scene, other);
  await tightenCeiling(operator.app, scene.taskId, { answer });
  const over = meanwhile.calls < at;
  await finished(moment, scene);
  return { scene, over };
}

describe.each(MOMENTS)('an operator who tightens $name', (moment) => {
  it.each(['none', 'redacted'] as const)(
    'to %s and a run that goes on meanwhile end with nothing that may not be kept',
    async (answer) => {
      for (let at = 1, over = false; !over; at += 1) {
        const told = await tighteningWhile(moment, answer, at, (scene) => finished(moment, scene));
        over = told.over;
        const { taskId, world } = told.scene;
        const where = `before call ${at}`;
        const task = await world.service.get(world.principal, taskId);
        const state = isRefused(task) ? task.code : task.status.state;
        const ends = answer === 'none' ? ['TASK_NOT_FOUND', 'FAILED'] : ['COMPLETED'];
        expect(ends, where).toContain(state);
        expect((await everyPath(world, taskId)).includes(SECRET), where).toBe(false);
        if (isRefused(task)) expect(objectsOf(world, taskId), where).toEqual([]);
        else expect(await rowOf(world, taskId), where).not.toHaveProperty('payloadKey');
        // What no run had learnt of can't be cancelled; it has come to its end all the same.
        for (const { state } of told.scene.peer.tasks.values()) expect(state).not.toBe('WORKING');
      }
    },
  );

  it.each(['none', 'redacted'] as const)(
    'and another who tightens it to %s at the same time agree on the stricter, and nothing is unreadable',
    async (second) => {
      const calm = await sceneAt(moment);
      await finished(moment, calm);
      for (let at = 1, over = false; !over; at += 1) {
        const told = await tighteningWhile(moment, 'redacted', at, ({ taskId }, other) =>
          tightenCeiling(other.app, taskId, { answer: second }),
        );
        over = told.over;
        const { taskId, world } = told.scene;
        const where = `before call ${at}`;
        const { metadata, status } = await world.get(taskId);
        const failed = second === 'none' && !over;
        expect(status.state, where).toBe(failed ? 'FAILED' : 'COMPLETED');
        if (failed) expect(metadata, where).toEqual({ reason: 'RESULT_NOT_KEPT' });
        else expect(given(told.scene), where).toEqual(given(calm));
        expect((await everyPath(world, taskId)).includes(SECRET), where).toBe(false);
      }
    },
  );
});

describe.each(MOMENTS.slice(0, 1))('two operators', (moment) => {
  it('who redact a finished task at the same time leave it redacted, and do not remove it', async () => {
    for (let at = 1, over = false; !over; at += 1) {
      const done = await sceneAt(moment);
      await finished(moment, done);
      const told = await tighteningOf(moment, done, 'redacted', at, ({ taskId }, other) =>
        tightenCeiling(other.app, taskId, { answer: 'redacted' }),
      );
      over = told.over;
      const { taskId, world } = told.scene;
      expect(await world.state(taskId), `before call ${at}`).toBe('COMPLETED');
      expect((await everyPath(world, taskId)).includes(SECRET), `before call ${at}`).toBe(false);
    }
  });
});

describe.each(MOMENTS.filter(({ cancels }) => cancels === 1))('a run $name', (moment) => {
  it('and gets to wait for its answer in the middle of the tightening leaves no remote task behind', async () => {
    for (let at = 1, over = false; !over; at += 1) {
      const begun = await sceneAt(moment);
      const still = { ...moment, goOn: () => begun.release() };
      const told = await tighteningOf(still, begun, 'none', at, ({ release, world }) => {
        release();
        return world.rest();
      });
      over = told.over;
      const { peer, taskId, world } = told.scene;
      expect(await world.state(taskId)).toBe('FAILED');
      expect([...peer.cancels.values()], `before call ${at}`).toEqual([1]);
      expect([...peer.tasks.values()]).toMatchObject([{ state: 'CANCELED' }]);
    }
  });
});
