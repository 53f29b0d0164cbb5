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

/** What one model did for a run: its turns, and their tokens kept apart. No content. */
export interface ModelUse {
  readonly model: string;
  readonly turns: number;
  readonly input: number;
  readonly output: number;
  /** Of the input: from the provider's cache. */
  readonly cached: number;
  /** Of the output: for reasoning that is not shown. */
  readonly reasoning: number;
}

/** What a step used, and which model made it. */
export interface Spending extends Partial<Spent> {
  readonly use?: ModelUse;
}

/** More models than this are counted as one. */
const MODELS = 20;
const OTHERS = 'others';

/** One entry a model, in the order in which they first answered. */
export function addUse(uses: readonly ModelUse[] = [], more?: ModelUse): readonly ModelUse[] {
  if (more === undefined) return uses;
  const known = uses.some(({ model }) => model === more.model);
  const model = known || uses.length < MODELS ? more.model : OTHERS;
  const before = uses.find((use) => use.model === model);
  if (before === undefined) return [...uses, { ...more, model }];
  const sum: ModelUse = {
    model,
    turns: before.turns + more.turns,
    input: before.input + more.input,
    output: before.output + more.output,
    cached: before.cached + more.cached,
    reasoning: before.reasoning + more.reasoning,
  };
  return uses.map((use) => (use === before ? sum : use));
}

/** The fields of a row that a step changes by what it used. */
export function spentBy(
  run: { readonly spent: Spent; readonly models?: readonly ModelUse[] },
  { use, ...more }: Spending = {},
): { readonly spent: Spent; readonly models?: readonly ModelUse[] } {
  const models = addUse(run.models, use);
  return { spent: add(run.spent, more), ...(models.length > 0 && { models }) };
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
