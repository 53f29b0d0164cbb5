// Measures the first page of the console over many runs, in a Chromium, on SQLite:
//   node tools/node24.mjs bench/console.ts 100000
// docs/scale.md has its figures.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { type Browser, chromium } from 'playwright-core';
import { z } from 'zod';
import { composeApp } from '../functions/compose.ts';
import { publish } from '../functions/load-agents.ts';
import { countCosts } from '../shared/app/change/count-costs.ts';
import { countEnded } from '../shared/app/counters/count-ended.ts';
import { keysProblem } from '../shared/app/privacy/check-keys.ts';
import { defaults } from '../shared/domain/settings.ts';
import { openEmbedded } from '../shared/embedded/index.ts';
import { ARGS, findBrowser } from '../test/console/find-browser.ts';
import { markingRedactor } from '../test/doubles/marking-redactor.ts';
import { alone } from '../testing/no-remotes.ts';
import { workOf } from './machine.ts';
import published, { fillWithRuns } from './many-runs.ts';

const ROUNDS = 9;
const READ = `({
  shown: globalThis.shownAt,
  requests: Object.fromEntries(performance.getEntriesByType('resource')
    .filter(({ initiatorType, responseEnd }) => initiatorType === 'fetch' && responseEnd > 0)
    .map(({ name, duration }) => [new URL(name).pathname, duration])),
})`;

const count = Number(process.argv[2] ?? 100_000);
const executablePath = findBrowser();
if (executablePath === undefined) process.exit(1);
const folder = await mkdtemp(join(tmpdir(), 'holdfast-console-bench-'));
await fill();
const server = spawn(
  process.execPath,
  [
    'functions/cli/main.ts',
    'start',
    '--data',
    folder,
    '--port',
    '0',
    '--operator-port',
    '0',
  ].concat(['--agents', 'bench/many-runs.ts', '--log', 'error']),
  { cwd: dirname(import.meta.dirname), stdio: ['ignore', 'pipe', 'inherit'] },
);
try {
  for await (const line of createInterface({ input: server.stdout }))
    if (line.startsWith('holdfast ready')) break;
  const browser = await chromium.launch({ executablePath, args: ARGS });
  await measure(browser);
  await browser.close();
} finally {
  server.kill('SIGTERM');
  await once(server, 'exit');
  await rm(folder, { recursive: true, force: true });
}

/** The runs, and what the sweeper would have counted of them in the course of their week. */
async function fill(): Promise<void> {
  const log = { write: () => undefined };
  const embedded = openEmbedded({ folder, log, settings: defaults });
  const ports = { ...embedded.ports, redactor: markingRedactor, ...alone };
  const app = composeApp(ports, publish(published, 'the bench'), {
    idempotency: 'always',
    installation: { answer: 'metadata', audit: 'metadata' },
  });
  await keysProblem(app);
  await fillWithRuns(embedded.backend, count, app.clock.now());
  const { runs: shards } = await app.shards.toRead();
  for (let shard = 0; shard < shards; shard += 1) {
    await countCosts(app, shard);
    for (let done = 0; done < count / shards; done += 500) await countEnded(app, shard);
  }
  await embedded.close();
}

interface Seen {
  /** Milliseconds from the address to a page that has everything. */
  readonly shown: number;
  /** Of the server's processor, in milliseconds: what a busy machine changes least. */
  readonly cpu: number;
  readonly requests: Readonly<Record<string, number>>;
}

async function measure(browser: Browser): Promise<void> {
  const url = (await readFile(join(folder, 'operator-url'), 'utf8')).trim();
  const operators = z.object({ local: z.object({ token: z.string() }) });
  const file: unknown = JSON.parse(await readFile(join(folder, 'operators.json'), 'utf8'));
  const { token } = operators.parse(file).local;
  const rounds: Seen[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    const before = workOf(server.pid ?? 0).cpu;
    await page.addInitScript(watch);
    await page.goto(`${url}/console/?span=7d#token=${token}`);
    while ((await page.evaluate('globalThis.shownAt')) === undefined) await wait(50);
    const cpu = workOf(server.pid ?? 0).cpu - before;
    rounds.push({ ...(await page.evaluate<Omit<Seen, 'cpu'>>(READ)), cpu });
    const folderOfPictures = process.env['HOLDFAST_SCREENSHOTS'];
    if (folderOfPictures !== undefined && round === 0)
      await page.screenshot({ path: join(folderOfPictures, 'many.png'), fullPage: true });
    await context.close();
  }
  report(rounds);
}

/** In the page: notes when each part of the overview has what it shows. */
function watch(): void {
  const parts = ['.tiles', '.lines', '.stacked', '.shares'];
  const look = (): void => {
    if (!parts.every((part) => document.querySelector(part) !== null)) return;
    if (
      document.querySelector('.loading') !== null ||
      document.querySelectorAll('.stacked').length < 3
    )
      return;
    Object.assign(globalThis, { shownAt: performance.now() });
    observer.disconnect();
  };
  const observer = new MutationObserver(look);
  observer.observe(document, { childList: true, subtree: true });
}

function report(rounds: readonly Seen[]): void {
  const [first, ...others] = rounds;
  const median = (values: readonly number[]): number =>
    values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
  const load = loadavg()[0]?.toFixed(1) ?? '';
  const paths = Object.keys(first?.requests ?? {});
  const row = (name: string, of: (seen: Seen) => number): string =>
    `| ${name} | ${first === undefined ? '' : of(first).toFixed(0)} | ${median(others.map(of)).toFixed(0)} | ${Math.max(...others.map(of)).toFixed(0)} |\n`;
  process.stdout.write(
    [
      `${count} runs, load ${load}\n\n`,
      `| | first ms | then ms, median of ${others.length} | slowest |\n| --- | ---: | ---: | ---: |\n`,
      row('the page is there, whole', ({ shown }) => shown),
      row('of the server’s processor', ({ cpu }) => cpu),
      ...paths.map((path) => row(`\`${path}\``, ({ requests }) => requests[path] ?? 0)),
    ].join(''),
  );
}
