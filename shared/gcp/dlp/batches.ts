import { TooLarge } from '../../ports/faults.ts';

// https://cloud.google.com/sensitive-data-protection/limits: 0.5 MB a request and 50,000 values of
// a table. The rest of a request (the kinds, the frame) is far below what is left here.
const BYTES = 480_000;
const ROWS = 10_000;

/**
 * Texts in order, as many together as one request takes. A single one that is too large is refused,
 * not cut: a cut could hide what is to be found.
 */
export function batchesOf(texts: readonly string[]): readonly (readonly string[])[] {
  const batches: string[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const text of texts) {
    const size = Buffer.byteLength(JSON.stringify(rowOf(text))) + 1;
    if (size > BYTES) throw new TooLarge('a text for redaction', size, BYTES);
    const batch = batches.at(-1);
    if (batch === undefined || bytes + size > BYTES || batch.length === ROWS) {
      batches.push([text]);
      bytes = size;
    } else {
      batch.push(text);
      bytes += size;
    }
  }
  return batches;
}

export const rowOf = (text: string) => ({ values: [{ stringValue: text }] });
