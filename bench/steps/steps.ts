import { join } from 'node:path';
import { Client } from '../client.ts';
import { load, medianRate, type Rate } from '../load.ts';
import { number, progress, type Section, short } from '../report.ts';
import { launch, type Running } from '../subject.ts';
import { type Postgres, startPostgres } from './postgres.ts';

const STEPS = 10;
const NAMES = ['holdfast', 'DBOS'] as const;
type Name = (typeof NAMES)[number];

interface Variant {
  readonly name: Name;
  /** Whether each commit reaches the disk before it is answered. */
  readonly flushed: boolean;
  readonly concurrency: number;
}

interface Started {
  readonly server: Running;
  /** Transactions that have written so far. */
  readonly commits: () => Promise<number>;
  /** Milliseconds of the processor that are not the server's own. */
  readonly beside: () => number;
}

/** Runs of ten small steps, beside DBOS Transact on PostgreSQL. */
export async function steps(quick: boolean): Promise<Section> {
  const postgres = await startPostgres();
  try {
    const counted = new Map<Name, Counted>();
    for (const name of NAMES) counted.set(name, await count(postgres, name));
    const found = new Map<string, { readonly variant: Variant; readonly rates: Rate[] }>();
    for (let round = 1; round <= (quick ? 2 : 3); round += 1) {
      for (const variant of VARIANTS) {
        const rate = await measure(postgres, variant, quick ? 200 : 1_000);
        const key = JSON.stringify(variant);
        const rates = found.get(key)?.rates ?? [];
        found.set(key, { variant, rates: [...rates, rate] });
        progress(`${key}: ${short(rate.perSecond)} runs/s`);
      }
    }
    return {
      title: 'Durable steps',
      about: aboutOf(postgres.version),
      table: {
        head: HEAD,
        rows: [...found.values()].map(({ variant, rates }) =>
          row(variant, medianRate(rates), counted.get(variant.name)),
        ),
      },
      targets: [...counted].map(([name, { step }]) => ({
        what: `a step of ${name} is one transaction`,
        met: Math.abs(step - 1) < 0.05,
        found: `${number(step, 2)} counted, and ${number(counted.get(name)?.run ?? Number.NaN, 2)} for a run without steps`,
      })),
    };
  } finally {
    await postgres.stop();
  }
}

const VARIANTS: readonly Variant[] = [1, 8].flatMap((concurrency) =>
  [false, true].flatMap((flushed) => NAMES.map((name) => ({ name, flushed, concurrency }))),
);

const HEAD = [
  'runs of 10 steps',
  'at once',
  'flushed at each commit',
  'runs/s',
  'p50 ms',
  'p99 ms',
  'CPU ms a run',
  'transactions a step',
];

const aboutOf = (version: string): string =>
  `Functions of ${STEPS} small steps, each of which returns two numbers: \`ctx.step\` of Holdfast, embedded (SQLite in the process), and \`DBOS.runStep\` of DBOS Transact (@dbos-inc/dbos-sdk 5.3.0) on PostgreSQL ${version} on the same machine, as initdb makes it; its TypeScript library has no other store. A run is one blocking call over HTTP to a process of its own, the load is in a third, and each is warmed up by half as many runs as are measured; median of the rounds, in which they take turns. Not flushed: SQLite in WAL mode with \`synchronous = NORMAL\`, and \`synchronous_commit = off\`: the process may die, the machine may not. Flushed: \`--sync full\`, and \`synchronous_commit = on\`, which is PostgreSQL's default. Transactions are those that write, counted over runs of ${STEPS} steps and of none, one at a time. CPU is that of the server, and for DBOS of PostgreSQL's processes, too. Not the same work: Holdfast makes an A2A task of each run, takes it from a queue, encrypts what its steps return, and writes task, journal and archive; DBOS starts the workflow in the process that was called, and keeps what steps return as text. Not measured: PostgreSQL on another machine (each transaction would wait for the network; several processes could share it, as they share Firestore here), queues, recovery.`;

function row(
  { concurrency, flushed, name }: Variant,
  { cpu, p50, p99, perSecond }: Rate,
  counted: Counted | undefined,
): string[] {
  return [
    name,
    `${concurrency}`,
    flushed ? 'yes' : 'no',
    short(perSecond),
    short(p50),
    number(p99, 1),
    short(cpu),
    number(counted?.step ?? Number.NaN, 2),
  ];
}

interface Counted {
  /** Transactions of a step, and of a run without any. */
  readonly step: number;
  readonly run: number;
}

async function count(postgres: Postgres, name: Name): Promise<Counted> {
  const RUNS = 20;
  const { commits, server } = await begin(postgres, name, false);
  const client = new Client(server.url, 1);
  try {
    const cost = async (text: string) => {
      const before = await commits();
      for (let run = 0; run < RUNS; run += 1) await completed(client, text);
      return ((await commits()) - before) / RUNS;
    };
    await cost('0');
    const run = await cost('0');
    return { run, step: ((await cost(`${STEPS}`)) - run) / STEPS };
  } finally {
    client.close();
    await server.stop();
  }
}

async function measure(
  postgres: Postgres,
  { concurrency, flushed, name }: Variant,
  calls: number,
): Promise<Rate> {
  const { beside, server } = await begin(postgres, name, flushed);
  const client = new Client(server.url, concurrency);
  try {
    const call = () => completed(client, `${STEPS}`);
    await load(server.pid, Math.ceil(calls / 2), call, concurrency);
    const before = beside();
    const rate = await load(server.pid, calls, call, concurrency);
    return { ...rate, cpu: rate.cpu + (beside() - before) / calls };
  } finally {
    client.close();
    await server.stop();
  }
}

async function completed(client: Client, text: string): Promise<void> {
  const { status } = await client.send(text);
  if (status.state !== 'TASK_STATE_COMPLETED') throw new Error(`a run is ${status.state}`);
}

const OURS = [
  '--import',
  './bench/steps/count-commits.ts',
  'functions/cli/main.ts',
  'start',
  '--port=0',
  '--agents=bench/steps/agent.ts',
];
let databases = 0;

async function begin(postgres: Postgres, name: Name, flushed: boolean): Promise<Started> {
  if (name === 'holdfast') {
    const sync = flushed ? 'full' : 'normal';
    const server = await launch(name, (folder) =>
      OURS.concat('--sync', sync, '--data', join(folder, 'data')),
    );
    return { server, commits: () => server.ask('commits'), beside: () => 0 };
  }
  databases += 1;
  const database = `bench_${databases}`;
  const url = await postgres.database(database, flushed);
  const server = await launch(name, () => ['bench/steps/peer.mjs', url]);
  return { server, commits: () => postgres.written(database), beside: () => postgres.cpu() };
}
