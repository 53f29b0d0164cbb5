// Makes the pictures of the diagrams in the pages, which the site shows, and removes those of
// diagrams that were changed. Needs a Chromium, as the tests of the console do, and installs
// Mermaid from its registry, at a pinned version, into node_modules/.cache.
//   node tools/node24.mjs tools/diagrams.ts
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { chromium } from 'playwright-core';
import { ARGS, findBrowser } from '../test/console/find-browser.ts';
import { projectFiles, readSource } from './checks/sources.ts';
import { DIAGRAMS, diagramsOf } from './site/diagrams.ts';

const ROOT = dirname(import.meta.dirname);
const CACHE = join(ROOT, 'node_modules/.cache/holdfast-diagrams');
const MERMAID = 'mermaid@12.3.0';

const diagrams = projectFiles(ROOT, ['.md']).flatMap((page) =>
  diagramsOf(page, readSource(ROOT, page)),
);
const folder = join(ROOT, DIAGRAMS);
mkdirSync(folder, { recursive: true });
for (const name of readdirSync(folder))
  if (!diagrams.some(({ file }) => basename(file) === name)) rmSync(join(folder, name));

const wanted = diagrams.filter(({ file }) => !existsSync(join(ROOT, file)));
if (wanted.length > 0) {
  const executablePath = findBrowser();
  if (executablePath === undefined) process.exit(1);
  const browser = await chromium.launch({ executablePath, args: ARGS });
  try {
    const page = await browser.newPage();
    await page.setContent('<!doctype html><body></body>');
    await page.addScriptTag({ path: mermaidScript() });
    for (const { file, source } of wanted) {
      writeFileSync(join(ROOT, file), `${shortened(await page.evaluate(drawn, source))}\n`);
      process.stdout.write(`${file}\n`);
    }
  } finally {
    await browser.close();
  }
}

function mermaidScript(): string {
  mkdirSync(CACHE, { recursive: true });
  const args = ['install', '--silent', '--no-save', '--ignore-scripts', '--prefix', CACHE, MERMAID];
  const { status, stderr } = spawnSync('npm', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm install ${MERMAID}: ${stderr}`);
  return join(CACHE, 'node_modules/mermaid/dist/mermaid.min.js');
}

/** In the page. Labels are text of SVG, and not HTML within it, which browsers alone show. */
async function drawn(source: string): Promise<string> {
  const { mermaid } = globalThis as unknown as {
    readonly mermaid: {
      initialize(options: object): void;
      render(id: string, text: string): Promise<{ readonly svg: string }>;
    };
  };
  const plain = { htmlLabels: false };
  mermaid.initialize({
    startOnLoad: false,
    theme: 'neutral',
    fontFamily: 'system-ui, sans-serif',
    // The same source makes the same bytes.
    deterministicIds: true,
    ...plain,
    flowchart: plain,
  });
  const { svg } = await mermaid.render('diagram', source);
  return svg;
}

/**
 * With a size of its own, as a picture in a page needs it, coordinates to a tenth of a pixel, and
 * without what nothing in it uses.
 */
function shortened(svg: string): string {
  const [, width = '', height = ''] = /viewBox="\S+ \S+ (\S+) (\S+)"/.exec(svg) ?? [];
  const size = `width="${Math.ceil(Number(width))}" height="${Math.ceil(Number(height))}"`;
  return svg
    .replace('width="100%"', size)
    .replaceAll(/-?\d+\.\d{2,}/g, (number) => `${Math.round(Number(number) * 10) / 10}`)
    .replaceAll(/ data-[a-z-]+="[^"]*"/g, '')
    .replaceAll(/<defs><symbol[\s\S]*?<\/defs>/g, '');
}
