import type { Blocked, Pin } from './blocked.ts';
import type { Millis } from './brand.ts';
import { add, type Spending, spentBy } from './budget.ts';
import type { Dependency, Sending } from './dependency.ts';
import { revision } from './ids.ts';
import { frameOf } from './frame-of.ts';
import {
  type Claim,
  type ClaimToken,
  type Continuation,
  hasClaim,
  isBlocked,
  type Queued,
  type Run,
  type RunFrame,
  type Running,
  type WaitingForDependency,
  type WaitingForPerson,
  unblocked,
  waitsForPerson,
  without,
} from './run.ts';
import type { Settings } from './settings.ts';
import { blockedFor, claimed, type Delivery, publish, released, timeOf } from './transitions.ts';

/** What a pause asks of a person. */
export interface Pause {
  readonly status: WaitingForPerson['status'];
  readonly expectsData: boolean;
  /** An input that is asked for as an authentication. */
  readonly auth?: true;
  /** Of the turn that is held; absent if the question is not a model's. */
  readonly digest?: string;
  /** What its calls depend on. */
  readonly pins?: readonly Pin[];
}

/** running -> waiting_for_input/approval: the lease is cleared, nothing is held (G10). */
export function pause(
  run: Run,
  token: ClaimToken,
  asked: Pause,
  now: Millis,
): WaitingForPerson | undefined {
  if (!hasClaim(run, token)) return undefined;
  const next: WaitingForPerson = {
    ...without(released(run, now), 'continuation', 'repeats', 'pins', 'blocked'),
    ...asked,
    pausedAt: timeOf(run, now),
    attempts: 0,
    pauseGeneration: run.pauseGeneration + 1,
  };
  return publish(run, next, now);
}

/** A run that waits for a person, in that pause. */
export function waitsIn(run: Run, generation: number): run is WaitingForPerson {
  return waitsForPerson(run) && run.pauseGeneration === generation;
}

/**
 * waiting_for_input -> queued, by the message that answers. A plain message approves nothing (G18).
 */
export function answer(run: Run, now: Millis): Queued | undefined {
  return run.status === 'waiting_for_input' ? continued(run, 'message', now) : undefined;
}

/**
 * waiting_for_input/approval -> queued, with a reference to the stored decision that a worker will
 * carry out (G18).
 */
export function decide(run: Run, generation: number, now: Millis): Queued | undefined {
  return waitsIn(run, generation) ? continued(run, 'decision', now) : undefined;
}

/**
 * waiting_for_input/approval -> running: the decider carries the decision out at once, under the
 * same guard.
 */
export function decideDirectly(
  run: Run,
  generation: number,
  granted: Claim,
  delivery: Delivery,
  now: Millis,
): Running | undefined {
  if (!waitsIn(run, generation)) return undefined;
  const queued = continued(run, 'decision', now);
  return publish(run, claimed(queued, granted, delivery, now), now);
}

/** The wait for a person does not count against the deadline. */
function continued(run: WaitingForPerson, kind: Continuation['kind'], now: Millis): Queued {
  const at = timeOf(run, now);
  const next: Queued = {
    ...frameOf(run),
    status: 'queued',
    notBefore: at,
    deadlineAt: run.deadlineAt + (at - run.pausedAt),
    inputRevision: revision(run.revision + 1),
    continuation: {
      kind,
      generation: run.pauseGeneration,
      askedAt: run.pausedAt,
      ...(run.auth && { auth: run.auth }),
    },
  };
  return publish(run, next, now);
}

/**
 * Nothing works for it, and nothing will until what it waits for is there: a person, a remote
 * agent, a time, or what it is blocked by.
 */
export function isAtRest(run: Run): boolean {
  if (run.status === 'queued') return run.asleep === true || isBlocked(run);
  return waitsForPerson(run) || run.status === 'waiting_for_dependency';
}

