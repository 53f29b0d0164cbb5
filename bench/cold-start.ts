// node tools/node24.mjs bench/cold-start.ts [--runs 9] [--write]
// Node's start to the first answer of each function: from its sources, from its package, and from
// its package with a compile cache. --write puts the tables into bench/cold-start.md.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { startEmulator } from '../emulators/firestore/start.ts';
import { PROJECT, unpack } from '../test/packages/unpack.ts';
import { entryOf, functionNames } from '../project/build/functions.ts';
import { chunksAtStart } from '../project/build/loaded-at-start.ts';
import { pack, type Package } from '../project/build/pack.ts';
import { zip } from '../project/build/zip.ts';
import { type Call, type Cold, coldStart, modulesLoaded, type Start } from './cold-process.ts';
import { machineClass, machineLoad } from './machine.ts';

const VARIANTS = ['TypeScript sources', 'package', 'package, compile cache'] as const;
type Variant = (typeof VARIANTS)[number];

interface Case {
  readonly name: string;
  readonly target: string;
  readonly call: Call;
  readonly env?: Readonly<Record<string, string>>;
}

/** What each queue function is called with, but `run`. */
const KINDS: Readonly<Record<string, string>> = { projector: 'project', coordinator: 'poll' };

/** What the framework alone takes, at this moment on this machine. */
const EMPTY = 'nothing';
const EMPTY_CASE = 'an empty function';

interface Measured {
  readonly name: string;
  readonly found: ReadonlyMap<Variant, readonly Cold[]>;
}

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '9' }, write: { type: 'boolean', default: false } },
});
const runs = Number(values.runs);

