// Measures the lists of operators over many runs, on SQLite:
//   node tools/node24.mjs bench/operator-lists.ts 100000
// docs/scale.md has its figures.
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { composeApp } from '../functions/compose.ts';
import { publish } from '../functions/load-agents.ts';
import { costReport } from '../shared/app/operators/cost-report.ts';
import { countCosts } from '../shared/app/change/count-costs.ts';
import { countEnded } from '../shared/app/counters/count-ended.ts';
import { listRuns, type RunList } from '../shared/app/operators/list-runs.ts';
import { throughput } from '../shared/app/operators/throughput.ts';
import { dayOf } from '../shared/domain/model-use.ts';
import { defaults } from '../shared/domain/settings.ts';
import { openEmbedded } from '../shared/embedded/index.ts';
import { RIGHTS } from '../shared/ports/grants.ts';
import { markingRedactor } from '../test/doubles/marking-redactor.ts';
import { alone } from '../testing/no-remotes.ts';
import published, { fillWithRuns, NAMES } from './many-runs.ts';

const HOUR = 3_600_000;
const count = Number(process.argv[2] ?? 100_000);
const folder = await mkdtemp(join(tmpdir(), 'holdfast-lists-'));
const log = { write: () => undefined };
const embedded = openEmbedded({ folder, log, settings: defaults });
const agents = publish(published, 'the bench');
const app = composeApp({ ...embedded.ports, redactor: markingRedactor, ...alone }, agents, {
  idempotency: 'always',
  installation: { answer: 'metadata', audit: 'metadata' },
});
const now = app.clock.now();

await fillWithRuns(embedded.backend, count, now);
const rights = () => Promise.resolve(new Set(RIGHTS));

const asked: readonly (readonly [string, Partial<RunList>])[] = [
  ['all', {}],
  ['all, oldest change first', { order: 'asc' }],
  ['status=open', { status: 'open' }],
  ['status=failed', { status: 'failed' }],
  ['status=ended', { status: 'ended' }],
  ['agent', { agent: 'payer' }],
  ['reason', { reason: 'ATTEMPTS_EXHAUSTED' }],
  ['context', { context: 'context-77' }],
  ['caller', { caller: 'caller-7' }],
  ['caller, status=failed', { caller: 'caller-3', status: 'failed' }],
  ['since an hour', { since: now - HOUR }],
  ['minCost', { minCost: 99_990 }],
  ['waitingFor=unknown-send', { waitingFor: 'unknown-send' }],
  ['sort=started', { sort: 'started' }],
  ['sort=age', { sort: 'age' }],
  ['sort=age, status=open', { sort: 'age', status: 'open' }],
  ['sort=cost', { sort: 'cost' }],
  ['sort=cost, agent, status=failed', { sort: 'cost', agent: 'payer', status: 'failed' }],
  ['sort=cost, caller', { sort: 'cost', caller: 'caller-9' }],
  ['sort=status', { sort: 'status' }],
];

async function measured(name: string, run: () => Promise<number | string>): Promise<void> {
  const times: number[] = [];
  let found: number | string = 0;
  for (let round = 0; round < 6; round += 1) {
    const began = performance.now();
    found = await run();
    times.push(performance.now() - began);
  }
  const [first = 0, ...others] = times;
  const median = others.toSorted((a, b) => a - b)[2] ?? 0;
  process.stdout.write(`| ${name} | ${first.toFixed(0)} | ${median.toFixed(0)} | ${found} |\n`);
}

process.stdout.write(`${count} runs, load ${loadavg()[0]?.toFixed(1)}\n\n`);
process.stdout.write('| list | first ms | then ms | rows |\n| --- | ---: | ---: | ---: |\n');
for (const [name, list] of asked)
  await measured(name, async () => {
    const page = await listRuns(app, rights, { limit: 50, agents: NAMES, ...list });
    return page.kind === 'page' ? page.runs.length : page.code;
  });
const { runs: shards } = await app.shards.toRead();
const every = (each: (shard: number) => Promise<unknown>) =>
  Promise.all(Array.from({ length: shards }, (_, shard) => each(shard)));
const began = performance.now();
await every((shard) => countCosts(app, shard));
const costsAt = performance.now();
for (let round = 0; round < count / 500; round += 1) await every((shard) => countEnded(app, shard));
process.stdout.write(
  `\ncounted costs in ${(costsAt - began).toFixed(0)} ms, endings in ${(performance.now() - costsAt).toFixed(0)} ms\n\n`,
);
const to = dayOf(now);
for (const by of [['day'], ['agent', 'model'], ['caller']] as const)
  await measured(`costs by ${by.join(', ')}`, async () => {
    const { rows } = await costReport(app, rights, { from: to - 6, to, by });
    return rows.length;
  });
for (const window of ['1h', '7d'] as const)
  await measured(`throughput ${window}`, async () => {
    const { total } = await throughput(app, window);
    return JSON.stringify(total.outcomes);
  });
process.stdout.write(`\nload ${loadavg()[0]?.toFixed(1)}\n`);
await embedded.close();
await rm(folder, { recursive: true });
