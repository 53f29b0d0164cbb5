import type { TaskId } from './ids.ts';
import type { Message } from './message.ts';
import type { Step } from './step.ts';
import type { CallFact, StepFacts } from './step-facts.ts';

/** What a run goes on with that an operator made of an earlier one. */
export interface Origin {
  readonly kind: 'retry' | 'fork';
  /** The earlier run. */
  readonly taskId: TaskId;
  /** So many of its steps were taken over. */
  readonly steps: number;
}

/** A step of the earlier run, as far as it can be read. */
export interface EarlierStep {
  readonly number: number;
  readonly kind: string;
  readonly facts: StepFacts;
  /** Only where all of it is kept. */
  readonly step?: Step;
}

/** A call that must not be made twice, of which no result is taken over. */
export interface RiskyCall {
  readonly callId: string;
  /** The turn that made it. */
  readonly step: number;
  /** Absent: the model called what was not offered then, by the word of an older version. */
  readonly name?: string;
  /** Once, or `remote`; or not known. */
  readonly effect: string;
  /** It has a result, which is not taken over; otherwise it may have begun. */
  readonly made: boolean;
}

export interface Wanted {
  readonly kind: Origin['kind'];
  /** The first step that is done anew. Absent: the first after the last good one. */
  readonly from?: number;
  /** What the step `from`, an answer of the caller, says instead. */
  readonly edit?: Message;
  /** Calls by their ids, or steps by their numbers, that may be made again. */
  readonly again: readonly string[];
}

/** What is known besides the steps. */
export interface Circumstances {
  /** Why nothing can be taken over. Absent: it can, if all steps can be read. */
  readonly nothing?: WhyNothing;
  /** Its function works in steps: what a step threw last is what made the run fail. */
  readonly stepwise?: boolean;
  /** Of a tool or remote as it is declared now, for steps that do not say it. */
  readonly effectOf: (name: string) => string | undefined;
  /** A call without a result that provably never began. */
  readonly neverBegan: (call: Pick<RiskyCall, 'callId' | 'name'>, fresh: boolean) => boolean;
}

export type WhyNothing =
  /** The agent is a function: it has no steps. */
  | 'no-steps'
  /** What was said in the steps is not kept, or can't be read any more. */
  | 'not-kept'
  /** The agent's tasks have files, and those of the earlier run are not taken over. */
  | 'files'
  /** More steps than one commit may take. */
  | 'too-many';

/** A step that is taken over, and what was known of it. */
export interface KeptStep {
  readonly step: Step;
  readonly facts: StepFacts;
}

/** What a second try would take over, and what it would do anew. */
export interface Plan {
  readonly kept: readonly KeptStep[];
  /** Steps of the earlier run that are not taken over. */
  readonly anew: readonly EarlierStep[];
  /** Why the run begins from its message, if it does. */
  readonly why?: WhyNothing;
  /** Calls that may happen a second time although they must not, and that are not named. */
  readonly risks: readonly RiskyCall[];
  /** Those that were named. */
  readonly named: readonly RiskyCall[];
}

/** `from` names no step, or `edit` no answer of the caller. */
export interface Misfit {
  readonly field: 'from' | 'edit';
  readonly words: string;
}

/** Names every call, also those of which nothing is known. */
export const ALL = '*';

const HARMLESS: readonly string[] = ['read', 'idempotent'];

/** Pure: the same steps and wishes are the same plan, which a dry run shows. */
export function planOf(
  steps: readonly EarlierStep[],
  wanted: Wanted,
  circumstances: Circumstances,
): Plan | Misfit {
  const misfit = misfitOf(steps, wanted);
  if (misfit !== undefined) return misfit;
  const whole = steps.flatMap(({ step }) => (step === undefined ? [] : [step]));
  const why =
    circumstances.nothing ??
    (whole.length === steps.length && steps.length > 0 ? undefined : whyOf(steps));
  const kept = why === undefined ? keptOf(whole, wanted, steps, circumstances) : [];
  const results = new Set(kept.flatMap((step) => (step.kind === 'result' ? [step.callId] : [])));
  const calls = riskyCalls(steps, circumstances).filter(({ callId }) => !results.has(callId));
  const factsOf = (kept: Step): StepFacts => steps.find(({ step }) => step === kept)?.facts ?? {};
  const isNamed = (call: RiskyCall): boolean =>
    [call.callId, String(call.step), ALL].some((name) => wanted.again.includes(name));
  return {
    kept: kept.map((step) => ({ step, facts: factsOf(step) })),
    anew: steps.filter(({ step }) => step === undefined || !kept.includes(step)),
    ...(why !== undefined && { why }),
    risks: calls.filter((call) => !isNamed(call)),
    named: calls.filter(isNamed),
  };
}

const whyOf = (steps: readonly EarlierStep[]): WhyNothing =>
  steps.length === 0 ? 'no-steps' : 'not-kept';

