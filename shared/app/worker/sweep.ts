import { isPaused, notCounting } from '../../domain/agent-pause.ts';
import type { Millis } from '../../domain/brand.ts';
import { dueNow, repeatsDue } from '../../domain/obligations.ts';
import { isEnded, type Run, type Running, tryOf } from '../../domain/run.ts';
import { strictest } from '../../domain/ceiling.ts';
import { withErrors } from '../../domain/agent-error.ts';
import { isActive, lapsed, late, requeue, exhaustedReason } from '../../domain/transitions.ts';
import { Unreadable } from '../../ports/faults.ts';
import type { Cursor, Entry, Query } from '../../ports/store.ts';
import type { Span } from '../../ports/tracer.ts';
import type { App } from '../app.ts';
import { changeRun } from '../change/change-run.ts';
import { countCosts } from '../change/count-costs.ts';
import { countEnded } from '../counters/count-ended.ts';
import { removeOldCosts } from '../counters/remove-old-costs.ts';
import { failRun } from '../change/end-run.ts';
import { failScrubbed } from '../change/fail-scrubbed.ts';
import { removeOldApiKeys } from '../callers/remove-old-api-keys.ts';
import { removeIdleBuckets } from '../limits/remove-idle-buckets.ts';
import { isTimeSteady } from '../records/steady-time.ts';
import { endAudit } from '../privacy/end-audit.ts';
import { purgeReceipts } from '../privacy/purge-run.ts';
import { readableRunCodec } from '../records/run-document.ts';
import { tracedFrom, tracedOf } from '../tracing.ts';
import { reportApprovalAge } from './approval-age.ts';
import { measureBacklog } from './measure-backlog.ts';
import { handOverPurges, purgesApart } from './purge-batches.ts';
import { faultName, wakeUp } from '../wake-up.ts';
import { handOverNotices } from '../notices/hand-over-notices.ts';
import { sweepSchedules } from '../schedules/sweep-schedules.ts';
import { sweepWebhooks } from '../webhooks/sweep-webhooks.ts';

const PAGE = 100;
/**
 * Most rows only need a wake-up, which is a call to the queue: one after the other they would hold
 * up the rows behind them.
 */
const AT_ONCE = 4;
/** So that a shard with much to do holds up none that comes later. */
export const SHARDS_AT_ONCE = 32;

/** Rows of one shard that are due, earliest first. */
const dueRuns = (shard: number, until: Millis): Query<Run | undefined> => ({
  collection: 'runs',
  codec: readableRunCodec,
  filters: [{ field: 'shard', equals: shard }],
  order: { field: 'dueAt', direction: 'asc' },
  to: { value: until, inclusive: true },
  limit: PAGE,
});

/**
 * Acts on every row whose time has come: repeats lost wake-ups, takes runs from lost workers, ends
 * what is past its deadline (G24). Safe to run anywhere, at any time, twice at once. Returns how
 * many rows it read.
 */
export function sweep(app: App, signal?: AbortSignal): Promise<number> {
  return tracedFrom(
    app,
    'sweep',
    undefined,
    () => ({}),
    async (traceable, span) => {
      const rows = await sweepShards(traceable, signal);
      span?.set({ rows });
      return rows;
    },
  );
}

async function sweepShards(app: App, signal: AbortSignal | undefined): Promise<number> {
  const until = app.clock.now() - app.settings.sweepGrace;
  if (await isTimeSteady(app)) {
    await purgeReceipts(app);
    await removeIdleBuckets(app);
    await removeOldApiKeys(app);
    await removeOldCosts(app);
    await endAudit(app);
  }
  await handOverNotices(app);
  await reportApprovalAge(app);
  await measureBacklog(app);
  const { runs: count } = await app.shards.toRead();
  let seen = await sweepSchedules(app, signal);
  for (let from = 0; from < count; from += SHARDS_AT_ONCE) {
    const shards = Array.from(
      { length: Math.min(SHARDS_AT_ONCE, count - from) },
      (_, n) => from + n,
    );
    const rows = await Promise.all(
      shards.flatMap((shard) => [
        sweepShard(app, shard, until, signal),
        sweepWebhooks(app, shard, until, signal),
        countShard(app, shard, signal),
      ]),
    );
    seen += rows.reduce((sum, each) => sum + each, 0);
  }
  return seen;
}

async function sweepShard(
  app: App,
  shard: number,
  until: Millis,
  signal: AbortSignal | undefined,
): Promise<number> {
  let seen = 0;
  let after: Cursor | undefined;
  do {
    if (signal?.aborted) return seen;
    const page = await app.store.page(dueRuns(shard, until), after);
    const { batches, others } = purgesApart(page, app.clock.now());
    for (const batch of batches) await handOverPurges(app, batch);
    for (let at = 0; at < others.length; at += AT_ONCE) {
      await Promise.all(others.slice(at, at + AT_ONCE).map((row) => sweepRow(app, row)));
    }
    seen += page.length;
    after = page.length === PAGE ? page.at(-1)?.cursor : undefined;
  } while (after !== undefined);
  return seen;
}

