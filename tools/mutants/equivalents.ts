/** A change that alters nothing which a caller, an operator or a row could tell. */
interface Equivalent {
  readonly file: string;
  /** A part of the changed line. */
  readonly code: string;
  /** What Stryker puts in its place; absent: whatever it does to that line. */
  readonly now?: string;
  readonly reason: string;
}

const NARROWS = 'it is there for the types: no other status has that field';
const FALLS = 'the next case of the switch does the same';

const EQUIVALENTS: readonly Equivalent[] = [
  {
    file: 'shared/domain/sleeping.ts',
    code: "next.status !== 'queued' ||",
    now: 'false',
    reason: NARROWS,
  },
  {
    file: 'shared/domain/transitions.ts',
    code: "run.status === 'queued' && run.asleep === true",
    now: 'true',
    reason: NARROWS,
  },
  {
    file: 'shared/domain/waiting.ts',
    code: "run.status === 'queued' && run.circuit === remote",
    now: 'true',
    reason: NARROWS,
  },
  {
    file: 'shared/domain/waiting.ts',
    code: "done: StepEffects['done'] = []",
    reason: 'no call has the id that it puts into the list',
  },
  {
    file: 'shared/domain/blocked.ts',
    code: 'before.changes : []',
    reason: 'what it puts into the list is no change, and equals none',
  },
  {
    file: 'shared/domain/obligations.ts',
    code: 'spans < 8 ?',
    now: 'spans <= 8',
    reason: 'both sides are 4 at 8 spans',
  },
  { file: 'shared/domain/obligations.ts', code: "case 'rejected':", reason: FALLS },
  {
    file: 'shared/domain/obligations.ts',
    code: 'default:',
    reason: 'no status is left there: the type checker sees to it',
  },
  {
    file: 'shared/domain/notice.ts',
    code: 'until !== undefined && nears(until)',
    now: 'true',
    reason: 'a time that is not there nears never: NaN is not less',
  },
  {
    file: 'shared/domain/context-files.ts',
    code: 'newest === undefined || made === undefined || made === null',
    reason: 'it is there for the types: each task of the list has files of its own',
  },
  {
    file: 'shared/domain/second-try.ts',
    code: 'step === undefined || !kept.includes(step)',
    now: 'false',
    reason: 'it is there for the types: no step is kept that is not there',
  },
  {
    file: 'shared/domain/second-try.ts',
    code: "step.kind === 'result' ? [step.callId] : []",
    reason: 'what it puts into the set is the id of no call',
  },
  {
    file: 'shared/domain/second-try.ts',
    code: "step.kind === 'result' && step.status === 'error'",
    now: 'true',
    reason: 'it is there for the types: only a result has that status',
  },
  {
    file: 'shared/domain/second-try.ts',
    code: 'callId !== undefined && again.includes(callId)',
    now: 'true',
    reason: 'it is there for the types: what is named is a text',
  },
  {
    file: 'shared/domain/second-try.ts',
    code: "turn?.kind !== 'turn' || decision?.kind !== 'decision'",
    now: 'false',
    reason: 'it is there for the types: no decision comes before a turn',
  },
  {
    file: 'shared/domain/second-try.ts',
    code: 'facts.callId === undefined ? [] :',
    now: 'false',
    reason: 'it is there for the types: no call is asked for without an id',
  },
  {
    file: 'shared/app/content/bindings.ts',
    code: 'view.pages.length === 0 ?',
    now: 'false',
    reason: 'it only saves time: both sides are empty without pages',
  },
  {
    file: 'shared/app/segment/held-pieces.ts',
    code: 'item.append && before !== undefined ?',
    now: 'true',
    reason: 'it is there for the types: a piece without what was before it is answered above',
  },
];

export function isEquivalent(file: string, code: string, now: string): boolean {
  return EQUIVALENTS.some(
    (each) =>
      each.file === file &&
      code.includes(each.code) &&
      (each.now === undefined || each.now === now),
  );
}
