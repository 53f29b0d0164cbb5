import { describe, expect, it } from 'vitest';
import { add, exceeded, NOTHING_SPENT, spentBy } from './budget.ts';
import type { TurnUse } from './model-use.ts';

const turnOf = (model: string): TurnUse => ({
  model,
  turns: 1,
  input: 10,
  output: 2,
  cached: 4,
  reasoning: 1,
});

const DAY = 24 * 60 * 60 * 1_000;

/** What a row has after these turns: what is known of their cost, and when they were made. */
function after(turns: readonly { model: string; cost?: number; at?: number }[]) {
  const nothing: Parameters<typeof spentBy>[0] = { spent: NOTHING_SPENT };
  return turns.reduce(
    (row, { at = 0, cost, model }) =>
      spentBy(row, { rounds: 1, use: turnOf(model), ...(cost !== undefined && { cost }) }, at),
    nothing,
  );
}

describe('what models did for a run', () => {
  it('is added up for each, in the order in which they first answered', () => {
    const { lastModel, models } = after([
      { model: 'c' },
      { model: 'b', cost: 3 },
      { model: 'a', cost: 4 },
      { model: 'b' },
    ]);
    const known = { cost: 0, unpriced: 1 };
    expect(models).toEqual([
      { ...turnOf('c'), ...known },
      {
        model: 'b',
        turns: 2,
        input: 20,
        output: 4,
        cached: 8,
        reasoning: 2,
        cost: 3,
        unpriced: 1,
      },
      { ...turnOf('a'), cost: 4, unpriced: 0 },
    ]);
    expect(lastModel).toBe('b');
  });

  it('is to be counted for the day on which it was done', () => {
    const { uncounted } = after([
      { model: 'a', cost: 1, at: DAY - 1 },
      { model: 'a', cost: 2, at: DAY },
      { model: 'b', cost: 4, at: DAY },
      { model: 'a', cost: 8, at: 2 * DAY - 1 },
    ]);
    expect(uncounted?.map(({ cost, day, model, turns }) => [day, model, turns, cost])).toEqual([
      [0, 'a', 1, 1],
      [1, 'a', 2, 10],
      [1, 'b', 1, 4],
    ]);
  });

  it('has a bound: what comes after twenty models is counted as one', () => {
    const { lastModel, models } = after(
      Array.from({ length: 25 }, (_, at) => ({ model: `model ${at}` })),
    );
    expect(models).toHaveLength(21);
    expect(models?.at(-1)).toMatchObject({ model: 'others', turns: 5 });
    expect(lastModel).toBe('model 24');
  });

  it('is absent where no model made a turn', () => {
    expect(spentBy({ spent: NOTHING_SPENT }, { rounds: 1 }, 0)).toEqual({
      spent: { ...NOTHING_SPENT, rounds: 1 },
    });
  });
});

describe('a limit', () => {
  it.each(['rounds', 'tokens', 'cost', 'delegations', 'bytes'] as const)(
    'of %s may be reached, and is passed by more',
    (name) => {
      const spent = add(NOTHING_SPENT, { [name]: 3 });
      expect(exceeded(spent, { [name]: 3 })).toBeUndefined();
      expect(exceeded(spent, { [name]: 2 })).toBe(name.toUpperCase());
      expect(exceeded(spent, {})).toBeUndefined();
    },
  );

  it('that is passed first is named, in the order of the names', () => {
    const spent = add(add(NOTHING_SPENT, { bytes: 9, cost: 4 }), { cost: 5 });
    expect(spent).toMatchObject({ bytes: 9, cost: 9 });
    expect(exceeded(spent, { bytes: 1, cost: 8 })).toBe('COST');
  });
});
