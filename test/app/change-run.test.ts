import { describe, expect, it } from 'vitest';
import { defineAgent } from '../../shared/agent/index.ts';
import { changeRun } from '../../shared/app/change/change-run.ts';
import { newMemory } from '../../shared/app/change/run-change.ts';
import { adoptLateOutcome } from '../../shared/app/delegation/adopt-late-outcome.ts';
import { purgeRun } from '../../shared/app/privacy/purge-run.ts';
import { rewrapKeys } from '../../shared/app/privacy/rewrap-keys.ts';
import { tightenCeiling } from '../../shared/app/privacy/tighten-ceiling.ts';
import { publish } from '../../shared/domain/transitions.ts';
import type { Backend } from '../../shared/ports/backend.ts';
import { Unavailable } from '../../shared/ports/faults.ts';
import { begun, row, sends, suspended, waitingWorld } from './waiting.ts';
import { latch, World } from './world.ts';
import { withCommit, wrappedBlobs } from './wrapped.ts';

const gate = latch();
const agent = defineAgent({
  name: 'held',
  description: 'Works until it is let go.',
  async run() {
    await gate.opened;
    return 'done';
  },
});

/**
 * A world whose next commit is applied, while its answer gets lost; `between` happens before it is
 * asked again.
 */
async function losing(between: (world: World, taskId: string) => Promise<unknown>) {
  const armed = { losing: false };
  const lose = (below: Backend): Backend =>
    withCommit(below, async (...given) => {
      const outcome = await below.commit(...given);
      if (!armed.losing) return outcome;
      armed.losing = false;
      await between(world, taskId);
      throw new Unavailable('the store');
    });
  const world: World = new World(agent, { wrap: lose });
  const { taskId } = await world.send('go');
  await world.work();
  armed.losing = true;
  return { world, taskId };
}

describe('a change whose commit was applied and whose answer was lost (G12)', () => {
  it.each([
    ['no other commit came in between', async () => undefined],
    [
      'another change came in between',
      (world: World, taskId: string) =>
        changeRun(world.app, taskId, { decide: (run) => run, write: () => undefined }),
    ],
  ])('is made once: %s', async (_, between) => {
    const { world, taskId } = await losing(between);
    const before = await row(world, taskId);
    const outcome = await changeRun(world.app, before, {
      publish: { status: {} },
      decide: (run, now) => publish(run, run, now),
    });
    expect(outcome.kind).toBe('changed');
    expect((await row(world, taskId)).revision).toBe(before.revision + 1);
    expect(outcome.run?.revision).toBe(before.revision + 1);
  });

  it('is made once without a revision, too, although four others have committed since', async () => {
    const { world, taskId } = await losing(async (other, id) => {
      for (let commit = 0; commit < 4; commit += 1)
        await changeRun(other.app, id, { decide: (run) => run, write: () => undefined });
    });
    let made = 0;
    const outcome = await changeRun(world.app, taskId, {
      decide: (run) => ({ ...run, attempts: run.attempts + 1 }),
      write: () => {
        made += 1;
      },
    });
    expect(outcome.kind).toBe('changed');
    expect(made).toBe(1);
    expect((await row(world, taskId)).attempts).toBe(1);
  });
});

it('a change that is applied after a look for it had found nothing is made once (G1, G12)', async () => {
  let onItsWay: (() => Promise<unknown>) | undefined;
  const armed = { late: false };
  const world = new World(agent, {
    wrap: (below) =>
      withCommit(below, async (...given) => {
        if (!armed.late) return below.commit(...given);
        armed.late = false;
        onItsWay = () => below.commit(...given);
        throw new Unavailable('the store');
      }),
  });
  const { taskId } = await world.send('go');
  await world.work();
  const before = await row(world, taskId);
  armed.late = true;
  const memory = newMemory(world.app);
  const outcome = await persisting(() =>
    changeRun(world.app, before, {
      memory,
      publish: { status: {} },
      async read() {
        const arrive = onItsWay;
        if (arrive === undefined) return {};
        onItsWay = undefined;
        await arrive();
        throw new Unavailable('the store');
      },
      decide: (run, now) => publish(run, run, now),
    }),
  );
  expect(outcome.kind).toBe('changed');
  expect((await row(world, taskId)).revision).toBe(before.revision + 1);
});

