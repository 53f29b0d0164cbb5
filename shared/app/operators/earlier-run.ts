import type { Artifact, Message } from '../../domain/message.ts';
import { isRefused, type Refused } from '../../domain/refusal.ts';
import type { Run } from '../../domain/run.ts';
import type { Circumstances, EarlierStep, WhyNothing } from '../../domain/second-try.ts';
import { sendIds } from '../../domain/send.ts';
import { declaredBy, type Agent } from '../agents.ts';
import type { App } from '../app.ts';
import { pauseDoc, sendDoc } from '../records/work-documents.ts';
import { readTask } from '../tasks/read-task.ts';
import { readTrail } from '../content/read-trail.ts';
import { notAllowed, type OperatorRefused } from './operator-refusal.ts';
import { principalOfRun } from './seen-run.ts';

/** Steps that one commit takes over beside what else it writes (docs/architecture.md). */
const MOST_STEPS = 400;
/** Sends of one call that are looked at; a budget ends them far earlier. */
const MOST_SENDS = 20;

/** What can be known of a run that has ended, and taken over from it. */
export interface EarlierRun {
  readonly steps: readonly EarlierStep[];
  /** Steps that can't be read at all: what ran in them is not known. */
  readonly unread: number;
  readonly circumstances: Circumstances;
}

/** Throws KeyMissing, Unavailable. */
export async function earlierRun(app: App, run: Run, agent: Agent): Promise<EarlierRun> {
  const { level, steps: read } = await readTrail(app, run, { words: true });
  // The turn that completed it has no row: it is made anew.
  const committed = read.filter(({ number }) => number <= run.steps);
  const steps = committed.map(({ facts, kind, number, step }) => ({
    number,
    kind,
    facts,
    ...(step && { step }),
  }));
  const isKnown = ({ facts, step }: EarlierStep): boolean =>
    step !== undefined || Object.keys(facts).length > 0;
  const unread = run.steps - steps.filter(isKnown).length;
  const unsent = await neverSent(app, run, steps);
  const asked = await askedAbout(app, run, steps);
  const declared = declaredBy(agent);
  return {
    steps,
    unread,
    circumstances: {
      stepwise: agent.steps === true,
      ...nothingOf(run, agent, level === 'full' && unread === 0),
      effectOf(name) {
        const found = declared.find((each) => each.name === name);
        return found?.kind === 'remote' ? 'remote' : found?.facets['effect'];
      },
      neverBegan({ callId, name }, fresh) {
        if (unsent.has(callId) || (fresh && asked.has(callId))) return true;
        const { approval } = declared.find((each) => each.name === name)?.facets ?? {};
        return fresh && approval === 'always';
      },
    },
  };
}

function nothingOf(run: Run, agent: Agent, whole: boolean): { readonly nothing?: WhyNothing } {
  if (run.steps === 0) return { nothing: 'no-steps' };
  if (agent.files !== undefined) return { nothing: 'files' };
  if (run.steps > MOST_STEPS) return { nothing: 'too-many' };
  return whole ? {} : { nothing: 'not-kept' };
}

/** Calls of remote agents whose message provably did not arrive, or was not taken. */
async function neverSent(
  app: App,
  run: Run,
  steps: readonly EarlierStep[],
): Promise<ReadonlySet<string>> {
  const remotes = new Set((app.agents.get(run.agent)?.remotes ?? []).map(({ name }) => name));
  const made = new Set(steps.flatMap(({ facts }) => facts.callId ?? []));
  const calls = steps.flatMap(({ facts, step }) => [
    ...(facts.calls ?? []).filter(({ effect }) => effect === 'remote'),
    ...(step?.kind === 'turn' ? step.calls : [])
      .filter(({ tool }) => remotes.has(tool))
      .map(({ id }) => ({ callId: id })),
  ]);
  const pending = [...new Set(calls.map(({ callId }) => callId))].filter((id) => !made.has(id));
  const unsent = await Promise.all(
    pending.map(async (callId) => ((await mayHaveArrived(app, run, callId)) ? [] : [callId])),
  );
  return new Set(unsent.flat());
}

/**
 * Calls of the last turn, where the run paused last to ask a person about it, and went no further:
 * none of them that has no result has begun.
 */
async function askedAbout(
  app: App,
  { pauseGeneration, taskId }: Run,
  steps: readonly EarlierStep[],
): Promise<ReadonlySet<string>> {
  const turn = steps.findLast(({ kind }) => kind === 'turn')?.step;
  const over = steps.some(({ step }) => {
    const generation = step !== undefined && 'generation' in step ? step.generation : undefined;
    return generation === pauseGeneration;
  });
  if (turn?.kind !== 'turn' || pauseGeneration === 0 || over) return new Set();
  const pause = await app.store.get(pauseDoc(taskId, pauseGeneration));
  const person = pause !== undefined && pause.kind !== 'dependency';
  return new Set(person ? turn.calls.map(({ id }) => id) : []);
}

async function mayHaveArrived(app: App, { taskId }: Run, callId: string): Promise<boolean> {
  for (let again = 0; again < MOST_SENDS; again += 1) {
    const { messageId } = sendIds(taskId, callId, again);
    const send = await app.store.get(sendDoc(taskId, messageId));
    if (send === undefined) return false;
    if (send.state !== 'not_sent' && send.state !== 'refused') return true;
  }
  return true;
}

/** What the earlier task shows: its first message, and its artifacts. */
export interface Shown {
  readonly message: Message;
  readonly artifacts: readonly Artifact[];
}

/** Refused where the message may not be kept as it came, or is too large to be taken over. */
export async function shownBy(app: App, run: Run): Promise<Shown | Refused | OperatorRefused> {
  const kept = run.answerCeiling === 'full' && run.scrubbedRevision === 0;
  if (!kept)
    return notAllowed(
      'MESSAGE_NOT_KEPT',
      'the message of this run is not kept as it came, so nothing can begin with it',
    );
  const task = await readTask(app, principalOfRun(run), run.taskId, { atLeast: run.revision });
  if (isRefused(task)) return task;
  const message = task.history.find(({ role }) => role === 'user');
  if (message === undefined)
    return notAllowed('MESSAGE_NOT_KEPT', 'the task of this run has no message of its caller');
  return { message, artifacts: task.artifacts };
}
