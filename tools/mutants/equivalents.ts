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
];

export function isEquivalent(file: string, code: string, now: string): boolean {
  return EQUIVALENTS.some(
    (each) =>
      each.file === file &&
      code.includes(each.code) &&
      (each.now === undefined || each.now === now),
  );
}
