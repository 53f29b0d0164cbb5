import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { sweep } from '../../shared/app/worker/sweep.ts';
import { number, progress, type Section, short } from '../report.ts';
import { Plant, type Used } from './plant.ts';
import { costOf } from './prices.ts';

const HOUR = 3_600_000;
const HOURS = 24;

interface Memory {
  readonly heap: number;
  readonly rss: number;
}

/** Runs that wait for a remote agent, for a virtual day: what do they cost? */
export async function waiting(quick: boolean): Promise<Section> {
  const runs = quick ? 1_000 : 10_000;
  const plant = new Plant(1);
  const empty = memory();
  for (let n = 1; n <= runs; n += 1) {
    await plant.start();
    if (n % 2_000 === 0) progress(`${number(n)} runs wait`);
  }
  const started = plant.used();
  const before = memory();
  const began = performance.now();
  const from = plant.clock.now();
  const spent: Used[] = [];
  let swept = 0;
  for (let hour = 1; hour <= HOURS; hour += 1) {
    await plant.until(from + hour * HOUR);
    spent.push(plant.used());
    // What a sweep finds is what the queue has not done; its own looks are not the runs'.
    swept += await sweep(plant.app);
    plant.used();
    progress(`hour ${hour}: ${number(spent.at(-1)?.looks ?? 0)} looks`);
  }
  const seconds = (performance.now() - began) / 1_000;
  const after = memory();
  const day = summed(spent);
  const cost = costOf(day);
  const rest = cost.database + cost.queue + cost.keys;
  const hours = runs * HOURS;
  const row = (what: string, value: (used: Used) => number): string[] => [
    what,
    number(value(day)),
    short(value(day) / hours),
    short(value(spent[0] ?? day) / runs),
    short(value(spent.at(-1) ?? day) / runs),
  ];
  const dollars = (what: string, value: number): string[] => [
    what,
    `$${value.toFixed(2)}`,
    `$${((value / hours) * 1e6).toFixed(2)} a million`,
    '',
    '',
  ];
  const megabytes = (bytes: number): string => number(bytes / 2 ** 20);
  const held = plant.app.segments.size;
  return {
    title: 'Waiting runs',
    about: `${number(runs)} runs wait for a remote agent that is at work all day; the clock is virtual and jumps from one wake-up to the next, database and queue are in memory (Holdfast alone: the SDK's handlers don't wait). Starting them took ${short(started.writes / runs)} writes each. The day took ${number(seconds)} s; the heap with the whole database and queue in it was ${megabytes(empty.heap)} MB empty, ${megabytes(before.heap)} MB when all waited and ${megabytes(after.heap)} MB a day later (resident ${megabytes(before.rss)} and ${megabytes(after.rss)} MB). Prices: US dollars, one US region, no free tier; Firestore $0.30 and $0.90 for a million reads and writes, Cloud Run $0.40 a million requests and $0.000024 and $0.0000025 for a second of a vCPU and a GiB (both from copies of Google's pages), Cloud Tasks $0.40 a million operations, Cloud KMS $3.00 a million. A look is a tenth of a second of an instance with half a GiB, by itself or shared with 39 others. Not measured: the remote's time to answer, a real database, network, and the sweeper, whose looks do not grow with the runs that wait.`,
    table: {
      head: ['a day', 'in all', 'a run and hour', 'in the first hour', 'in the last'],
      rows: [
        row('looks at the remote', ({ looks }) => looks),
        row('documents read', ({ reads }) => reads),
        row('documents written', ({ writes }) => writes),
        row('wake-ups handed over', ({ enqueued }) => enqueued),
        row('wake-ups delivered', ({ delivered }) => delivered),
        row('data keys opened', ({ unwrapped }) => unwrapped),
        dollars('database', cost.database),
        dollars('queue', cost.queue),
        dollars('keys', cost.keys),
        dollars('coordinator, each look alone', cost.alone),
        dollars('coordinator, instances full', cost.full),
        dollars('all of it, each look alone', rest + cost.alone),
        dollars('all of it, instances full', rest + cost.full),
      ],
    },
    targets: [
      {
        what: 'a waiting run holds no segment',
        met: held === 0,
        found: `${held} segments`,
      },
      {
        what: 'no more than 13 looks an hour once a run waits for long',
        met: (spent.at(-1)?.looks ?? Number.NaN) / runs <= 13,
        found: `${short((spent.at(-1)?.looks ?? Number.NaN) / runs)} in the last hour`,
      },
      {
        what: 'at most 3 reads and 1 write a look',
        met: day.reads <= 3 * day.looks && day.writes <= day.looks,
        found: `${short(day.reads / day.looks)} and ${short(day.writes / day.looks)}`,
      },
      {
        what: 'a day of waiting leaves nothing in memory',
        met: after.heap < before.heap * 1.1,
        found: `${megabytes(before.heap)} and ${megabytes(after.heap)} MB`,
      },
      { what: 'the sweeper finds none of them', met: swept === 0, found: `${swept} rows` },
    ],
  };
}

function summed(all: readonly Used[]): Used {
  const sum = (value: (used: Used) => number): number =>
    all.reduce((total, used) => total + value(used), 0);
  return {
    looks: sum(({ looks }) => looks),
    reads: sum(({ reads }) => reads),
    writes: sum(({ writes }) => writes),
    enqueued: sum(({ enqueued }) => enqueued),
    delivered: sum(({ delivered }) => delivered),
    unwrapped: sum(({ unwrapped }) => unwrapped),
  };
}

/** After a full collection. */
function memory(): Memory {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  collect();
  const { heapUsed, rss } = process.memoryUsage();
  return { heap: heapUsed, rss };
}
