import { describe, expect, it } from 'vitest';
import { adoptLateOutcome } from '../../shared/app/delegation/adopt-late-outcome.ts';
import { cancelRemote } from '../../shared/app/delegation/cancel-remote.ts';
import { coordinate, timeOut } from '../../shared/app/delegation/coordinate.ts';
import { handleWakeUp } from '../../shared/app/worker/handle-wake-up.ts';
import { pollSooner } from '../../shared/app/delegation/poll-sooner.ts';
import { projectRun } from '../../shared/app/change/project-run.ts';
import { purgeRun } from '../../shared/app/privacy/purge-run.ts';
import { resolveDependency } from '../../shared/app/delegation/resolve-dependency.ts';
import { rewrapKeys } from '../../shared/app/privacy/rewrap-keys.ts';
import { sweep, sweepRun } from '../../shared/app/worker/sweep.ts';
import { tightenAll } from '../../shared/app/privacy/tighten-all.ts';
import { tightenCeiling } from '../../shared/app/privacy/tighten-ceiling.ts';
import { isRefused } from '../../shared/domain/refusal.ts';
import type { ObligationKind } from '../../shared/domain/obligations.ts';
import type { WaitingForDependency } from '../../shared/domain/run.ts';
import type { Fields } from '../../shared/ports/backend.ts';
import { begun, row, sends, suspended, total, waitingWorld } from './waiting.ts';

const STATUS = 'waiting_for_the_moon';

/** A run that a newer version has put into a status of its own, with fields that only it knows. */
async function moonstruck(more: Fields = {}) {
  const made = waitingWorld({ baseUrl: 'https://holdfast.example', remote: { push: true } });
  const taskId = await begun(made.world);
  const before = await suspended(made.world, taskId);
  const path = `runs/${taskId}`;
  const { fields } = made.world.backend.peek(path) ?? { fields: {} };
  const moon = { status: STATUS, moon: { phase: 'new' }, dueAt: 1_000, purgeAt: 2_000, ...more };
  await made.world.backend.commit([], [{ path, fields: { ...fields, ...moon }, expect: 'any' }]);
  const stored = () => made.world.backend.peek(path);
  return { ...made, taskId, before, stored };
}

const KINDS: readonly ObligationKind[] = [
  'run',
  'check-lease',
  'deadline',
  'project',
  'purge',
  'poll',
  'dependency-deadline',
  'cancel-remote',
  'trail',
];

describe('a run with a status that this version does not know', () => {
  it('is still open to every reader', async () => {
    const { world, taskId, stored } = await moonstruck();
    const row = stored();
    expect(await world.state(taskId)).toBe('WORKING');
    const listed = await world.service.list(world.principal, {
      state: 'WORKING',
      includeArtifacts: false,
    });
    if (isRefused(listed)) throw new Error(listed.code);
    expect(listed.tasks.map((task) => task.taskId)).toEqual([taskId]);
    const over = new AbortController();
    const stream = await world.service.stream(
      world.principal,
      taskId,
      { until: 'terminal' },
      over.signal,
    );
    if (isRefused(stream)) throw new Error(stream.code);
    const frames: unknown[] = [];
    const reading = (async () => {
      for await (const frame of stream) frames.push(frame);
    })();
    await world.rest();
    expect(frames).toMatchObject([{ kind: 'task', task: { status: { state: 'WORKING' } } }]);
    over.abort();
    await reading;
    expect(stored()).toEqual(row);
  });

  it('takes no message and no cancel, and its context stays busy', async () => {
    const { world, taskId, stored } = await moonstruck();
    const row = stored();
    const { contextId } = await world.get(taskId);
    expect((await world.trySend([{ text: 'more' }], { taskId })).kind).toBe('refused');
    expect((await world.trySend([{ text: 'more' }], { contextId })).kind).toBe('refused');
    expect(await world.code(world.service.cancel(world.principal, taskId))).toBe(
      'TASK_NOT_CANCELABLE',
    );
    expect(stored()).toEqual(row);
  });

  it.each(KINDS)('is left alone by a wake-up of the kind %s', async (kind) => {
    const { world, taskId, peer, before, stored } = await moonstruck();
    const row = stored();
    await world.clock.advance(2 * 24 * 3_600_000);
    const wakeUp = { kind, taskId: before.taskId, revision: before.revision, at: 0 };
    expect(await handleWakeUp(world.app, wakeUp)).toBe('done');
    await coordinate(world.app, wakeUp);
    expect(stored()).toEqual(row);
    expect([total(peer.looks), total(peer.cancels)]).toEqual([0, 0]);
    expect(await world.state(taskId)).toBe('WORKING');
  });

  it('is left alone by the sweeper, the coordinator, operators and late answers', async () => {
    const { world, taskId, peer, before, stored } = await moonstruck();
    const seen = stored();
    const run = await row(world, taskId);
    const stale: WaitingForDependency = before;
    await world.clock.advance(2 * 24 * 3_600_000);
    await sweep(world.app);
    await sweepRun(world.app, run);
    await sweepRun(world.app, stale);
    await world.work();
    await timeOut(world.app, stale);
    await cancelRemote(world.app, run);
    const value = { status: 'completed' };
    await resolveDependency(world.app, stale, { resolution: 'completed', value });
    const [send] = sends(world, taskId);
    const operation = { taskId: 'remote-task-1', contextId: 'c' };
    await adoptLateOutcome(world.app, taskId, send?.messageId ?? '', {
      state: 'acknowledged',
      remoteTask: operation,
    });
    await pollSooner(world.app, [...peer.tasks.values()][0]?.push?.token ?? '');
    expect(await purgeRun(world.app, taskId)).toBe('in-use');
    for (const answer of ['redacted', 'metadata', 'none'] as const) {
      expect(await tightenCeiling(world.app, taskId, { answer })).toBe('unchanged');
    }
    expect(await tightenAll(world.app, { answer: 'none', dryRun: false })).toEqual({
      unchanged: 1,
    });
    await projectRun(world.app, taskId);
    await rewrapKeys(world.app);
    expect(stored()).toEqual(seen);
    expect(total(peer.cancels)).toBe(0);
  });

  it('that is behind with its projection is shown, and keeps what only the newer version knows', async () => {
    const { world, taskId, stored } = await moonstruck({ projectedRevision: 0 });
    await world.clock.advance(60_000);
    await projectRun(world.app, taskId);
    expect(stored()?.fields).toMatchObject({
      status: STATUS,
      moon: { phase: 'new' },
      dueAt: 1_000,
      purgeAt: 2_000,
      projectedRevision: 2,
      dependency: { remote: 'peer' },
    });
  });
});
