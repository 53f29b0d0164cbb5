import { invalid, Refusal } from './refusal.ts';

interface Numbered {
  readonly generation: number;
  readonly metageneration: number;
}

const failed = (): Refusal =>
  new Refusal(412, 'conditionNotMet', 'At least one of the pre-conditions did not hold.');
const unchanged = (): Refusal => new Refusal(304, 'notModified', '');

/**
 * The four conditions of a request (https://cloud.google.com/storage/docs/request-preconditions):
 * generation 0 means that there is no live object. A `Match` that fails is 412; a `NotMatch` that
 * fails is 412 for a change and 304 for a read.
 */
export function requireConditions(
  found: Numbered | undefined,
  query: URLSearchParams,
  kind: 'read' | 'change' | 'source' = 'change',
): void {
  const condition = (name: string): number | undefined =>
    wholeNumber(query.get(kind === 'source' ? `ifSource${name}` : `if${name}`));
  const generation = found?.generation ?? 0;
  const metageneration = found?.metageneration ?? 0;
  const match = condition('GenerationMatch');
  const metaMatch = condition('MetagenerationMatch');
  if (match !== undefined && match !== generation) throw failed();
  if (metaMatch !== undefined && metaMatch !== metageneration) throw failed();
  const mismatched = kind === 'read' ? unchanged : failed;
  if (condition('GenerationNotMatch') === generation) throw mismatched();
  if (condition('MetagenerationNotMatch') === metageneration) throw mismatched();
}

export function wholeNumber(text: string | null | undefined): number | undefined {
  if (text === null || text === undefined) return undefined;
  if (!/^[0-9]{1,19}$/.test(text)) throw invalid(`Invalid value: ${text}`);
  return Number(text);
}
