import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from '../load.ts';
import { number, progress, type Section, short } from '../report.ts';
import type { StepResult, Took } from './step.ts';
import { change, plant, type Workload } from './workload.ts';

const SMALL: Workload = { files: 10_000, bytes: 100 * 1024 * 1024, folders: 500 };
const LARGE: Workload = { files: 2_000, bytes: 1024 * 1024 * 1024, folders: 100 };
const MEBIBYTE = 1024 * 1024;

/** What one round found, by the name of its row. */
type Round = ReadonlyMap<string, Took & { readonly peak: number }>;

/** Files of a context, against everything in a tar.gz that is uploaded whole. */
export async function files(quick: boolean): Promise<Section> {
  const rounds: Round[] = [];
  const growth: { readonly second: Took; readonly hundredth: Took; readonly packs: number }[] = [];
  for (let round = 0; round < (quick ? 1 : 3); round += 1) {
    const { found, later } = small();
    rounds.push(found);
    growth.push(later);
  }
  const { save, restore } = large();
  const of = (name: string, value: (took: Took & { readonly peak: number }) => number): number =>
    median(rounds.flatMap((found) => found.get(name) ?? []).map(value));
  const row = (name: string): readonly string[] => [
    name,
    number(of(name, (took) => took.milliseconds)),
    number(of(name, (took) => took.cpu)),
    short(of(name, ({ traffic }) => traffic.up / 1_024)),
    short(of(name, ({ traffic }) => traffic.down / 1_024)),
    number(of(name, ({ traffic }) => traffic.requests)),
    number(of(name, ({ peak }) => peak / MEBIBYTE)),
  ];
  const names = [...(rounds[0]?.keys() ?? [])];
  const bytes = of(TAR, ({ traffic }) => traffic.up) / of(TEN, ({ traffic }) => traffic.up);
  const time = of(TAR, (took) => took.milliseconds) / of(TEN, (took) => took.milliseconds);
  const later = median(growth.map((each) => each.hundredth.milliseconds));
  const early = median(growth.map((each) => each.second.milliseconds));
  const packs = Math.max(...growth.map((each) => each.packs));
  return {
    title: 'Files of a context',
    about:
      'A folder of 10,000 files, 100 MiB in all, seven in ten like source text and three of random bytes; then ten of them changed. Against everything in one tar.gz (zlib, level 6) that is uploaded whole. The bucket is a stand-in: 20 to 60 ms a request, 16 at a time, 50 MB/s each way, without TLS, HTTP and a client library, whose processor time both sides are spared. Each step is a process of its own, so that what is not compiled yet is in every number, except for the row of a process that goes on. A restore is about as fast as opening a tar.gz would be: the gain is in the save and in the warm folder.',
    table: {
      head: ['step', 'ms', 'CPU ms', 'up KiB', 'down KiB', 'requests', 'peak MiB'],
      rows: names.map(row),
    },
    targets: [
      {
        what: 'ten changed files take 20 times fewer bytes than everything in a tar.gz',
        met: bytes >= 20,
        found: `${number(bytes)} times`,
      },
      {
        what: 'ten changed files take a tenth of its time',
        met: time >= 10,
        found: `a ${number(time)}th`,
      },
      {
        what: 'the save of the hundredth task takes at most twice what that of the second did',
        met: later <= early * 2,
        found: `${number(later)} ms and ${number(early)} ms; ${packs} packs after 100 tasks`,
      },
      {
        what: 'a folder of 1 GiB is saved and restored by processes of at most 200 MiB',
        met: Math.max(save, restore) <= 200 * MEBIBYTE,
        found: `${number(save / MEBIBYTE)} and ${number(restore / MEBIBYTE)} MiB, of which Node's start is some 55`,
      },
    ],
  };
}

const TAR = 'tar.gz of everything, ten changed';
const TEN = 'save, ten changed';

function small() {
  return inFolder(SMALL, (root) => {
    const found = new Map<string, Took & { readonly peak: number }>();
    const note = (name: string, { took, peak }: StepResult, which = 'save'): void => {
      const one = took[which];
      if (one !== undefined) found.set(name, { ...one, peak });
    };
    note('tar.gz of everything, first', step('tar', root));
    note('save, first', step('first', root));
    change(join(root, 'set'), SMALL, 10, 1);
    note(TAR, step('tar', root));
    const second = step('task', root);
    note(TEN, second);
    note('restore, nothing there', second, 'cold');
    note('restore, ten others there', second, 'warm');
    const more = step('tasks', root);
    const saves = Object.values(more.took).toSorted((a, b) => a.milliseconds - b.milliseconds);
    const middle = saves[saves.length >> 1];
    if (middle !== undefined) {
      found.set('save, ten changed, in a process that goes on', { ...middle, peak: more.peak });
    }
    const last = step('task', root);
    note('save, ten changed, the hundredth task', last);
    note('restore, nothing there, after a hundred tasks', last, 'cold');
    const [a, b] = [second.took['save'], last.took['save']];
    if (a === undefined || b === undefined) throw new Error('a step has saved nothing');
    return { found, later: { second: a, hundredth: b, packs: last.packs } };
  });
}

/** The peaks of memory of a first save and of a restore, each in a process of its own. */
function large(): { readonly save: number; readonly restore: number } {
  return inFolder(LARGE, (root) => ({
    save: step('first', root).peak,
    restore: step('restore', root).peak,
  }));
}

function inFolder<T>(load: Workload, work: (root: string) => T): T {
  const root = mkdtempSync(join(tmpdir(), 'holdfast-bench-'));
  try {
    mkdirSync(join(root, 'set'));
    plant(join(root, 'set'), load);
    const repository = { prefix: 'contexts/bench/r.git', packs: [] };
    writeFileSync(join(root, 'state.json'), JSON.stringify({ load, repository, tasks: 0 }));
    return work(root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function step(what: string, root: string): StepResult {
  progress(`files: ${what}`);
  const script = join(import.meta.dirname, 'step.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, what, root], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`step ${what} failed: ${stderr}`);
  return JSON.parse(stdout);
}
