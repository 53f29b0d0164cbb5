import type { Trail } from '../wire.ts';

/** The pages of a trail as one, in the order of the steps, each step once. */
export function withPages(first: Trail, more: readonly Trail[]): Trail {
  const { next: own, ...rest } = first;
  const steps = new Map(
    [first, ...more].flatMap((page) => page.steps.map((step) => [step.n, step])),
  );
  const next = more.length === 0 ? own : more.at(-1)?.next;
  const inOrder = [...steps.values()].toSorted((one, other) => one.n - other.n);
  return { ...rest, steps: inOrder, ...(next !== undefined && { next }) };
}

/** Number of the last step that is shown; 0: none is. */
export const lastOf = (trail: Trail | undefined): number => trail?.steps.at(-1)?.n ?? 0;
