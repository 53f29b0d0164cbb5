/** A call that can't be carried out, and what the model is told about it. */
export interface Unfit {
  readonly kind: 'unfit';
  readonly why: string;
  /** What its author's code threw, if that is why. */
  readonly thrown?: unknown;
}

export const unfit = (why: string): Unfit => ({ kind: 'unfit', why });

/** What an author's code answered, or threw. */
export type Tried<T> = { readonly value: T } | { readonly thrown: unknown };

export function tried<T>(code: () => T): Tried<T> {
  try {
    return { value: code() };
  } catch (thrown) {
    return { thrown };
  }
}

export function thrownIn(...all: readonly Tried<unknown>[]): readonly unknown[] {
  return all.flatMap((each) => ('thrown' in each ? [each.thrown] : []));
}

/** What an author's code answers; undefined when it throws. */
export function undefinedIfThrown<T>(code: () => T): T | undefined {
  try {
    return code();
  } catch {
    return undefined;
  }
}
