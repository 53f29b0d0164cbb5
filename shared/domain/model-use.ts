import type { Millis } from './brand.ts';

/** Turns of one model, and their tokens kept apart. No content. */
export interface TokenCounts {
  readonly turns: number;
  readonly input: number;
  readonly output: number;
  /** Of the input: from the provider's cache. */
  readonly cached: number;
  /** Of the output: for reasoning that is not shown. */
  readonly reasoning: number;
}

/** What one model did for a run in one turn. */
export interface TurnUse extends TokenCounts {
  readonly model: string;
}

/** What models did, and what that cost as far as it is known. */
export interface Use extends TokenCounts {
  /** Millionths of the currency that the prices are in. */
  readonly cost: number;
  /** Of the turns: those whose price is not known, so that `cost` does not have them. */
  readonly unpriced: number;
}

/** What one model did for a run. */
export interface ModelUse extends Use {
  readonly model: string;
}

/** What one model did for a run on one day. */
export interface DayUse extends ModelUse {
  readonly day: Day;
}

/** Days since 1970-01-01, in UTC. */
export type Day = number;

const DAY: Millis = 24 * 60 * 60 * 1_000;

export const dayOf = (at: Millis): Day => Math.floor(at / DAY);

/** The moment at which it begins. */
export const startOf = (day: Day): Millis => day * DAY;

export const NO_USE: Use = {
  turns: 0,
  input: 0,
  output: 0,
  cached: 0,
  reasoning: 0,
  cost: 0,
  unpriced: 0,
};

const COUNTED = Object.keys(NO_USE) as readonly (keyof Use)[];

/** Whole numbers, so that it is the same in any order. */
export function plus(a: Use, b: Use): Use {
  const sum = { ...NO_USE };
  for (const name of COUNTED) Object.assign(sum, { [name]: a[name] + b[name] });
  return sum;
}

/** One entry for each that is `same`, in the order in which they first came. */
export function addTo<T extends Use>(
  all: readonly T[],
  more: T,
  same: (entry: T) => boolean,
): readonly T[] {
  const before = all.find(same);
  if (before === undefined) return [...all, more];
  return all.map((entry) => (entry === before ? { ...entry, ...plus(entry, more) } : entry));
}

/** More models than this are counted as one. */
const MODELS = 20;
const OTHERS = 'others';

/** The name that a model is counted under in a run. */
export function countedAs(model: string, uses: readonly ModelUse[]): string {
  const known = uses.some((use) => use.model === model);
  return known || uses.length < MODELS ? model : OTHERS;
}