/** As a worker repeats what met a passing fault. */
async function persisting<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return persisting(change);
  }
}

describe('a change that is sealed for a run', () => {
  it('is sealed anew when the run got another key before it was committed', async () => {
    const { world, taskId } = await losing(async () => undefined);
    const sealedFor: number[] = [];
    const outcome = await changeRun(world.app, await row(world, taskId), {
      async seal({ run }) {
        sealedFor.push(run.scrubbedRevision);
        if (sealedFor.length === 1) await tightenCeiling(world.app, taskId, { answer: 'redacted' });
        return { for: run.scrubbedRevision };
      },
      decide: (run) => run,
      write: (_tx, next, sealed) => expect(sealed.for).toBe(next.scrubbedRevision),
    });
    expect(outcome.kind).toBe('changed');
    expect(sealedFor).toHaveLength(2);
  });

  it('opens no key where it seals nothing', async () => {
    const { world, taskId } = await losing(async () => undefined);
    const run = await row(world, taskId);
    const keys = { ...world.app.keys, unwrap: () => Promise.reject(new Unavailable('keys')) };
    const outcome = await changeRun({ ...world.app, keys }, run, { decide: (current) => current });
    expect(outcome.kind).toBe('changed');
  });
});

it('a purge that dies behind its first commit has destroyed the key and the view (G9)', async () => {
  const world = new World(agent, {
    wrapBlobs: (below) =>
      wrappedBlobs(below, { list: () => Promise.reject(new Unavailable('objects')) }),
  });
  const { taskId } = await world.send('go');
  await world.work();
  await world.service.cancel(world.principal, taskId);
  await expect(purgeRun(world.app, taskId)).rejects.toThrow(Unavailable);
  const run = await row(world, taskId);
  expect(run.status).toBe('purging');
  expect(run.wrappedKey).toHaveLength(0);
  expect(await world.code(world.service.get(world.principal, taskId))).toBe('TASK_NOT_FOUND');
  // Its key is gone, so there is nothing to wrap anew.
  expect(await rewrapKeys(world.app)).toMatchObject({ rewrapped: 0, unreadable: 0 });
});

it('a run that is suspended while the late answer to its send comes in waits for that very task', async () => {
  const remoteTask = { taskId: 'late', contextId: 'theirs' };
  const armed = { late: true };
  const { world } = waitingWorld({
    // No answer, and nothing can be found: the send's outcome is unknown.
    peer: { canList: false },
    wrap: (below) =>
      withCommit(below, async (checks, writes) => {
        const suspends = writes.find(
          ({ fields }) => fields?.['status'] === 'waiting_for_dependency',
        );
        if (suspends !== undefined && armed.late) {
          armed.late = false;
          const [send] = sends(world, suspends.path.slice('runs/'.length));
          const late = { state: 'acknowledged', remoteTask } as const;
          const taskId = suspends.path.slice('runs/'.length);
          const outcome = await adoptLateOutcome(world.app, taskId, send?.messageId ?? '', late);
          expect(outcome.kind).toBe('changed');
        }
        return below.commit(checks, writes);
      }),
    remotes: {
      send: () => Promise.resolve({ kind: 'outcome_unknown', reason: 'timeout' }),
      poll: () => Promise.resolve({ kind: 'failed', reason: 'away' }),
      find: () => Promise.resolve(undefined),
      cancel: () => Promise.resolve({ kind: 'not_sent', reason: 'away' }),
    },
  });
  const taskId = await begun(world);
  const { dependency } = await suspended(world, taskId);
  expect(dependency.operation).not.toBeNull();
  expect(sends(world, taskId)).toMatchObject([{ state: 'acknowledged' }]);
});
