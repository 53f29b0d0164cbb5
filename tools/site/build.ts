import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { readSource } from '../checks/sources.ts';
import { llmsText } from './llms.ts';
import { render } from './markdown.ts';
import { htmlPage } from './page.ts';
import { openApiPage } from './openapi.ts';
import { contentsOf, OPENAPI, type Page } from './pages.ts';

/** One row of search.json: page, its title, anchor, heading, text. */
type Row = readonly [to: string, title: string, anchor: string, heading: string, text: string];

/** Writes the site to a folder, in the place of what was there; `at` is where the source is. */
export function buildSite(
  root: string,
  out: string,
  at?: string,
): { readonly pages: number; readonly sections: number } {
  const contents = contentsOf(root);
  const { pages } = contents;
  rmSync(out, { recursive: true, force: true });
  const rows: Row[] = [];
  for (const page of pages) {
    const text = textOf(page, readSource(root, page.file));
    const { html, sections, files } = render({ root, pages, source: at }, page, text);
    write(join(out, page.to), htmlPage(contents, page, html));
    for (const { anchor, heading, text: words } of sections)
      rows.push([page.to, page.title, anchor, heading, words]);
    for (const file of files) {
      mkdirSync(dirname(join(out, file)), { recursive: true });
      cpSync(join(root, file), join(out, file));
    }
  }
  cpSync(join(import.meta.dirname, 'assets'), out, { recursive: true });
  cpSync(join(root, OPENAPI), join(out, OPENAPI));
  write(join(out, 'search.json'), JSON.stringify(rows));
  write(
    join(out, 'llms.txt'),
    llmsText(contents.groups, ({ to }) => to),
  );
  return { pages: pages.length, sections: rows.length };
}

/** A page's Markdown: what is not Markdown itself becomes some. */
function textOf({ file, title }: Page, source: string): string {
  if (file === OPENAPI) return openApiPage(source);
  if (file.endsWith('.md')) return source;
  const up = posix.relative(posix.dirname(file), 'examples/README.md');
  const head = `# ${title}\n\nA file of the [examples](${up}).`;
  return [head, '', FENCE, source, FENCE, ''].join('\n');
}

/** No source has so many in a row. */
const FENCE = '`'.repeat(8);

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
