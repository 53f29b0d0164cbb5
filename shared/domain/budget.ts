import type { Millis } from './brand.ts';
import { addTo, countedAs, type DayUse, dayOf, type ModelUse, type TurnUse } from './model-use.ts';

/**
 * What a run has used so far. Part of the row, so it survives every suspension and every worker
 * (G16).
 */
export interface Spent {
  /** Turns that the model has made. */
  readonly rounds: number;
  /** Model tokens, in and out together. */
  readonly tokens: number;
  /** Millionths of the currency that the model's prices are in. */
  readonly cost: number;
  /**
   * Sends to remote agents that this run has begun; what a remote delegates further is outside our
   * control.
   */
  readonly delegations: number;
  /** Bytes of messages to remote agents and of their answers. */
  readonly bytes: number;
}

export const NOTHING_SPENT: Spent = { rounds: 0, tokens: 0, cost: 0, delegations: 0, bytes: 0 };

/** What a step used, and which model made it. */
export interface Spending extends Partial<Spent> {
  readonly use?: TurnUse;
}

/** What a row keeps of the models that made its turns. */
interface Used {
  readonly spent: Spent;
  readonly models?: readonly ModelUse[];
  readonly lastModel?: string;
  readonly uncounted?: readonly DayUse[];
}

/** The fields of a row that a step changes by what it used. */
export function spentBy(run: Used, { use, ...more }: Spending = {}, now: Millis): Used {
  const spent = add(run.spent, more);
  if (use === undefined) return { spent };
  const { models = [], uncounted = [] } = run;
  const model = countedAs(use.model, models);
  const { cost } = more;
  const made = {
    ...use,
    model,
    ...(cost === undefined ? { cost: 0, unpriced: use.turns } : { cost, unpriced: 0 }),
  };
  const day = dayOf(now);
  return {
    spent,
    models: addTo(models, made, (each) => each.model === model),
    lastModel: use.model,
    uncounted: addTo(
      uncounted,
      { ...made, day },
      (each) => each.model === model && each.day === day,
    ),
  };
}

/** What a run may use at most. Absent: no limit of its own. */
export type Limits = { readonly [K in keyof Spent]?: number };

/** Which limit a run has passed; part of the reason that it fails with. */
export type Exceeded = Uppercase<keyof Spent>;

export function add(spent: Spent, more: Partial<Spent>): Spent {
  return {
    rounds: spent.rounds + (more.rounds ?? 0),
    tokens: spent.tokens + (more.tokens ?? 0),
    cost: spent.cost + (more.cost ?? 0),
    delegations: spent.delegations + (more.delegations ?? 0),
    bytes: spent.bytes + (more.bytes ?? 0),
  };
}

const NAMES = [
  'rounds',
  'tokens',
  'cost',
  'delegations',
  'bytes',
] as const satisfies readonly (keyof Spent)[];

/** The first limit that is passed, or undefined. A limit may be reached; it is passed by more. */
export function exceeded(spent: Spent, limits: Limits): Exceeded | undefined {
  const passed = NAMES.find((name) => spent[name] > (limits[name] ?? Number.POSITIVE_INFINITY));
  return passed && (passed.toUpperCase() as Exceeded);
}
