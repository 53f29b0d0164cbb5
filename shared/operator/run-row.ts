import type { z } from 'zod';
import { sendName } from '../app/operators/unresolved-send.ts';
import { shownStatus } from '../app/operators/run-filter.ts';
import type { Seen } from '../app/operators/operator-rights.ts';
import type { RunWords } from '../app/operators/run-words.ts';
import type { AgentError } from '../domain/agent-error.ts';
import { NO_USE, plus } from '../domain/model-use.ts';
import { isEnded, type Run, stateOf, tryOf, type WaitingForDependency } from '../domain/run.ts';
import type { Settings } from '../domain/settings.ts';
import type { Origin } from '../domain/second-try.ts';
import { blockedOf } from './blocked-row.ts';
import type { agentError, runRow, waitsFor } from './run-schemas.ts';

/**
 * A run as a list shows it: no word about its owner, and no content but the words that are given.
 */
export function rowOf(
  { may, run }: Seen,
  { requeues }: Pick<Settings, 'requeues'>,
  words: RunWords = {},
): z.input<typeof runRow> {
  const waits = waitOf(run);
  const blocked = blockedOf(run);
  const tries = run.status === 'queued' || run.status === 'running';
  const error = isEnded(run) && run.status !== 'failed' ? undefined : run.errors?.at(-1);
  const { lastModel, models } = run;
  return {
    id: run.taskId,
    context: run.contextId,
    agent: run.agent,
    status: shownStatus(run),
    state: stateOf(run),
    // A status that this version does not know is shown as open
    // (docs/architecture.md#reading-what-a-newer-version-wrote).
    open: !isEnded(run),
    createdAt: run.createdAt,
    statusAt: run.statusAt,
    ...(waits !== undefined && { waitsFor: waits }),
    ...(blocked !== undefined && { blocked }),
    ...(run.status === 'failed' && { reason: run.reason }),
    ...(run.endedAt !== undefined && isEnded(run) && { endedAt: run.endedAt }),
    ...(tries && { attempt: { number: run.attempts + 1, of: requeues + 1, try: tryOf(run) } }),
    ...(run.status === 'queued' && tryOf(run) > 1 && { nextTryAt: run.notBefore }),
    ...(error !== undefined && { lastError: errorOf(error, words.error) }),
    ...(words.progress !== undefined && { progress: words.progress }),
    ...(lastModel !== undefined && { model: lastModel }),
    ...(models !== undefined && { used: { ...models.reduce(plus, NO_USE), cost: run.spent.cost } }),
    ...(run.origin && { origin: originOf(run.origin) }),
    ...(triedAs(run) && { triedAs: triedAs(run) }),
    may: [...may],
  };
}

/** What went wrong, with its words if they may be seen. */
export function errorOf(
  { words: _, ...facts }: AgentError,
  words: string | undefined,
): z.input<typeof agentError> {
  return { ...facts, ...(words !== undefined && { words }) };
}

/** The send whose outcome is not known. */
function sendOf({ acts = [], dependency, taskId }: WaitingForDependency) {
  const resent = acts.findLast(({ kind }) => kind === 'resend');
  const send = sendName(taskId, dependency.sendId);
  return { send, ...(resent && { resentAt: resent.at }) };
}

const originOf = ({ kind, steps, taskId }: Origin) => ({ kind, run: taskId, steps });

/** The newest run that was made of it: the one that it was made of is none. */
function triedAs({ acts = [], origin }: Run): string | undefined {
  return acts.findLast(({ kind, task }) => isTry(kind) && task !== origin?.taskId)?.task;
}

const isTry = (kind: string): boolean => kind === 'retry' || kind === 'fork';

export function waitOf(run: Run): z.input<typeof waitsFor> | undefined {
  const generation = run.pauseGeneration;
  switch (run.status) {
    case 'waiting_for_approval':
    case 'waiting_for_input': {
      const kind = run.status === 'waiting_for_approval' ? 'approval' : 'input';
      const { digest, pausedAt: since } = run;
      return { kind, since, generation, ...(digest !== undefined && { digest }) };
    }
    case 'waiting_for_dependency': {
      const { deadlineAt: until, operation, remote } = run.dependency;
      const waits = { since: run.pausedAt, until, remote, generation };
      if (operation !== null) return { kind: 'dependency', ...waits };
      return { kind: 'unknown-send', ...waits, ...sendOf(run) };
    }
    case 'queued': {
      const { asleep, awaits, circuit: remote, notBefore: until, segments, statusAt } = run;
      const since = segments.at(-1)?.committed ?? statusAt;
      const waits = { since, until, generation };
      if (remote !== undefined) return { kind: 'circuit', ...waits, remote };
      if (awaits !== undefined) return { kind: 'event', ...waits, events: [...awaits] };
      return asleep === true ? { kind: 'sleep', ...waits } : undefined;
    }
    case 'running':
    case 'completed':
    case 'failed':
    case 'cancelled':
    case 'rejected':
    case 'purging':
    case 'unknown':
      return undefined;
  }
}
