import { describe, expect, it } from 'vitest';
import { addUse, NOTHING_SPENT, spentBy } from './budget.ts';

const use = (model: string) => ({
  model,
  turns: 1,
  input: 10,
  output: 2,
  cached: 4,
  reasoning: 1,
});

describe('what models did for a run', () => {
  it('is added up for each, in the order in which they first answered', () => {
    const uses = ['b', 'a', 'b'].map(use).reduce((all, each) => [...addUse(all, each)], [use('c')]);
    expect(uses).toEqual([
      use('c'),
      { model: 'b', turns: 2, input: 20, output: 4, cached: 8, reasoning: 2 },
      use('a'),
    ]);
  });

  it('has a bound: what comes after twenty models is counted as one', () => {
    const many = Array.from({ length: 25 }, (_, at) => use(`model ${at}`));
    const uses = many.reduce((all, each) => [...addUse(all, each)], [use('model 0')]);
    expect(uses).toHaveLength(21);
    expect(uses.at(-1)).toMatchObject({ model: 'others', turns: 5 });
  });

  it('is absent where no model made a turn', () => {
    expect(spentBy({ spent: NOTHING_SPENT }, { rounds: 1 })).toEqual({
      spent: { ...NOTHING_SPENT, rounds: 1 },
    });
  });
});
