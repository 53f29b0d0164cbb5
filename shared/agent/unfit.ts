/** A call that can't be carried out, and what the model is told about it. */
export interface Unfit {
  readonly kind: 'unfit';
  readonly why: string;
}

export const unfit = (why: string): Unfit => ({ kind: 'unfit', why });

/** What an author's code answers; undefined when it throws. */
export function undefinedIfThrown<T>(code: () => T): T | undefined {
  try {
    return code();
  } catch {
    return undefined;
  }
}
