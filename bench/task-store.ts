import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type StorageEmulator, startStorageEmulator } from '../emulators/storage/start.ts';
import { checkTask, Client } from './client.ts';
import { load, median, medianRate, type Rate } from './load.ts';
import { workOf } from './machine.ts';
import { number, progress, type Section, short } from './report.ts';
import { launch, theirs } from './subject.ts';

const STORES = ['SQLite', 'folder', 'bucket'] as const;
type StoreName = (typeof STORES)[number];

interface Measured {
  readonly rate: Rate;
  /** Bytes for a task. */
  readonly written: number;
  /** Calls of the bucket for a task. */
  readonly calls: number;
}

/** The SDK's own server on its SQLite store and on ours: the same handler, executor and load. */
export async function taskStore(quick: boolean): Promise<Section> {
  const emulator = await startStorageEmulator();
  try {
    const rows: string[][] = [];
    for (const chunks of [1, 20]) {
      const calls = Math.ceil((quick ? 400 : 2_000) / chunks);
      const found = new Map<StoreName, Measured[]>(STORES.map((name) => [name, []]));
      for (let round = 1; round <= (quick ? 2 : 3); round += 1) {
        for (const name of STORES) {
          const measured = await measure(emulator, name, chunks, calls);
          found.get(name)?.push(measured);
          progress(`chunks=${chunks}, ${name}: ${short(measured.rate.perSecond)} tasks/s`);
        }
      }
      const base = medianRate((found.get('SQLite') ?? []).map(({ rate }) => rate));
      for (const [name, measured] of found)
        rows.push(row(`chunks=${chunks}`, name, measured, base));
    }
    return {
      title: 'Task store for the SDK',
      about: ABOUT,
      table: { head: HEAD, rows },
      targets: [],
    };
  } finally {
    await emulator.close();
  }
}

const ABOUT =
  "The SDK's own `DefaultRequestHandler` on its `DatabaseTaskStore` over SQLite, and on `GcsTaskStore` over a folder and over Cloud Storage as an emulator stands in for it, in the memory of the process that makes the load: its network and its limits are not measured, and its work is in the times but not in the CPU. Blocking SendMessage as under Tasks. The handler saves a task of n chunks n + 3 times, whole. Written is what the process handed to the system: database and log, objects, or calls of the bucket with their headers; the answer not counted.";
const HEAD = [
  'task',
  'store',
  'tasks/s',
  'p50 ms',
  'p99 ms',
  'CPU ms a task',
  'tasks/s beside SQLite',
  'CPU beside SQLite',
  'KB written a task',
  'calls a task',
];

function row(task: string, name: StoreName, measured: readonly Measured[], base: Rate): string[] {
  const rate = medianRate(measured.map((each) => each.rate));
  const written = median(measured.map((each) => each.written));
  const calls = measured[0]?.calls ?? Number.NaN;
  return [
    task,
    name,
    short(rate.perSecond),
    short(rate.p50),
    number(rate.p99, 1),
    short(rate.cpu),
    short(rate.perSecond / base.perSecond),
    short(rate.cpu / base.cpu),
    short(written / 1_024),
    short(calls),
  ];
}

async function measure(
  emulator: StorageEmulator,
  name: StoreName,
  chunks: number,
  calls: number,
): Promise<Measured> {
  const bucket = randomUUID();
  const text = `chunks=${chunks}`;
  let asked = 0;
  emulator.buckets.create(bucket);
  emulator.plan(() => {
    asked += 1;
    return undefined;
  });
  const server = await launch(name, (folder) => {
    if (name === 'SQLite') return theirs(folder);
    const where = name === 'bucket' ? [bucket, emulator.url] : [join(folder, 'objects')];
    return ['bench/peer.mjs', name, ...where];
  });
  const client = new Client(server.url);
  try {
    checkTask(await client.send(text), { chunks });
    await load(server.pid, Math.ceil(calls / 2), () => client.send(text));
    const [before, received] = [workOf(server.pid).written, client.received];
    asked = 0;
    const rate = await load(server.pid, calls, () => client.send(text));
    const answered = client.received - received;
    return {
      rate,
      written: (workOf(server.pid).written - before - answered) / calls,
      calls: name === 'bucket' ? asked / calls : Number.NaN,
    };
  } finally {
    client.close();
    await server.stop();
    emulator.plan(undefined);
  }
}