/** What a step changes in its run. */
export interface StepEffects {
  /** How many steps; 1 if it does not say. */
  readonly count?: number;
  /**
   * The number of the first one. If it is taken by then, the step is another's, or this one whose
   * commit was not answered.
   */
  readonly number: number;
  readonly spend?: Spending;
  /** It makes something public. */
  readonly publishes?: boolean;
  /** Calls that have a result now; `all` when a new turn begins. */
  readonly done?: readonly string[] | 'all';
}

/**
 * running -> running: one more step is committed, so the next crash can repeat only what comes
 * after it. It takes in what brought the run back, and is the proof that the tool it belongs to has
 * ended.
 */
export function step(
  run: Run,
  token: ClaimToken,
  until: Millis,
  effects: StepEffects,
  now: Millis,
): Running | undefined {
  if (!hasClaim(run, token) || effects.number !== run.steps + 1) return undefined;
  const next: Running = {
    ...without(run, 'effect', 'continuation', 'sending', 'repeats', 'pins', 'blocked'),
    ...pinsLeft(run, effects.done),
    claim: { token, until },
    steps: run.steps + (effects.count ?? 1),
    ...spentBy(run, effects.spend, now),
    attempts: 0,
  };
  return effects.publishes === true ? publish(run, next, now) : next;
}

/** What these calls waited for no longer matters; without a call that waited nothing is blocked. */
function pinsLeft(
  { blocked, pins = [] }: RunFrame,
  done: StepEffects['done'] = [],
): Pick<RunFrame, 'pins' | 'blocked'> {
  const left = done === 'all' ? [] : pins.filter(({ callId }) => !done.includes(callId));
  return left.length === 0 ? {} : { pins: left, ...(blocked && { blocked }) };
}

/** running -> running: a tool that must not run twice is about to begin. */
export function beginEffect(
  run: Run,
  token: ClaimToken,
  until: Millis,
  callId: string,
): Running | undefined {
  // If the store's answer to this very commit was lost, the mark is there already.
  if (!hasClaim(run, token) || (run.effect ?? callId) !== callId) return undefined;
  return { ...run, claim: { token, until }, effect: callId };
}

/**
 * running -> running: a send is about to leave; its row is written in the same commit (G14).
 * `bytes`: of one that is new.
 */
export function beginSend(
  run: Run,
  token: ClaimToken,
  until: Millis,
  sending: Sending,
  bytes: number | undefined,
): Running | undefined {
  if (!hasClaim(run, token)) return undefined;
  const spent = bytes === undefined ? run.spent : add(run.spent, { delegations: 1, bytes });
  return { ...run, claim: { token, until }, spent, sending };
}

/** running -> running: it provably came to nothing. */
export function endSend(run: Run, token: ClaimToken, until: Millis): Running | undefined {
  if (!hasClaim(run, token)) return undefined;
  return { ...without(run, 'sending'), claim: { token, until } };
}

/**
 * running -> waiting_for_dependency: no person decides, and nothing is held (G10). Callers see no
 * difference.
 */
export function suspend(
  run: Run,
  token: ClaimToken,
  dependency: Dependency,
  now: Millis,
  pins: readonly Pin[] = [],
): WaitingForDependency | undefined {
  if (!hasClaim(run, token)) return undefined;
  return {
    ...without(released(run, now), 'continuation', 'sending', 'repeats', 'pins', 'blocked'),
    status: 'waiting_for_dependency',
    ...(pins.length > 0 && { pins }),
    pausedAt: timeOf(run, now),
    attempts: 0,
    pauseGeneration: run.pauseGeneration + 1,
    dependency,
  };
}

/**
 * A run that waits for a remote agent, in that suspension: a second resolver finds it over (G11).
 */
export function dependsIn(run: Run, generation: number): run is WaitingForDependency {
  return run.status === 'waiting_for_dependency' && run.pauseGeneration === generation;
}

/** The run waits for the outcome of this send, and knows of no task that came of it. */
export function waitsForSend(run: Run, messageId: string): run is WaitingForDependency {
  return (
    run.status === 'waiting_for_dependency' &&
    run.dependency.sendId === messageId &&
    run.dependency.operation === null
  );
}

