/**
 * Text from a table as Markdown that shows just that text: no emphasis, code, link, image, HTML or new table cell can come
 * of it.
 */
export function inline(text: string): string {
  return (
    text
      .replace(/\s+/g, ' ')
      .trim()
      .replace(/[\\`*[\]|~#!]/g, '\\$&')
      // Within a word an underscore is harmless, and most column names have one there.
      .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
      .replace(/&/g, '&amp;')
      .replace(/</g, '&lt;')
      .replace(/>/g, '&gt;')
  );
}

/** A table; its cells are Markdown already. Columns marked `>` are aligned to the right. */
export function markdownTable(
  header: readonly { readonly title: string; readonly align?: '>' }[],
  rows: readonly (readonly string[])[],
): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    line(header.map(({ title }) => title)),
    line(header.map(({ align }) => (align === '>' ? '---:' : '---'))),
    ...rows.map(line),
  ].join('\n');
}
