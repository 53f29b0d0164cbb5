import { expect, it } from 'vitest';
import { costOf, pricesOf } from './prices.ts';

const table = {
  'gpt-5': { input: 1, output: 10 },
  'openai.chat gpt-5': { input: 2, output: 20, cachedInput: 0.5 },
};

it('goes by the name with its provider, then by the id alone', () => {
  expect(pricesOf(table, 'openai.chat gpt-5')).toBe(table['openai.chat gpt-5']);
  expect(pricesOf(table, 'azure gpt-5')).toBe(table['gpt-5']);
  expect(pricesOf(table, 'gpt-5')).toBe(table['gpt-5']);
  expect(pricesOf(table, 'other')).toBeUndefined();
  expect(pricesOf(table, 'provider constructor')).toBeUndefined();
});

it('costs millionths: cached input is part of the input, at a price of its own if it has one', () => {
  const usage = { input: 1_000, cached: 400, output: 100 };
  expect(costOf(usage, table['gpt-5'])).toBe(1_000 + 1_000);
  expect(costOf(usage, table['openai.chat gpt-5'])).toBe(600 * 2 + 400 * 0.5 + 100 * 20);
});
