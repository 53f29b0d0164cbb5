import { describe, expect, it } from 'vitest';
import { purgeDue } from '../../shared/app/privacy/purge-due.ts';
import { purgeRun } from '../../shared/app/privacy/purge-run.ts';
import { sweep } from '../../shared/app/worker/sweep.ts';
import { Unavailable } from '../../shared/ports/faults.ts';
import { remoteAt } from '../fixtures/remotes/remote.ts';
import { everyPath, finished, type Moment, MOMENTS, sceneAt } from './privacy-waiting.ts';
import { SECRET } from './shapes.ts';
import { rowOf } from './turn-loop-world.ts';
import { passes } from './waiting.ts';
import type { World } from './world.ts';
import { withCommit, wrappedBlobs } from './wrapped.ts';

const day = 24 * 60 * 60 * 1_000;
const long = { runDeadline: 90 * day, dependencyDeadlineMax: 90 * day };
const at = (status: string): Moment => {
  const moment = MOMENTS.find((each) => each.status === status);
  if (moment === undefined) throw new Error(status);
  return moment;
};
const remotes = [
  remoteAt('https://peer.example/card', { deadline: 90 * day, push: true, pollInterval: day }),
];

/** Rows and objects of a task, and pushes, which do not name it in their path. */
function left(world: World, taskId: string): readonly string[] {
  const rows = world.backend
    .everything()
    // The audit record outlives the run, and has no content of it (decision 0062).
    .filter(({ path }) => !path.startsWith('audit/'))
    .filter(({ fields, path }) => path.includes(taskId) || fields['taskId'] === taskId)
    .map(({ path }) => path);
  return [...rows, ...[...world.blobs.objects.keys()].filter((name) => name.includes(taskId))];
}

const kindsOf = (world: World, taskId: string): readonly string[] => [
  ...new Set(
    left(world, taskId).flatMap((path) => path.split('/').filter((part) => /^[a-z]+$/.test(part))),
  ),
];

/** Days pass, and the sweeper comes once in each. */
async function days(world: World, count: number): Promise<void> {
  for (let passed = 0; passed < count; passed += 1) {
    await world.clock.advance(day);
    await sweep(world.app);
    await world.work();
  }
}

describe('retention of runs that wait', () => {
  it.each(['waiting_for_approval', 'waiting_for_input'])(
    '%s for a person too long, a run goes by its own window, and everything it worked with goes, too',
    async (status) => {
      const settings = { waitingRetention: 3 * day, retention: 10 * day, inlineContent: 40 };
      const { taskId, world } = await sceneAt(at(status), { settings });
      expect(kindsOf(world, taskId)).toEqual(
        expect.arrayContaining(['steps', 'pauses', 'payload']),
      );
      await days(world, 2);
      expect(await rowOf(world, taskId)).toMatchObject({ status });
      await days(world, 2);
      // It ends first, so that its caller learns why; nothing that it held opens any more.
      expect(await world.get(taskId)).toMatchObject({
        status: { state: 'FAILED' },
        metadata: { reason: 'WAIT_ENDED' },
        artifacts: [],
      });
      expect(await everyPath(world, taskId)).not.toContain(SECRET);
      await days(world, 2);
      expect(left(world, taskId)).toEqual([]);
      await world.send('next', { contextId: 'ctx' });
    },
  );

  it('a decision ends the waiting window', async () => {
    const settings = { waitingRetention: 3 * day, retention: 30 * day };
    const moment = at('waiting_for_approval');
    const scene = await sceneAt(moment, { settings });
    await days(scene.world, 2);
    await finished(moment, scene);
    await days(scene.world, 2);
    expect(await scene.world.state(scene.taskId)).toBe('COMPLETED');
  });

  it('a run that waits for a remote agent is in use however long that takes, and is never purged', async () => {
    const settings = { ...long, waitingRetention: day, retention: day };
    const scene = await sceneAt(at('waiting_for_dependency'), { settings }, { remotes });
    const { taskId, world } = scene;
    await days(world, 40);
    expect(await purgeRun(world.app, taskId)).toBe('in-use');
    expect(await purgeDue(world.app, false)).toMatchObject({ seen: 1, ended: 0, waiting: 0 });
    expect(await rowOf(world, taskId)).toMatchObject({
      status: 'waiting_for_dependency',
      purgeAt: null,
    });
  });

  it.each(MOMENTS)('$name and ended, what it worked with goes with the purge', async (moment) => {
    const settings = { retention: 2 * day, inlineContent: 40 };
    const scene = await sceneAt(
      moment,
      { settings },
      { remotes: remotes.map((remote) => ({ ...remote, pollInterval: 15_000 })) },
    );
    const { taskId, world } = scene;
    await finished(moment, scene);
    const kinds = kindsOf(world, taskId);
    expect(kinds).toEqual(expect.arrayContaining(['steps', 'payload']));
    const delegates = moment.calls[0]?.name === 'peer';
    for (const kind of ['sends', 'pauses']) if (delegates) expect(kinds).toContain(kind);
    await days(world, 1);
    expect(left(world, taskId)).not.toEqual([]);
    await days(world, 2);
    expect(left(world, taskId)).toEqual([]);
  });
});

describe('a purge that is interrupted', () => {
  const settings = { inlineContent: 40, transactionDeadline: 0 };

  /**
   * A purge whose call of that number fails, before or after it took effect. Answers what is there
   * then.
   */
  async function interrupted(moment: Moment, fails: number, when: 'before' | 'after') {
    let calls = 0;
    let armed = false;
    const call = async <T>(run: () => Promise<T>): Promise<T> => {
      if (armed) calls += 1;
      if (!armed || calls !== fails) return run();
      if (when === 'after') await run();
      throw new Unavailable('service');
    };
    const scene = await sceneAt(
      moment,
      {
        settings,
        wrap: (backend) =>
          withCommit(backend, (checks, writes) => call(() => backend.commit(checks, writes))),
        wrapBlobs: (blobs) =>
          wrappedBlobs(blobs, { delete: (name) => call(() => blobs.delete(name)) }),
      },
      { remotes: remotes.map((remote) => ({ ...remote, pollInterval: 15_000 })) },
    );
    if (!moment.status.startsWith('waiting_for_a')) await finished(moment, scene);
    armed = true;
    await purgeRun(scene.world.app, scene.taskId).catch(() => undefined);
    armed = false;
    return { ...scene, over: calls < fails };
  }

  it.each([
    ['of a run that delegated', at('waiting_for_dependency')],
    ['of a run that waits for an approval', at('waiting_for_approval')],
  ] as const)('%s goes on, from wherever it was, until nothing is left', async (_what, moment) => {
    for (const when of ['before', 'after'] as const) {
      for (let fails = 1, over = false; !over; fails += 1) {
        const cut = await interrupted(moment, fails, when);
        over = cut.over;
        const { taskId, world } = cut;
        const half = await world.code(world.service.get(world.principal, taskId));
        const begun = fails > 1 || when === 'after';
        expect(half, `${when} ${fails}`).toBe(begun ? 'TASK_NOT_FOUND' : undefined);
        if (!begun) await purgeRun(world.app, taskId);
        await passes(world, 60_000, 20_000);
        expect(left(world, taskId), `${when} ${fails}`).toEqual([]);
        if (fails > 40) throw new Error('it never ends');
      }
    }
  });
});