function misfitOf(steps: readonly EarlierStep[], { edit, from }: Wanted): Misfit | undefined {
  if (from === undefined) return undefined;
  const step = steps[from - 1];
  if (step === undefined)
    return { field: 'from', words: `there is no step ${from}; there are ${steps.length}` };
  if (edit === undefined || step.kind === 'answer') return undefined;
  const words = `step ${from} is no message of the caller, which alone can be edited: it is a ${step.kind}`;
  return { field: 'edit', words };
}

function keptOf(
  steps: readonly Step[],
  { again, edit, from }: Wanted,
  known: readonly EarlierStep[],
  { stepwise = false }: Circumstances,
): readonly Step[] {
  const first = from ?? firstNamed(known, again) ?? steps.length + 1;
  const before = steps.slice(0, first - 1);
  const replaced = steps[first - 1];
  if (edit !== undefined && replaced?.kind === 'answer')
    return [...before, { ...replaced, message: edit }];
  const good = withoutFailures(before);
  return unapproved(stepwise && from === undefined ? withoutThrown(good) : good);
}

/** What a step threw is tried anew, unless its function went on after it. */
function withoutThrown(steps: readonly Step[]): readonly Step[] {
  const at = steps.findLastIndex((step) => step.kind === 'result' && step.status === 'error');
  const thrown = steps[at];
  if (thrown?.kind !== 'result') return steps;
  const branch = branchOf(thrown.callId);
  const later = steps.slice(at + 1).flatMap((step) => (step.kind === 'turn' ? step.calls : []));
  return later.some(({ id }) => branchOf(id) === branch) ? steps : steps.toSpliced(at, 1);
}

/** `3.1` of the operation `3.1.2` (docs/steps.md). */
const branchOf = (id: string): string => id.slice(0, Math.max(0, id.lastIndexOf('.')));

/** The result of a call that is to be made again, and all after it, are not taken over. */
function firstNamed(steps: readonly EarlierStep[], again: readonly string[]): number | undefined {
  return steps.find(
    ({ facts: { callId }, kind, number }) =>
      kind === 'result' &&
      ((callId !== undefined && again.includes(callId)) || again.includes(String(number))),
  )?.number;
}

/** The end of a transcript that came to nothing: what a model is asked for anew. */
function withoutFailures(steps: readonly Step[]): readonly Step[] {
  const good = steps.findLastIndex((step) => {
    if (step.kind === 'summary') return step.problem === undefined;
    // One that could not be used has no calls.
    return step.kind !== 'turn' || step.calls.length > 0;
  });
  return steps.slice(0, good + 1);
}

/**
 * An approval counts for the run that asked for it (G18): calls of the last turn without a result
 * are held once more, or refused if others of that turn have one.
 */
function unapproved(steps: readonly Step[]): readonly Step[] {
  const at = steps.findLastIndex(({ kind }) => kind === 'turn');
  const turn = steps[at];
  const decision = steps[at + 1];
  if (turn?.kind !== 'turn' || decision?.kind !== 'decision') return steps;
  if (decision.decision !== 'approve') return steps;
  const done = steps.slice(at + 1).filter(({ kind }) => kind === 'result').length;
  return done < turn.calls.length ? steps.toSpliced(at + 1, 1) : steps;
}

function riskyCalls(
  steps: readonly EarlierStep[],
  { effectOf, neverBegan }: Circumstances,
): readonly RiskyCall[] {
  const results = new Map(
    steps.flatMap(({ facts }) => (facts.callId === undefined ? [] : [[facts.callId, facts]])),
  );
  const turns = steps.filter(({ kind }) => kind === 'turn');
  return turns.flatMap(({ number, ...turn }) => {
    const calls = callsOf(turn);
    // Calls are carried out in their order: what comes after one without a result never began.
    const pending = calls.find(({ callId }) => !results.has(callId))?.callId;
    const fresh = steps[number]?.kind !== 'decision';
    return calls.flatMap(({ callId, effect, name }): readonly RiskyCall[] => {
      const known = effect ?? (name === undefined ? undefined : effectOf(name)) ?? 'unknown';
      if (HARMLESS.includes(known)) return [];
      const result = results.get(callId);
      const call = { callId, step: number, ...(name !== undefined && { name }), effect: known };
      if (result !== undefined) return isRefusal(result) ? [] : [{ ...call, made: true }];
      if (callId !== pending || neverBegan(call, fresh)) return [];
      return [{ ...call, made: false }];
    });
  });
}

/** What a turn called, by name where the step itself can be read. */
function callsOf({ facts, step }: Omit<EarlierStep, 'number'>): readonly CallFact[] {
  if (step?.kind !== 'turn') return facts.calls ?? [];
  return step.calls.map(({ id: callId, tool: name }, at) => ({
    callId,
    name,
    ...facts.calls?.[at],
  }));
}

/** The turn was denied, or the call could not be carried out: nothing of it ran. */
function isRefusal({ attempt, calls, startedAt, status }: StepFacts): boolean {
  // What an older version wrote says nothing of that.
  return status === 'error' && calls !== undefined && (attempt ?? startedAt) === undefined;
}
