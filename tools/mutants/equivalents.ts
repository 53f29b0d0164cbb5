/** A change that alters nothing which a caller, an operator or a row could tell. */
interface Equivalent {
  readonly file: string;
  /** A part of the changed line. */
  readonly code: string;
  /** What Stryker puts in its place, or each of it. */
  readonly now?: string;
  readonly reason: string;
}

const EQUIVALENTS: readonly Equivalent[] = [];

export function isEquivalent(file: string, code: string, now: string): boolean {
  return EQUIVALENTS.some(
    (each) =>
      each.file === file &&
      code.includes(each.code) &&
      (each.now === undefined || each.now === now),
  );
}
