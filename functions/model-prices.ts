import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { PriceTable } from '../shared/domain/prices.ts';
import { BadConfiguration } from './settings.ts';

const price = z.number().min(0).max(1_000_000);
const table = z.record(
  z.string().min(1),
  z.strictObject({ input: price, output: price, cachedInput: price.exactOptional() }),
);

const RULE =
  'a model has input and output, and cachedInput if that is another price, in a currency per million tokens';

/**
 * The price table of an installation: JSON, or a file that holds it. Throws BadConfiguration that
 * names the entry at fault.
 */
export function modelPrices(value: string | undefined): PriceTable {
  if (value === undefined) return {};
  const given = value.trimStart();
  const isText = given.startsWith('{');
  const from = isText ? '--model-prices' : `--model-prices ${value}`;
  const parsed = table.safeParse(jsonOf(isText ? given : textOf(value), from));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue?.path.map((key) => JSON.stringify(key)).join('.') ?? '';
  throw new BadConfiguration(
    `${from}: ${place === '' ? 'the table' : place}: ${issue?.message ?? 'is wrong'}; ${RULE}`,
  );
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'no file';
    throw new BadConfiguration(`--model-prices ${file}: can't be read (${code})`);
  }
}

function jsonOf(text: string, from: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BadConfiguration(`${from}: is no JSON; ${RULE}`);
  }
}