async function sweepRow(app: App, { id, value }: Entry<Run | undefined>): Promise<void> {
  if (value !== undefined) await sweepRun(app, value);
  else app.log.write('error', 'row not readable', { task: id });
}

/** What models used, and what has ended: numbers for operators, which hold nothing else up. */
async function countShard(
  app: App,
  shard: number,
  signal: AbortSignal | undefined,
): Promise<number> {
  try {
    await countEnded(app, shard);
    return await countCosts(app, shard, Number.POSITIVE_INFINITY, signal);
  } catch (error) {
    app.log.write('warning', 'shard not counted', { shard, fault: faultName(error) });
    return 0;
  }
}

/**
 * One row that can't be served must not keep the others waiting: its fault is logged, and it is due
 * again next time.
 */
export function sweepRun(app: App, run: Run): Promise<void> {
  const given = () => ({
    attributes: { task: run.taskId, status: run.status, fence: run.fence, attempts: run.attempts },
  });
  return tracedOf(app, run, 'reap', given, (traceable, span) => act(traceable, run, span));
}

async function act(app: App, run: Run, span: Span | undefined): Promise<void> {
  try {
    await serve(app, run);
  } catch (error) {
    const fault = faultName(error);
    span?.fail(fault);
    app.log.write('error', 'row not swept', { task: run.taskId, status: run.status, fault });
  }
}

async function serve(app: App, run: Run): Promise<void> {
  try {
    const now = app.clock.now();
    const pauses = run.status === 'queued' ? await app.pausedAgents.of(run.agent) : [];
    const isLate = (current: Run, at: Millis): boolean =>
      late(notCounting(current, pauses, at), at);
    if (isLate(run, now))
      return (await isTimeSteady(app)) ? await failLate(app, run, isLate) : undefined;
    // Where a clock may leap, what this process does itself is the better witness: a lease that it
    // can't renew it gives up.
    const worksHere = app.steadyTime !== undefined && app.segments.has(run.taskId);
    if (lapsed(run, now)) return worksHere ? undefined : await reap(app, run);
    const kinds = dueNow(run, now).map((obligation) => obligation.kind);
    // Its wake-up would find its agent paused.
    const waits = isPaused(pauses) ? 'run' : undefined;
    await wakeUp(
      app,
      run,
      kinds.filter((kind) => kind !== 'check-lease' && kind !== 'deadline' && kind !== waits),
      (at) => repeatsDue(at, now, app.settings.repeatAfter),
    );
  } catch (error) {
    if (!(error instanceof Unreadable && isActive(run))) throw error;
    await failScrubbed(app, run, 'STATE_UNREADABLE', (active) => active);
  }
}

async function failLate(
  app: App,
  run: Run,
  isLate: (current: Run, now: Millis) => boolean,
): Promise<void> {
  const outcome = await failRun(app, run, 'DEADLINE_EXCEEDED', isLate);
  // A run that was answered meanwhile has time again, and its segment is none of ours to stop.
  if (outcome.run !== undefined && isEnded(outcome.run)) {
    app.segments.stop(run.taskId, 'deadline');
  }
}

/**
 * A worker that is gone left this run: it goes back into the queue, or ends when that has happened
 * too often.
 */
async function reap(app: App, run: Run): Promise<void> {
  const outcome = await changeRun(app, run.taskId, {
    // The lease was time enough to wait for the first loss; only repeated ones back off.
    decide: (current, now) =>
      lapsed(current, now)
        ? requeue(lostBy(current, now), app.settings, now, current.attempts === 0 ? 0 : undefined)
        : undefined,
  });
  if (outcome.kind === 'changed') {
    app.log.write('warning', 'run taken from a lost worker', {
      task: run.taskId,
      fence: run.fence,
    });
    return wakeUp(app, outcome.run);
  }
  if (outcome.run === undefined || isEnded(outcome.run)) return;
  // The guard says both: by now the lease may have lapsed anew, of a run that has attempts left.
  const exhausted = (current: Run, now: Millis): boolean =>
    lapsed(current, now) && requeue(current, app.settings, now) === undefined;
  await failRun(app, outcome.run, exhaustedReason(outcome.run), exhausted);
}

/** The row says why it is tried again. */
function lostBy(run: Running, now: Millis): Running {
  if (strictest(run.answerCeiling, run.auditCeiling) === 'none') return run;
  const lost = { at: now, where: 'worker', attempt: tryOf(run), fault: 'WorkerLost' };
  return withErrors(run, [lost]);
}
