// Measures the lists of operators over many runs, on SQLite:
//   node tools/node24.mjs bench/operator-lists.ts 100000
// docs/scale.md has its figures.
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { composeApp } from '../functions/compose.ts';
import { publish } from '../functions/load-agents.ts';
import { defineAgent } from '../shared/agent/index.ts';
import { costReport } from '../shared/app/operators/cost-report.ts';
import { countCosts } from '../shared/app/change/count-costs.ts';
import { countEnded } from '../shared/app/counters/count-ended.ts';
import { listRuns, type RunList } from '../shared/app/operators/list-runs.ts';
import { throughput } from '../shared/app/operators/throughput.ts';
import { runCodec } from '../shared/app/records/run-document.ts';
import { dayOf } from '../shared/domain/model-use.ts';
import type { AgentName } from '../shared/domain/ids.ts';
import { scopeOf } from '../shared/domain/ids.ts';
import { defaults } from '../shared/domain/settings.ts';
import { openEmbedded } from '../shared/embedded/index.ts';
import type { Fields } from '../shared/ports/backend.ts';
import { RIGHTS } from '../shared/ports/grants.ts';
import { markingRedactor } from '../test/doubles/marking-redactor.ts';
import { alone } from '../testing/no-remotes.ts';

const HOUR = 3_600_000;
const count = Number(process.argv[2] ?? 100_000);
const folder = await mkdtemp(join(tmpdir(), 'holdfast-lists-'));
const log = { write: () => undefined };
const embedded = openEmbedded({ folder, log, settings: defaults });
const names = ['reader', 'writer', 'payer', 'sorter'].map((name) => name as AgentName);
const agents = publish(
  names.map((name) => defineAgent({ name, description: 'x', run: () => 'x' })),
  'the bench',
);
const app = composeApp({ ...embedded.ports, redactor: markingRedactor, ...alone }, agents, {
  idempotency: 'always',
  installation: { answer: 'metadata', audit: 'metadata' },
});
const now = app.clock.now();

/** Most have completed; one in fifty failed, one in a thousand is open, a third has a model. */
function rowOf(at: number): readonly [string, Fields, Fields] {
  const taskId = `${at.toString(16).padStart(8, '0')}-0000-4000-8000-${'0'.repeat(12)}`;
  const agent = names[at % names.length] ?? 'reader';
  const owner = `caller-${at % 200}`;
  const scope = scopeOf({ agent: agent as AgentName, tenant: '', owner });
  const createdAt = now - ((count - at) * 7 * 24 * HOUR) / count;
  const statusAt = Math.floor(createdAt + (at % 100) * 300);
  const open = at % 1_000 === 7;
  const failed = at % 50 === 3;
  const cost = at % 3 === 0 ? (at * 7_919) % 100_000 : 0;
  const use = { turns: 1, input: 900, output: 100, cached: 0, reasoning: 0, cost, unpriced: 0 };
  const model = at % 2 === 0 ? 'a large model' : 'a small model';
  const uncounted = [{ ...use, model, day: dayOf(statusAt) }];
  const fields: Fields = {
    v: 1,
    taskId,
    contextId: `context-${Math.floor(at / 5)}`,
    agent,
    tenant: '',
    owner,
    scope,
    shard: at % defaults.shards,
    listShard: 0,
    status: open ? 'waiting_for_approval' : failed ? 'failed' : 'completed',
    ...(failed && { reason: at % 100 === 3 ? 'AGENT_FAILED' : 'ATTEMPTS_EXHAUSTED' }),
    revision: 3,
    projectedRevision: 3,
    fence: 1,
    attempts: 0,
    pauseGeneration: 0,
    inputRevision: 1,
    createdAt: Math.floor(createdAt),
    statusAt,
    deadlineAt: statusAt + 24 * HOUR,
    answerCeiling: 'full',
    auditCeiling: 'full',
    wrappedKey: new Uint8Array(60),
    commitId: 'a'.repeat(32),
    spent: { rounds: 1, tokens: 1_000, cost, delegations: 0, bytes: 0 },
    steps: 2,
    purgeAt: statusAt + 30 * 24 * HOUR,
    dueAt: statusAt + 30 * 24 * HOUR,
    ...(cost > 0 && { cost, models: [{ ...use, model }], uncounted, countAt: statusAt }),
  };
  const view: Fields = { ...fields, state: 'COMPLETED', lastSeq: 3, pages: [] };
  // As the code writes it, so that rows are as long as they would be.
  return [taskId, runCodec.encode(runCodec.decode(fields, taskId)), view];
}

for (let from = 0; from < count; from += 500) {
  const rows = Array.from({ length: Math.min(500, count - from) }, (_, at) => rowOf(from + at));
  await embedded.backend.commit(
    [],
    rows.flatMap(([id, run, view]) => [
      { path: `runs/${id}`, fields: run, expect: 'any' as const },
      { path: `tasks/${id}`, fields: view, expect: 'any' as const },
    ]),
  );
}
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
    const page = await listRuns(app, rights, { limit: 50, agents: names, ...list });
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
