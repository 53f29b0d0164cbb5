import type { TurnUsage } from './step.ts';

/** What a model costs, in a currency per million tokens. */
export interface Prices {
  readonly input: number;
  readonly output: number;
  /** Of input that was read from the provider's cache. Default: as `input`. */
  readonly cachedInput?: number;
}

/** By the name of a model, with its provider (`openai.chat gpt-5`) or without. */
export type PriceTable = Readonly<Record<string, Prices>>;

/** In millionths: a price for a million tokens is that of one in millionths. */
export function costOf({ cached = 0, input, output }: TurnUsage, prices: Prices): number {
  const { cachedInput = prices.input, input: each, output: made } = prices;
  return Math.max(0, input - cached) * each + cached * cachedInput + output * made;
}

/** Of a model that is called `provider id`, the whole name counts before the id alone. */
export function pricesOf(table: PriceTable, model: string): Prices | undefined {
  const id = model.slice(model.lastIndexOf(' ') + 1);
  return own(table, model) ?? own(table, id);
}

function own(table: PriceTable, name: string): Prices | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
