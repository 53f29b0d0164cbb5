// Makes the pictures of the README and of docs/console.md: starts the sample assistant, has it
// work, and looks at the console. Needs a Chromium, as the tests of the console do.
//   node tools/node24.mjs tools/pictures.ts
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { chromium, type Page } from 'playwright-core';
import { ARGS, findBrowser } from '../test/console/find-browser.ts';
import { freePort } from '../test/console/foreign-site.ts';
import { approve, ASSISTANT, sendMessage } from '../test/console/sample-runs.ts';
import { asOperator } from '../test/e2e/operating.ts';

const ROOT = dirname(import.meta.dirname);
const TABLE =
  'profile:\ncity,population,area_km2\nBerlin,3677472,891\nMunich,1487708,\nUlm,126949,119\n';

const executablePath = findBrowser();
if (executablePath === undefined) process.exit(1);
const data = mkdtempSync(join(tmpdir(), 'holdfast-pictures-'));
const port = await freePort();
const server = spawn(
  process.execPath,
  [
    'functions/cli/main.ts',
    'start',
    '--data',
    data,
    '--port',
    port,
    '--operator-port',
    '0',
    ...ASSISTANT,
  ].concat(['--set', 'pollMin=500', '--set', 'pollMax=1000']),
  // The assistant finds the profiler by it.
  { cwd: ROOT, env: { ...process.env, PORT: port }, stdio: ['ignore', 'pipe', 'inherit'] },
);
const browser = await chromium.launch({ executablePath, args: ARGS });
try {
  const url = await ready();
  const at = { url, data };
  const { id } = await sendMessage(at, TABLE);
  await until(id, 'waiting_for_approval');
  await wait(4_000);
  await approve(await asOperator(at), id);
  await until(id, 'completed');
  await sendMessage(at, 'pay Ada 120 euros');
  await sendMessage(at, 'pay Grace');
  const { token, url: operators } = await asOperator(at);
  const page = await browser.newPage({ viewport: { width: 1120, height: 700 } });
  await page.goto(`${operators}/console/inbox#token=${token}`);
  await page.getByText('120 euros to Ada').waitFor();
  await keep(page, 'console-inbox');
  await page.goto(`${operators}/console/runs/${id}`);
  await page.getByRole('row', { name: /COMPLETED/ }).waitFor();
  await keep(page, 'console-run');
} finally {
  await browser.close();
  if (server.exitCode === null) {
    server.kill();
    await new Promise((resolve) => server.once('exit', resolve));
  }
  rmSync(data, { recursive: true, force: true });
}

function ready(): Promise<string> {
  return new Promise((resolve, reject) => {
    createInterface({ input: server.stdout }).on('line', (line) => {
      const [, url] = /^holdfast ready (\S+)$/.exec(line) ?? [];
      if (url !== undefined) resolve(url);
    });
    // Its own words say why.
    server.once('exit', () => reject(new Error('the server ended before it was ready')));
  });
}

async function until(id: string, status: string): Promise<void> {
  const operator = await asOperator({ data });
  for (;;) {
    const { body } = await operator.get(`/runs/${id}`);
    if ((body as { status?: string }).status === status) return;
    await wait(200);
  }
}

async function keep(page: Page, name: string): Promise<void> {
  await page.getByText('live', { exact: true }).waitFor();
  await page.screenshot({ path: join(ROOT, 'docs', `${name}.png`) });
  process.stdout.write(`docs/${name}.png\n`);
}
