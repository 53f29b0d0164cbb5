/** Characters of a segment at most; object stores and file systems take 255 bytes. */
const LONGEST = 200;

/**
 * The path segment of an id that may come from a caller (G21). Letters, digits and `_~@=+-` stand
 * for themselves; every other byte of its UTF-8 is `%XX`, the dot included, so no id is a dot
 * segment or looks like `active.json`. Two ids never share a segment. Undefined for the empty id,
 * for text that is no Unicode, and where the segment would have more than 200 characters: such an
 * id names nothing.
 */
export function segmentOf(id: string): string | undefined {
  if (id === '' || id.length > LONGEST || !id.isWellFormed()) return undefined;
  const segment = id.replace(/[^A-Za-z0-9_~@=+-]/gu, (text) =>
    Array.from(Buffer.from(text), percent).join(''),
  );
  return segment.length <= LONGEST ? segment : undefined;
}

function percent(byte: number): string {
  return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}
