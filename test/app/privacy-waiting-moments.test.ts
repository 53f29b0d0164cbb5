import { defineAgent } from '../../shared/agent/index.ts';
import { describe, expect, it } from 'vitest';
import { tightenCeiling } from '../../shared/app/tighten-ceiling.ts';
import { isRefused } from '../../shared/domain/refusal.ts';
import type { Backend } from '../../shared/ports/backend.ts';
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
import { World, type WorldOptions } from './world.ts';

/** Lets somebody else act just before one call to the store or to the objects. */
class Meanwhile {
  calls = 0;
  act: (() => Promise<unknown>) | undefined;
  #at: number;

  constructor(at: number) {
    this.#at = at;
  }

  async before<T>(run: () => Promise<T>): Promise<T> {
    this.calls += 1;
    if (this.calls === this.#at) await this.act?.();
    return run();
  }

  get options(): WorldOptions {
    return {
      wrap: (below): Backend => ({
        read: (paths) => this.before(() => below.read(paths)),
        commit: (...given) => this.before(() => below.commit(...given)),
        query: (...given) => below.query(...given),
        count: (query) => below.count(query),
        follow: (...given) => below.follow(...given),
        close: () => below.close(),
      }),
      wrapBlobs: (below) => ({
        get: (name) => this.before(() => below.get(name)),
        put: (...given) => this.before(() => below.put(...given)),
        delete: (name) => this.before(() => below.delete(name)),
        list: (...given) => below.list(...given),
      }),
    };
  }
}

interface Told extends Scene {
  /** The tightening came, and the task was there by then. */
  readonly acted: boolean;
}

const bystander = defineAgent({ name: 'bystander', description: 'Does nothing.', run: () => '' });

/** The whole story of a run, with the tightening just before that call. Undefined: there are not that many calls. */
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

const objectsOf = (world: World, taskId: string): readonly string[] =>
  [...world.blobs.objects.keys()].filter((name) => name.includes(taskId));

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
    expect(told).toBeGreaterThan(20);
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
        // Whose answer was lost nobody knows.
        if (moment.prepare === undefined) expect(state, where).not.toBe('WORKING');
      }
    }
    expect(told).toBeGreaterThan(20);
  });
});

/** An operator tightens a run at that moment, and something happens before one of the calls that this makes. */
async function tighteningWhile(
  moment: Moment,
  answer: 'none' | 'redacted',
  at: number,
  happens: (scene: Scene, other: World) => Promise<unknown>,
): Promise<{ readonly scene: Scene; readonly over: boolean }> {
  const scene = await sceneAt(moment);
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
