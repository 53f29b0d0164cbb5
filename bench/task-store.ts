import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type StorageEmulator, startStorageEmulator } from '../emulators/storage/start.ts';
import { checkTask, Client } from './client.ts';
import { load, medianRate, type Rate } from './load.ts';
import { folderBytes } from './machine.ts';
import { kilobytes, number, progress, type Section, short } from './report.ts';
import { launch, theirs } from './subject.ts';

const STORES = ['SQLite', 'folder', 'bucket'] as const;
type StoreName = (typeof STORES)[number];

interface Measured {
  readonly rate: Rate;
  /** Of a task, when all are done. */
  readonly kept: number;
  /** Calls of the storage for a task. */
  readonly calls: number;
  /** Bytes sent to the storage for a task. */
  readonly sent: number;
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
  'The SDK\'s own `DefaultRequestHandler` on its `DatabaseTaskStore` over SQLite, and on `GcsTaskStore` over a folder and over Cloud Storage as an emulator stands in for it, in the memory of the process that makes the load: its network and its limits are not measured, and its work is in the times but not in the CPU. Blocking SendMessage as under Tasks. The handler saves a task of n chunks n + 3 times, whole. "Kept" is what is there when all is done; calls and bytes sent are those of the bucket.';
const HEAD = [
  'task',
  'store',
  'tasks/s',
  'p50 ms',
  'p99 ms',
  'CPU ms a task',
  'tasks/s beside SQLite',
  'CPU beside SQLite',
  'KB kept a task',
  'calls a task',
  'KB sent a task',
];

function row(task: string, name: StoreName, measured: readonly Measured[], base: Rate): string[] {
  const rate = medianRate(measured.map((each) => each.rate));
  const [{ kept, calls, sent } = { kept: 0, calls: Number.NaN, sent: Number.NaN }] = measured;
  return [
    task,
    name,
    short(rate.perSecond),
    short(rate.p50),
    number(rate.p99, 1),
    short(rate.cpu),
    short(rate.perSecond / base.perSecond),
    short(rate.cpu / base.cpu),
    short(kept / 1_024),
    short(calls),
    Number.isNaN(sent) ? '-' : kilobytes(sent),
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
  // Versions stay, so that everything that was sent can be counted.
  emulator.buckets.create(bucket, true);
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
    const tasks = 1 + Math.ceil(calls / 2) + calls;
    const rate = await load(server.pid, calls, () => client.send(text));
    if (name !== 'bucket') {
      return {
        rate,
        kept: folderBytes(server.folder) / tasks,
        calls: Number.NaN,
        sent: Number.NaN,
      };
    }
    const versions = [...emulator.buckets.get(bucket).objects.values()];
    const bytes = (bodies: readonly { readonly body: Uint8Array }[]): number =>
      bodies.reduce((sum, { body }) => sum + body.byteLength, 0);
    return {
      rate,
      kept: bytes(versions.flatMap((each) => each.slice(-1))) / tasks,
      calls: asked / tasks,
      sent: bytes(versions.flat()) / tasks,
    };
  } finally {
    client.close();
    await server.stop();
    emulator.plan(undefined);
  }
}
