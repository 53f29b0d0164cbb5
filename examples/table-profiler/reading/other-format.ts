/* oxlint-disable no-control-regex -- binary files start with control characters */
/** What people send in place of a CSV, told by its first characters; bytes are taken as Latin-1. */
const FORMATS: readonly (readonly [name: string, start: RegExp, end?: RegExp])[] = [
  ['an Excel workbook or another ZIP file', /^PK\x03\x04/],
  ['an old Excel workbook', /^\xd0\xcf\x11\xe0/],
  ['a PDF', /^%PDF-/],
  ['a gzip file', /^\x1f\x8b/],
  ['a Parquet file', /^PAR1/],
  ['a picture', /^(?:\x89PNG|\xff\xd8\xff|GIF8)/],
  ['an SQLite database', /^SQLite format 3/],
  ['a text in RTF', /^\{\\rtf/],
  ['an HTML page', /^\s*(?:<!--[\s\S]*?-->\s*)?<(?:!doctype html|html|head|body|table)\b/i],
  // A header such as <TICKER>,<DATE> starts with a tag, but no file of such rows ends with one.
  ['XML', /^\s*<(?:[?!]|[a-z])/i, /(?:<\/[^<>]+|\/)>\s*$/],
  ['JSON', /^\s*(?:\[\s*(?:[{[\]]|"|-?\d)|\{\s*["}])/],
  [
    'SQL',
    /^\s*(?:create\s+(?:temp\w*\s+)?table|insert\s+into|drop\s+table|begin(?:\s+transaction)?;|select\b.+\bfrom\b.*;)/im,
  ],
  ['a table drawn with lines, as in Markdown', /^\s*\S.*\|.*\n[|:+ \t-]*-{2,}[|:+ \t-]*(?:\n|$)/],
];

/**
 * What a file that is no CSV seems to be, in words; undefined where nothing speaks against a CSV.
 */
export function otherFormat(bytes: Uint8Array): string | undefined {
  const part = (from: number, to?: number): string =>
    Buffer.from(bytes.subarray(from, to))
      .toString('latin1')
      .replace(/^\xef\xbb\xbf/, '')
      .replace(/\r/g, '');
  const start = part(0, 4096);
  const end = part(-256);
  return FORMATS.find(([, starts, ends]) => starts.test(start) && (ends?.test(end) ?? true))?.[0];
}