/**
 * waiting_for_dependency -> itself: an operator sends the same message again, under another id
 * unless the first never left.
 */
export function sendAgain(
  run: Run,
  generation: number,
  messageId: string,
  next: Pick<Dependency, 'sendId' | 'nextPollAt'>,
  bytes: number | undefined,
): WaitingForDependency | undefined {
  if (!dependsIn(run, generation) || !waitsForSend(run, messageId)) return undefined;
  const again = { ...next, polls: 0, failures: 0 };
  const spent = bytes === undefined ? run.spent : add(run.spent, { delegations: 1, bytes });
  return { ...run, spent, dependency: { ...run.dependency, ...again } };
}

/**
 * waiting_for_dependency -> queued: the result of the call is the next step of the transcript, in
 * the same commit (G11).
 */
export function resolve(
  run: Run,
  generation: number,
  bytes: number,
  now: Millis,
): Queued | undefined {
  if (!dependsIn(run, generation)) return undefined;
  return {
    ...without(unblocked(frameOf(run)), 'pins'),
    status: 'queued',
    notBefore: timeOf(run, now),
    steps: run.steps + 1,
    spent: add(run.spent, { bytes }),
    continuation: { kind: 'dependency', generation },
  };
}

/**
 * waiting_for_dependency -> itself: the remote that it would look at is not the one that it waits
 * for. None of its deadlines comes nearer meanwhile.
 */
export function blockPoll(
  run: Run,
  generation: number,
  blocked: Blocked,
  settings: Settings,
  now: Millis,
): WaitingForDependency | undefined {
  if (!dependsIn(run, generation)) return undefined;
  const pause = blockedFor(blocked, settings, now);
  const { dependency } = run;
  return {
    ...run,
    blocked,
    deadlineAt: Math.max(run.deadlineAt, now) + pause,
    dependency: {
      ...dependency,
      nextPollAt: now + pause,
      deadlineAt: Math.max(dependency.deadlineAt, now) + pause,
    },
  };
}

/**
 * queued -> itself, or waiting_for_dependency -> itself: an operator lets a run go on although what
 * it waited for is gone or changed. Undefined unless it is blocked by exactly that.
 */
export function letGoOn<R extends Run>(run: R, digest: string, now: Millis): R | undefined {
  const { blocked } = run;
  if (blocked?.digest !== digest || blocked.accepted === true) return undefined;
  if (blocked.changes.some(({ kind }) => kind === 'step')) return undefined;
  const next = { ...run, blocked: { ...blocked, accepted: true as const } };
  if (next.status === 'queued') {
    const deadlineAt = run.deadlineAt + Math.max(0, now - next.notBefore);
    return { ...next, notBefore: timeOf(run, now), deadlineAt };
  }
  // One that is looking again just now finds the same in a moment.
  if (next.status !== 'waiting_for_dependency') return undefined;
  return { ...next, dependency: { ...next.dependency, nextPollAt: timeOf(run, now) } };
}

/**
 * waiting_for_dependency -> itself: another poll, another time, or what an operator found out about
 * its send.
 */
export function pollAgain(
  run: Run,
  generation: number,
  change: Partial<Dependency>,
): WaitingForDependency | undefined {
  if (!dependsIn(run, generation)) return undefined;
  return { ...unblocked(run), dependency: { ...run.dependency, ...change } };
}

/**
 * A run that would call this remote as soon as it may, at once: one that waits in the queue for it,
 * or for a poll. Undefined if it does not.
 */
export function dueAtOnce(run: Run, remote: string, now: Millis): Run | undefined {
  if (run.status === 'queued' && run.circuit === remote && run.notBefore > now)
    return { ...run, notBefore: timeOf(run, now) };
  if (run.status !== 'waiting_for_dependency' || run.dependency.remote !== remote) return undefined;
  if (run.dependency.nextPollAt <= now) return undefined;
  return { ...run, dependency: { ...run.dependency, nextPollAt: timeOf(run, now) } };
}
