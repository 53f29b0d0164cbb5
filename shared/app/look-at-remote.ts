import type { Millis } from '../domain/brand.ts';
import type { Dependency } from '../domain/dependency.ts';
import type { Operation, Remote } from '../domain/remote.ts';
import type { WaitingForDependency } from '../domain/run.ts';
import { lookAgain } from '../domain/waiting.ts';
import type { LookOutcome } from '../ports/remote-agents.ts';
import { adoptLateAnswer } from './adopt-late-answer.ts';
import type { App } from './app.ts';
import { changeRun } from './change-run.ts';
import { openOperation } from './operation.ts';
import { sendDoc } from './payload-documents.ts';
import { placeOfRun } from './place.ts';
import { nextLook } from './poll-schedule.ts';
import { knownRemote } from './known-remote.ts';
import { remoteResult, resolutionOf } from './remote-result.ts';
import { resolveDependency } from './resolve-dependency.ts';
import { settledSend } from './sends.ts';
import { wakeUp } from './wake-up.ts';

/**
 * One look at the remote task of a suspended run. A failure of the look is just that, never the end of the run: it is looked at
 * again, later (G24). Where the outcome of the send is not known, its task is looked for in the context that was opened for it: that
 * is a read, and nothing is ever sent again by itself (G15, case I2).
 */
export async function lookAtRemote(app: App, run: WaitingForDependency): Promise<void> {
  const { dependency } = run;
  const remote = knownRemote(app, run, dependency.remote);
  if (remote === undefined) {
    app.log.write('warning', 'remote not declared', {
      task: run.taskId,
      remote: dependency.remote,
    });
    return putOff(app, run, app.settings.pollMax);
  }
  if (dependency.operation === null) return lookFor(app, run, remote);
  const place = await placeOfRun(app, run);
  const outcome = await app.remotes.look(remote, openOperation(place, dependency.operation));
  await act(app, run, remote, outcome);
}

async function act(
  app: App,
  run: WaitingForDependency,
  remote: Remote,
  outcome: LookOutcome,
): Promise<void> {
  switch (outcome.kind) {
    case 'task': {
      const { task } = outcome;
      const resolution = resolutionOf(task);
      if (resolution === undefined) return seen(app, run, remote);
      const value = remoteResult(remote, resolution, task);
      // It waits for somebody on its side, and nobody here will answer it there.
      const interrupted = resolution === 'input-required' || resolution === 'auth-required';
      const bytes = task.bytes;
      await resolveDependency(app, run, {
        resolution,
        value,
        bytes,
        ...(interrupted && { cancel: true as const }),
      });
      return;
    }
    case 'gone':
      await resolveDependency(app, run, {
        resolution: 'gone',
        value: remoteResult(remote, 'gone'),
      });
      return;
    case 'unusable':
      await resolveDependency(app, run, {
        resolution: 'unusable',
        value: remoteResult(remote, 'unusable'),
        cancel: true,
      });
      return;
    case 'failed':
      app.log.write('warning', 'look failed', {
        task: run.taskId,
        remote: remote.name,
        reason: outcome.reason,
      });
      return failed(app, run, remote, outcome.retryAfter);
  }
}

/** The answer to our message was lost; perhaps its task can be found in the context that is ours alone. */
async function lookFor(app: App, run: WaitingForDependency, remote: Remote): Promise<void> {
  const send = await app.store.get(sendDoc(run.taskId, run.dependency.sendId));
  const found: readonly Operation[] =
    (send && (await app.remotes.find(remote, send.contextId))) ?? [];
  const [operation, ...more] = found;
  // More than one in a context of our own is nothing that we did; a person may tell them apart.
  if (send === undefined || operation === undefined || more.length > 0)
    return seen(app, run, remote);
  await adoptLateAnswer(
    app,
    run.taskId,
    settledSend(app, send, 'acknowledged', 'found'),
    operation,
  );
}

function seen(app: App, run: WaitingForDependency, remote: Remote): Promise<void> {
  const { polls } = run.dependency;
  const nextPollAt = nextLook(app, remote, polls + 1, app.clock.now());
  return again(app, run, { polls: polls + 1, failures: 0, nextPollAt });
}

function failed(
  app: App,
  run: WaitingForDependency,
  remote: Remote,
  retryAfter: Millis | undefined,
): Promise<void> {
  const { failures, polls } = run.dependency;
  const nextPollAt = nextLook(app, remote, polls + failures + 1, app.clock.now(), retryAfter);
  return again(app, run, { failures: failures + 1, nextPollAt });
}

function putOff(app: App, run: WaitingForDependency, span: Millis): Promise<void> {
  return again(app, run, { nextPollAt: app.clock.now() + span });
}

/** Bookkeeping; of two looks at one time the first says when the next one is. */
async function again(
  app: App,
  run: WaitingForDependency,
  change: Partial<Dependency>,
): Promise<void> {
  const outcome = await changeRun(app, run.taskId, (current) => {
    const same =
      current.status === 'waiting_for_dependency' &&
      current.dependency.nextPollAt === run.dependency.nextPollAt;
    const next = same ? lookAgain(current, run.pauseGeneration, change) : undefined;
    return next && { next };
  });
  if (outcome.kind === 'changed') await wakeUp(app, outcome.run, ['poll']);
}
