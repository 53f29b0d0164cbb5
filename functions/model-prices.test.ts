import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { modelPrices } from './model-prices.ts';
import { BadConfiguration } from './settings.ts';
import { readArguments } from './start/arguments.ts';

const GPT = { input: 1.25, output: 10, cachedInput: 0.13 };

function fileWith(text: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'holdfast-prices-')), 'prices.json');
  writeFileSync(file, text);
  return file;
}

describe('the price table', () => {
  it('is JSON, or a file that holds it; without one no model has a price here', () => {
    const text = JSON.stringify({ 'gpt-5': GPT, small: { input: 0, output: 0.5 } });
    expect(modelPrices(text)).toEqual(JSON.parse(text));
    expect(modelPrices(fileWith(text))).toEqual(JSON.parse(text));
    expect(modelPrices(undefined)).toEqual({});
    const environment = { HOLDFAST_MODEL_PRICES: text };
    expect(readArguments([], environment)?.prices).toEqual(JSON.parse(text));
    expect(readArguments(['--model-prices', '{}'], environment)?.prices).toEqual({});
  });

  it.each<[string, string, RegExp]>([
    ['no JSON', '{"gpt-5"', /--model-prices: is no JSON/],
    ['no object', fileWith('[1]'), /prices\.json: the table: .*expected record/],
    ['a price that is missing', '{"gpt-5":{"input":1}}', /"gpt-5"\."output"/],
    ['a price below zero', '{"gpt-5":{"input":-1,"output":1}}', /"gpt-5"\."input"/],
    ['a price in words', '{"gpt-5":{"input":"1","output":1}}', /"gpt-5"\."input"/],
    [
      'a name that no price has',
      '{"gpt-5":{"input":1,"output":1,"cached":1}}',
      /"gpt-5": .*cached/,
    ],
    ['a file that is not there', '/nowhere/prices.json', /can't be read \(ENOENT\)/],
  ])('%s is refused, and the entry is named', (_what, value, words) => {
    expect(() => modelPrices(value)).toThrow(BadConfiguration);
    expect(() => modelPrices(value)).toThrow(words);
  });
});