const folder = mkdtempSync(join(tmpdir(), 'holdfast-cold-start-'));
const emulator = await startEmulator();
try {
  makeEmpty();
  const packages = await Promise.all(functionNames(PROJECT).map(unpacked));
  const load = [machineLoad()];
  const measured: Measured[] = [];
  for (const each of casesOf(packages, emulator.host)) measured.push(await timesOf(each));
  load.push(machineLoad());
  const sizes: (readonly string[])[] = [];
  for (const each of packages) sizes.push(await sizesOf(each));
  const text = report(measured, sizes, load);
  process.stdout.write(text);
  if (values.write) writeFileSync(join(import.meta.dirname, 'cold-start.md'), text);
} finally {
  await emulator.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

function makeEmpty(): void {
  const files = new Map([
    [
      'index.js',
      `import { http } from '@google-cloud/functions-framework';\nhttp('${EMPTY}', (_request, response) => response.send(''));\n`,
    ],
    [
      'package.json',
      '{"type":"module","main":"index.js","dependencies":{"@google-cloud/functions-framework":""}}',
    ],
  ]);
  const bytes = [...files].map(([path, text]) => [path, Buffer.from(text)] as const);
  unpack(zip(new Map(bytes)), join(folder, EMPTY));
}

async function unpacked(name: string): Promise<Package> {
  const made = await pack({ root: PROJECT, name });
  unpack(made.zip, join(folder, name));
  return made;
}

function casesOf(packages: readonly Package[], host: string): readonly Case[] {
  const parts = [{ text: 'city,area\nBerlin,891\n' }];
  const message = { messageId: 'm', role: 'ROLE_USER', parts };
  const firestore = {
    FIRESTORE_EMULATOR_HOST: host,
    HOLDFAST_STORE: 'firestore',
    GOOGLE_CLOUD_PROJECT: `cold-start-${process.pid}`,
  };
  const body = { message, configuration: { returnImmediately: true } };
  return [
    { name: EMPTY_CASE, target: EMPTY, call: { path: '/' } },
    { name: 'a2a, card', target: 'a2a', call: callOf('a2a') },
    {
      name: 'a2a, a task made in Firestore',
      target: 'a2a',
      call: { path: '/message:send', body },
      env: firestore,
    },
    ...packages
      .filter(({ name }) => name !== 'a2a')
      .map(({ name }) => ({ name: `${name}, a call`, target: name, call: callOf(name) })),
  ];
}

function callOf(name: string): Call {
  if (name === 'a2a') return { path: '/.well-known/agent-card.json' };
  if (name === 'operator') return { path: '/openapi.json' };
  const kind = KINDS[name] ?? 'run';
  return { path: '/', body: { kind, taskId: crypto.randomUUID(), revision: 0, at: 0 } };
}

/** The variants take turns, so that a machine that grows slower meets all of them alike. */
async function timesOf(each: Case): Promise<Measured> {
  for (const variant of VARIANTS) await coldStart(startOf(each, variant));
  const found = new Map<Variant, Cold[]>(VARIANTS.map((variant) => [variant, []]));
  for (let run = 1; run <= runs; run += 1) {
    for (const variant of VARIANTS)
      found.get(variant)?.push(await coldStart(startOf(each, variant)));
  }
  process.stderr.write(`  ${each.name} (load ${machineLoad()})\n`);
  return { name: each.name, found };
}

function cells(starts: readonly Cold[]): readonly string[] {
  const times = sorted(starts.map(({ time }) => time));
  const cpu = sorted(starts.map((start) => start.cpu));
  const rss = sorted(starts.map((start) => start.rss / 2 ** 20));
  return [
    `${middle(times)} [${times[0]}-${times.at(-1)}]`,
    String(middle(cpu)),
    String(middle(rss)),
  ];
}

function sorted(values: readonly number[]): readonly number[] {
  return values.map(Math.round).toSorted((a, b) => a - b);
}

function middle(values: readonly number[]): number {
  return values[Math.floor(values.length / 2)] ?? Number.NaN;
}

function startOf({ target, call, env = {} }: Case, variant: Variant): Start {
  const data = join(folder, 'data', crypto.randomUUID());
  mkdirSync(data, { recursive: true });
  const packed = variant !== 'TypeScript sources' || target === EMPTY;
  return {
    target,
    call,
    folder: packed ? join(folder, target) : PROJECT,
    source: packed ? 'index.js' : entryOf(target, { folder: PROJECT, ending: '.ts' }),
    env: {
      HOLDFAST_STORE: 'embedded',
      HOLDFAST_DATA: data,
      ...env,
      ...(variant === 'package, compile cache' && {
        NODE_COMPILE_CACHE: join(folder, 'compile-cache'),
      }),
    },
  };
}

async function sizesOf({ name, zip, metafile }: Package): Promise<readonly string[]> {
  const each = { name, target: name, call: callOf(name) };
  const chunks = [...chunksAtStart(metafile)].map((chunk) => metafile.outputs[chunk]?.bytes ?? 0);
  return [
    name,
    kilobytes(zip.length),
    kilobytes(chunks.reduce((sum, bytes) => sum + bytes, 0)),
    String(await modulesLoaded(startOf(each, 'TypeScript sources'))),
    String(await modulesLoaded(startOf(each, 'package'))),
  ];
}

/** A client waits for the a2a function only. */
function verdict(measured: readonly Measured[]): string {
  const wanted = z.object({ milliseconds: z.number(), mebibytes: z.number() });
  const schema = z.object({ coldStart: z.object({ a2a: wanted }) });
  const text = readFileSync(join(PROJECT, 'budgets.json'), 'utf8');
  const { milliseconds, mebibytes } = schema.parse(JSON.parse(text)).coldStart.a2a;
  const [time = NaN, busy = NaN, size = NaN] = middlesOf(measured, 'a2a, card');
  const [least = NaN, leastBusy = NaN] = middlesOf(measured, EMPTY_CASE);
  const met = time <= milliseconds && size <= mebibytes;
  return [
    `${met ? 'Met' : '**Missed**'}: the package of a2a has answered its card after at most ${milliseconds} ms with at most ${mebibytes} MiB`,
    `(${time} ms, ${busy} of them busy, ${size} MiB; the framework with an empty function takes ${least} ms, ${leastBusy} of them busy).`,
    'Where the load is above the number of cores, most of the time is spent waiting for one.',
  ].join(' ');
}

/** Time, busy time and memory of a package. */
function middlesOf(measured: readonly Measured[], wanted: string): readonly number[] {
  const starts = measured.find(({ name }) => name === wanted)?.found.get('package') ?? [];
  return [
    middle(sorted(starts.map(({ time }) => time))),
    middle(sorted(starts.map(({ cpu }) => cpu))),
    middle(sorted(starts.map(({ rss }) => rss / 2 ** 20))),
  ];
}

function report(
  measured: readonly Measured[],
  sizes: readonly (readonly string[])[],
  load: readonly string[],
): string {
  return [
    '# Cold starts',
    `From the start of node to the whole first answer, under the functions-framework's command in production, over the embedded store where nothing else is said. Median [least-most] of ${runs} starts in milliseconds, the median of the processor's milliseconds among them, and resident memory in MiB when it had answered; the variants take turns, files are in the page cache. The platform's own part (scheduling, image) is not in it. Firestore is the emulator on the same machine: no TLS, no token.`,
    table(
      ['', ...VARIANTS.flatMap((variant) => [`${variant}, ms`, 'of them busy', 'MiB'])],
      measured.map(({ name, found }) => {
        return [name, ...VARIANTS.flatMap((variant) => cells(found.get(variant) ?? []))];
      }),
    ),
    verdict(measured),
    `${machineClass()}; load of the machine before and after: ${load.join(', ')}.`,
    'Sizes in KB: the zip (stored, not deflated), and what of it is read before the first call; files that are loaded as modules until the first answer, the framework and express included, from sources and from the package.',
    table(['', 'zip', 'read at start', 'modules, sources', 'modules, package'], sizes),
    '',
  ].join('\n\n');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = head.map((_, at) => (at === 0 ? '---' : '---:'));
  return [head, rule, ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

function kilobytes(bytes: number): string {
  return Math.round(bytes / 1_024).toLocaleString('en');
}
