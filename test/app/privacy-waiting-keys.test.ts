import { describe, expect, it } from 'vitest';
import { rewrapKeys } from '../../shared/app/privacy/rewrap-keys.ts';
import { storeDecision } from '../../shared/app/decisions/store-decision.ts';
import { tightenAll } from '../../shared/app/privacy/tighten-all.ts';
import { RotatingSealer } from '../doubles/rotating-sealer.ts';
import {
  elsewhere,
  finished,
  given,
  type Moment,
  MOMENTS,
  type Scene,
  sceneAt,
} from './privacy-waiting.ts';
import { auditKeyDoc } from '../../shared/app/records/audit-document.ts';
import { rowOf } from './turn-loop-world.ts';
import { passes, total } from './waiting.ts';
import type { World } from './world.ts';

const resting = MOMENTS.filter(({ status }) => status !== 'running');

describe.each(resting)('$name', (moment) => {
  it('keys are rotated and the old master key goes: the run goes on with what it was given', async () => {
    const calm = await sceneAt(moment);
    await finished(moment, calm);
    const sealer = new RotatingSealer();
    const scene = await sceneAt(moment, { sealer });
    sealer.rotate();
    // The key of its run, and that of the audit record where an operator has acted.
    const audited = (await scene.world.app.store.get(auditKeyDoc)) === undefined ? 0 : 1;
    expect(await rewrapKeys(scene.world.app)).toMatchObject({
      rewrapped: 1 + audited,
      unreadable: 0,
    });
    sealer.destroyOlder();
    const other = await elsewhere(scene, { sealer });
    await finished(moment, scene, other);
    expect(await other.state(scene.taskId)).toBe('COMPLETED');
    expect(given(scene)).toEqual(given(calm));
  });

  it('the key service is away: nothing is lost and no process crashes, and the run goes on when it is back', async () => {
    const sealer = new RotatingSealer();
    const scene = await sceneAt(moment, { sealer });
    const other = await elsewhere(scene, { sealer });
    const before = await rowOf(other, scene.taskId);
    sealer.away = true;
    await Promise.resolve(moment.goOn(scene, other)).catch(() => undefined);
    await passes(other, 300_000, 20_000);
    expect(await rowOf(other, scene.taskId)).toMatchObject({
      status: before.status,
      steps: before.steps,
      attempts: 0,
      revision: before.revision,
    });
    sealer.away = false;
    await passes(other, 300_000, 20_000);
    await finished(moment, scene, other);
    expect(await other.state(scene.taskId)).toBe('COMPLETED');
    expect(total(scene.peer.sends)).toBe(moment.calls[0]?.name === 'peer' ? 1 : 0);
  });
});

/** The run at the moment, as another process finds it when the key of its content is gone. */
async function unreadable(
  moment: Moment,
): Promise<{ readonly scene: Scene; readonly world: World }> {
  const sealer = new RotatingSealer();
  const scene = await sceneAt(moment, { sealer });
  sealer.rotate();
  sealer.destroyOlder();
  return { scene, world: await elsewhere(scene, { sealer }) };
}

async function endsUnreadable({ taskId }: Scene, world: World): Promise<void> {
  expect(await world.get(taskId)).toMatchObject({
    status: { state: 'FAILED' },
    metadata: { reason: 'STATE_UNREADABLE' },
  });
  expect(await rowOf(world, taskId)).not.toHaveProperty('payloadKey');
  expect(world.logged.filter(({ event }) => event === 'row not swept')).toEqual([]);
}

const forPerson = MOMENTS.filter(
  ({ status }) => status === 'waiting_for_input' || status === 'waiting_for_approval',
);

describe('a key that is gone', () => {
  it.each(resting.filter((moment) => !forPerson.includes(moment)))(
    '$name: it ends FAILED with the reason, and the sweep and the coordinator go on',
    async (moment) => {
      const { scene, world } = await unreadable(moment);
      await passes(world, 300_000, 20_000);
      await endsUnreadable(scene, world);
      expect(total(scene.peer.sends)).toBe(moment.calls[0]?.name === 'peer' ? 1 : 0);
    },
  );

  it.each(
    forPerson.flatMap((moment) =>
      (['an answer', 'an operator', 'a cancel', 'a stricter policy'] as const).map((comes) => ({
        ...moment,
        comes,
      })),
    ),
  )('$name: every visitor finds it FAILED ($comes)', async (moment) => {
    const { scene, world } = await unreadable(moment);
    const { taskId } = scene;
    await passes(world, 60_000, 20_000);
    expect(await rowOf(world, taskId)).toMatchObject({ status: moment.status });
    switch (moment.comes) {
      case 'an answer':
        expect(await world.code(world.trySend([{ text: 'yes' }], { taskId }))).toBe(
          'TASK_TERMINAL',
        );
        break;
      case 'an operator': {
        const decision = { kind: 'deny', pauseGeneration: 1, digest: 'x' } as const;
        const operator = { kind: 'operator', subject: 'olga' } as const;
        expect(await storeDecision(world.app, operator, taskId, decision)).toMatchObject({
          code: 'PAUSE_OVER',
        });
        break;
      }
      case 'a cancel':
        expect(await world.code(world.service.cancel(world.principal, taskId))).toBe(
          'TASK_NOT_CANCELABLE',
        );
        break;
      case 'a stricter policy':
        expect(await tightenAll(world.app, { answer: 'redacted', dryRun: false })).toEqual({
          failed: 1,
        });
        break;
      default:
        moment.comes satisfies never;
    }
    await endsUnreadable(scene, world);
  });

  it('of a finished task: it can not be redacted, so it is removed, its plain archive first', async () => {
    for (const moment of resting.slice(0, 1)) {
      const sealer = new RotatingSealer();
      const scene = await sceneAt(moment, { sealer });
      await finished(moment, scene);
      sealer.rotate();
      sealer.destroyOlder();
      const world = await elsewhere(scene, { sealer });
      expect(await tightenAll(world.app, { answer: 'redacted', dryRun: false })).toEqual({
        purged: 1,
      });
      expect(world.blobs.objects.size).toBe(0);
    }
  });
});
