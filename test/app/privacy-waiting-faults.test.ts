import { describe, expect, it } from 'vitest';
import { tightenCeiling } from '../../shared/app/privacy/tighten-ceiling.ts';
import { Unavailable } from '../../shared/ports/faults.ts';
import {
  elsewhere,
  everyPath,
  finished,
  given,
  type Moment,
  MOMENTS,
  type Scene,
  sceneAt,
} from './privacy-waiting.ts';
import { SECRET } from './shapes.ts';
import { rowOf } from './turn-loop-world.ts';
import { total } from './waiting.ts';
import type { World, WorldOptions } from './world.ts';
import { withCommit, wrappedBlobs } from './wrapped.ts';

/** Before or after the call took effect; the process goes on without an answer, or dies there. */
const FAULTS = ['before', 'after', 'crash-before', 'crash-after'] as const;
type Fault = (typeof FAULTS)[number];

const settings = { inlineContent: 300, workingSnapshot: 300, transactionDeadline: 0 };

/** One of each kind; what they share with the others is told elsewhere. */
const moments = MOMENTS.filter(({ lost, name }) => lost === undefined && !/answer of/.test(name));

/** Breaks one write to the store or to the objects, counted from when it is armed. */
class Breaking {
  armed = false;
  calls = 0;
  #dead = false;
  readonly #at: number;
  readonly #fault: Fault;

  constructor(at: number, fault: Fault) {
    this.#at = at;
    this.#fault = fault;
  }

  async call<T>(run: () => Promise<T>): Promise<T> {
    if (this.#dead) throw new Unavailable('a dead process');
    if (!this.armed) return run();
    this.calls += 1;
    if (this.calls !== this.#at) return run();
    if (this.#fault.endsWith('after')) await run();
    this.#dead = this.#fault.startsWith('crash');
    throw new Unavailable('the service');
  }

  get options(): WorldOptions {
    return {
      settings,
      wrap: (backend) => ({
        ...withCommit(backend, (checks, writes) => this.call(() => backend.commit(checks, writes))),
        read: (paths) => (this.#dead ? this.call(() => backend.read(paths)) : backend.read(paths)),
      }),
      wrapBlobs: (blobs) =>
        wrappedBlobs(blobs, {
          put: (...write) => this.call(() => blobs.put(...write)),
          delete: (name) => this.call(() => blobs.delete(name)),
        }),
    };
  }
}

interface Told {
  readonly scene: Scene;
  readonly world: World;
  /** The tightening makes fewer writes than that. */
  readonly over: boolean;
}

/**
 * The run is tightened with a fault at that write; the operator repeats it elsewhere, and then it
 * goes on there.
 */
async function told(
  moment: Moment,
  answer: 'none' | 'redacted',
  at: number,
  fault: Fault,
): Promise<Told> {
  const breaking = new Breaking(at, fault);
  const scene = await sceneAt(moment, breaking.options);
  breaking.armed = true;
  await tightenCeiling(scene.world.app, scene.taskId, { answer }).catch(() => undefined);
  breaking.armed = false;
  const world = await elsewhere(scene, { settings });
  await tightenCeiling(world.app, scene.taskId, { answer });
  await finished(moment, scene, world);
  await scene.world.rest();
  return { scene, world, over: breaking.calls < at };
}

describe.each(moments)('$name', (moment) => {
  it.each(FAULTS)(
    'a fault (%s) at any write of a tightening to redacted changes nothing about how it goes on',
    async (fault) => {
      const calm = await sceneAt(moment, { settings });
      await finished(moment, calm);
      for (let at = 1, over = false; !over; at += 1) {
        const { scene, world, ...rest } = await told(moment, 'redacted', at, fault);
        over = rest.over;
        const where = `write ${at}`;
        expect(await world.get(scene.taskId), where).toMatchObject({
          status: { state: 'COMPLETED', message: { parts: [{ text: 'done [removed]' }] } },
        });
        expect((await everyPath(world, scene.taskId)).includes(SECRET), where).toBe(false);
        expect(given(scene), where).toEqual(given(calm));
        expect(total(scene.peer.sends), where).toBe(total(calm.peer.sends));
        expect(total(scene.peer.cancels), where).toBe(0);
      }
    },
  );

  it.each(FAULTS)(
    'a fault (%s) at any write of a tightening to none leaves nothing to read, and no remote task but an unknown one',
    async (fault) => {
      for (let at = 1, over = false; !over; at += 1) {
        const { scene, world, ...rest } = await told(moment, 'none', at, fault);
        over = rest.over;
        const where = `write ${at}`;
        expect(await world.get(scene.taskId), where).toMatchObject({
          status: { state: 'FAILED' },
          metadata: { reason: 'RESULT_NOT_KEPT' },
          artifacts: [],
        });
        expect((await everyPath(world, scene.taskId)).includes(SECRET), where).toBe(false);
        const run = await rowOf(world, scene.taskId);
        expect(run, where).toMatchObject({ scrubPending: false, hasInput: false });
        expect(run, where).not.toHaveProperty('payloadKey');
        expect(run, where).not.toHaveProperty('orphans');
        if (moment.status !== 'running')
          expect(total(scene.peer.cancels), where).toBe(moment.cancels);
        else expect(total(scene.peer.cancels), where).toBeLessThanOrEqual(1);
      }
    },
  );
});
