import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { buildSite } from '../../tools/site/build.ts';
import { diagramsOf } from '../../tools/site/diagrams.ts';

const ROOT = join(import.meta.dirname, '../..');
const out = mkdtempSync(join(tmpdir(), 'holdfast-site-'));
const built = buildSite(ROOT, out, 'https://example.com/blob/main');
afterAll(() => rmSync(out, { recursive: true }));

const files = readdirSync(out, { recursive: true, encoding: 'utf8' });
const pages = new Map(
  files
    .filter((name) => name.endsWith('.html'))
    .map((name) => [name, readFileSync(join(out, name), 'utf8')]),
);
const names = z.record(z.string(), z.unknown());
const described = z.object({
  paths: z.record(z.string(), names),
  components: z.object({ schemas: names }),
});
const targets = (html: string) =>
  [...html.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, to = '']) => to.replaceAll('&amp;', '&'));

test('each link of a page leads to a page of the site, to its heading, or to the source', () => {
  const dead = [...pages].flatMap(([name, html]) =>
    targets(html)
      .filter((target) => !/^(?:https?:|data:|mailto:)/.test(target))
      .filter((target) => {
        const [path = '', anchor] = target.split('#');
        const file = path === '' ? name : relative(out, join(out, dirname(name), path));
        if (!existsSync(join(out, file))) return true;
        return anchor !== undefined && !pages.get(file)?.includes(` id="${decodeURI(anchor)}"`);
      })
      .map((target) => `${name}: ${target}`),
  );
  expect(dead).toEqual([]);
  expect(pages.size).toBe(built.pages);
});

test('no page loads, or asks for, anything of another site', () => {
  for (const [name, html] of pages) {
    const loaded = [...html.matchAll(/<(?:script|link|img|iframe)\b[^>]*>/g)].map(([tag]) => tag);
    expect(
      loaded.filter((tag) => tag.includes('://')),
      name,
    ).toEqual([]);
    expect(html, name).toContain("default-src 'none'");
    expect(html, name).not.toMatch(/<script(?![^>]* src=)|style="|\son\w+="/);
  }
});

test('a diagram is a picture, with its text on demand, and each heading has a link to itself', () => {
  for (const [name, html] of pages) {
    expect(html, name).not.toContain('language-mermaid');
    expect(html.match(/<h[1-6] id=/g), name).toHaveLength(
      html.match(/class="anchor"/g)?.length ?? 0,
    );
  }
  const source = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
  const drawn = diagramsOf('docs/architecture.md', source);
  const shown = pages.get('docs/architecture.html')?.match(/<img class="diagram"/g);
  expect(shown).toHaveLength(drawn.length);
  for (const { file } of drawn) {
    const svg = readFileSync(join(out, file), 'utf8');
    expect(svg).toMatch(/^<svg [^>]*width="\d+" height="\d+"/);
    // No script, and nothing that comes from elsewhere.
    expect(svg).not.toMatch(/<script|<foreignObject|href=|url\((?!#)|@import/);
  }
});

test("the page of the operators' API has each operation, and links to each object", () => {
  const html = pages.get('docs/openapi.html') ?? '';
  const { paths, components } = described.parse(
    JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')),
  );
  for (const [path, methods] of Object.entries(paths))
    for (const method of Object.keys(methods))
      expect(html).toContain(`>${method.toUpperCase()} ${path}<a class="anchor"`);
  for (const name of Object.keys(components.schemas))
    expect(html).toContain(`id="${name.toLowerCase()}"`);
  expect(pages.get('docs/operator.html')).toContain('href="openapi.html"');
});

const row = z.tuple([z.string(), z.string(), z.string(), z.string(), z.string()]);

test('the search knows each section by the page and the anchor that it is at', () => {
  const rows = z.array(row).parse(JSON.parse(readFileSync(join(out, 'search.json'), 'utf8')));
  expect(rows).toHaveLength(built.sections);
  for (const [page, , anchor] of rows)
    expect(pages.get(page), `${page}#${anchor}`).toContain(` id="${anchor}"`);
  const found = rows.filter(([, , , , text]) => text.includes('EFFECT_UNKNOWN'));
  expect(found.map(([page]) => page)).toContain('docs/steps.html');
});

test('llms.txt lists what the README lists', () => {
  const text = readFileSync(join(out, 'llms.txt'), 'utf8');
  const [, list = ''] = readFileSync(join(ROOT, 'README.md'), 'utf8').split('\n## Pages\n');
  const listed = [...list.matchAll(/^\| \[/gm)];
  expect([...text.matchAll(/^- \[.+\]\(.+\.html\): .+$/gm)]).toHaveLength(listed.length);
});
