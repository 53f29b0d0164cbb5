import type { Millis } from '../../domain/brand.ts';
import type { Dependency } from '../../domain/dependency.ts';
import type { Remote } from '../../domain/remote.ts';
import type { WaitingForDependency } from '../../domain/run.ts';
import { pollAgain } from '../../domain/waiting.ts';
import type { PollOutcome, RemoteTask } from '../../ports/remote-agents.ts';
import { adoptLateOutcome } from './adopt-late-outcome.ts';
import type { App } from '../app.ts';
import { changeRun } from '../change/change-run.ts';
import { knownRemote } from '../agents.ts';
import { unsealRemoteTask } from '../content/remote-task-ref.ts';
import { sendDoc } from '../records/work-documents.ts';
import { runKeyOf } from '../content/sealing-key.ts';
import { afterRest, nextPoll } from './poll-schedule.ts';
import { isInterruption, remoteResult, resolutionOf } from './remote-result.ts';
import { resolveDependency } from './resolve-dependency.ts';
import { wakeUp } from '../wake-up.ts';

/**
 * Polls the remote task of a suspended run once. A failed poll never ends the run: it is polled
 * again, later (G24). When the outcome of the send is unknown, its task is searched for in the
 * context that was made for it; that is a read, and nothing is ever sent again automatically (G15).
 */
export async function pollRemote(app: App, run: WaitingForDependency): Promise<void> {
  // While a remote takes its time the row is still due, and the sweeper repeats its wake-up.
  const poll = `${run.taskId} ${run.dependency.nextPollAt}`;
  if (app.segments.polls.has(poll)) return;
  app.segments.polls.add(poll);
  try {
    await pollOnce(app, run);
  } finally {
    app.segments.polls.delete(poll);
  }
}

/**
 * At the deadline: one more look, because the result may have come while no process could look.
 * Undefined: there is a result, and the wait is over; otherwise the run as it still waits.
 */
export async function pollLast(
  app: App,
  run: WaitingForDependency,
): Promise<WaitingForDependency | undefined> {
  const poll = `${run.taskId} last ${run.pauseGeneration}`;
  if (app.segments.polls.has(poll)) return undefined;
  app.segments.polls.add(poll);
  try {
    return await pollAtEnd(app, run);
  } finally {
    app.segments.polls.delete(poll);
  }
}

async function pollAtEnd(
  app: App,
  run: WaitingForDependency,
): Promise<WaitingForDependency | undefined> {
  const { dependency } = run;
  const remote = knownRemote(app.agents, run, dependency.remote);
  if (remote === undefined) return run;
  if (dependency.operation === null) {
    const found = await findTask(app, run, remote);
    // Now that its task is known, a last look at that.
    return found === undefined ? run : pollAtEnd(app, found);
  }
  const runKey = await runKeyOf(app, run);
  const outcome = await app.remotes.poll(
    remote,
    unsealRemoteTask(runKey, dependency.sendId, dependency.operation),
  );
  const open = outcome.kind === 'task' && resolutionOf(outcome.task) === undefined;
  if (open || outcome.kind === 'failed') return run;
  await applyPoll(app, run, remote, outcome);
  return undefined;
}

async function pollOnce(app: App, run: WaitingForDependency): Promise<void> {
  const { dependency } = run;
  const remote = knownRemote(app.agents, run, dependency.remote);
  if (remote === undefined) return;
  // A look that goes well costs no question whether the remote is left alone.
  const until = dependency.failures > 0 ? await app.circuits.restOf(remote) : undefined;
  if (until !== undefined) return again(app, run, { nextPollAt: afterRest(app, remote, until) });
  if (dependency.operation === null) {
    await findTask(app, run, remote, true);
    return;
  }
  const runKey = await runKeyOf(app, run);
  const outcome = await app.remotes.poll(
    remote,
    unsealRemoteTask(runKey, dependency.sendId, dependency.operation),
  );
  await applyPoll(app, run, remote, outcome);
}

async function applyPoll(
  app: App,
  run: WaitingForDependency,
  remote: Remote,
  outcome: PollOutcome,
): Promise<void> {
  switch (outcome.kind) {
    case 'task':
      return applyTask(app, run, remote, outcome.task);
    case 'gone': {
      const value = remoteResult(remote, 'gone');
      await resolveDependency(app, run, { resolution: 'gone', value });
      return;
    }
    case 'unusable': {
      const value = remoteResult(remote, 'unusable');
      await resolveDependency(app, run, { resolution: 'unusable', value, cancel: true });
      return;
    }
    case 'failed': {
      const { advice, reason, retryAfter } = outcome;
      const about = { task: run.taskId, remote: remote.name, reason, advice };
      app.log.write('warning', 'look failed', about);
      return failed(app, run, remote, retryAfter);
    }
  }
}

async function applyTask(
  app: App,
  run: WaitingForDependency,
  remote: Remote,
  task: RemoteTask,
): Promise<void> {
  const resolution = resolutionOf(task);
  if (resolution === undefined) return seen(app, run, remote);
  await resolveDependency(app, run, {
    resolution,
    value: remoteResult(remote, resolution, task),
    bytes: task.bytes,
    ...(isInterruption(resolution) && { cancel: true as const }),
  });
}

/**
 * The answer to our message was lost; perhaps its task can be found in the context that is ours
 * alone. Answers the run that waits for it from now on; with `goesOn` the next look is noted if
 * there is none.
 */
async function findTask(
  app: App,
  run: WaitingForDependency,
  remote: Remote,
  goesOn = false,
): Promise<WaitingForDependency | undefined> {
  const { sendId } = run.dependency;
  const send = await app.store.get(sendDoc(run.taskId, sendId));
  const found = send && (await app.remotes.find(remote, send.contextId));
  const [remoteTask, ...more] = found ?? [];
  // Several tasks in a context of our own are not of our making; a person may tell them apart.
  if (remoteTask === undefined || more.length > 0) {
    if (goesOn) await (found === undefined ? failed(app, run, remote) : seen(app, run, remote));
    return undefined;
  }
  const late = { state: 'acknowledged', reason: 'found', remoteTask } as const;
  const { run: adopted } = await adoptLateOutcome(app, run.taskId, sendId, late);
  const waits = adopted?.status === 'waiting_for_dependency' && adopted.dependency.operation;
  return waits ? adopted : undefined;
}

function seen(app: App, run: WaitingForDependency, remote: Remote): Promise<void> {
  const now = app.clock.now();
  const polls = run.dependency.polls + 1;
  const nextPollAt = nextPoll(app, remote, polls, now);
  return again(app, run, { polls, failures: 0, nextPollAt, lookedAt: now });
}

function failed(
  app: App,
  run: WaitingForDependency,
  remote: Remote,
  retryAfter?: Millis,
): Promise<void> {
  const now = app.clock.now();
  const failures = run.dependency.failures + 1;
  const polls = run.dependency.polls + 1;
  const nextPollAt = nextPoll(app, remote, polls, now, retryAfter);
  return again(app, run, { polls, failures, nextPollAt, lookedAt: now });
}

/** Bookkeeping; of two polls at one time the first says when the next one is. */
async function again(
  app: App,
  run: WaitingForDependency,
  change: Partial<Dependency>,
): Promise<void> {
  const outcome = await changeRun(app, run.taskId, {
    decide(current) {
      const same =
        current.status === 'waiting_for_dependency' &&
        current.dependency.nextPollAt === run.dependency.nextPollAt;
      return same ? pollAgain(current, run.pauseGeneration, change) : undefined;
    },
  });
  if (outcome.kind === 'changed') await wakeUp(app, outcome.run, ['poll']);
}
