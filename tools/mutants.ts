// Mutation testing of shared/domain and shared/app. See --help.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { readFound } from './mutants/report.ts';
import { SLOW, testsOf, UNIT } from './mutants/rooms.ts';
import { keepSurvivors, tooMany } from './mutants/survivors.ts';

const HELP = `Usage: npm run mutants -- [options] [files and folders]

Changes the code in small ways, one at a time, and runs the tests that reach each change: one that no test notices survives,
and is listed. Without files: shared/domain and shared/app, which takes a night; a room takes some minutes, most of them
before the first change, while every test runs once.
Stryker (https://stryker-mutator.io) makes the changes; it is installed into node_modules/.cache the first time.
Exit code 1: more survive in a file than tools/mutants/survivors.json allows.

Options:
  --unit
      only the unit tests of the two folders: quicker, and more survive
  --slow
      also the tests that lose a process at every call of a task: four fifths of all the time
  --seconds <n>
      so many of processor time are tests tried on one change, the likeliest first (default: 5)
  --workers <n>
      processes at once (default: 1)
  --keep
      writes how many survive into tools/mutants/survivors.json
  --in <folder>
      works in this folder, and goes on from what a run that was cut short has found there, with the sources of that time
  --sample <n>
      tries one change in n, evenly; with --in the rest can follow
  --again
      with --in: tries once more those that survived there, for which --seconds can be more
  --help
`;

const VERSION = '10.1.1';
const ROOT = dirname(import.meta.dirname);
const HOME = join(ROOT, 'node_modules/.cache/mutants');
/** What the tests are made of. */
const COPIED = [
  'agents',
  'docs/openapi.json',
  'emulators',
  'examples',
  'functions',
  'package.json',
  'shared',
  'test',
  'testing',
  'tools/mutants',
];
const SCHEDULES = '30';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    unit: { type: 'boolean', default: false },
    slow: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '5' },
    workers: { type: 'string', default: '1' },
    keep: { type: 'boolean' },
    in: { type: 'string' },
    again: { type: 'boolean', default: false },
    sample: { type: 'string', default: '1' },
    help: { type: 'boolean' },
  },
});

if (values.help === true) process.stdout.write(HELP);
else {
  install();
  const home = values.in ?? mkdtempSync(join(tmpdir(), 'holdfast-mutants-'));
  const sources = join(home, 'sources');
  if (!existsSync(sources)) copySources(ROOT, sources);
  const files = positionals.length > 0 ? positionals : ['shared/domain', 'shared/app'];
  run(home, sources, files);
  const sample = Number(values.sample);
  const found = readFound(home, sample);
  if (values.in === undefined) rmSync(home, { recursive: true });
  for (const { text } of found) process.stdout.write(`${text}\n`);
  if (values.keep === true) keepSurvivors(found, sample);
  for (const line of tooMany(found)) {
    process.stdout.write(`${line}\n`);
    process.exitCode = 1;
  }
}

function install(): void {
  if (existsSync(join(HOME, 'node_modules/@stryker-mutator/core'))) return;
  mkdirSync(HOME, { recursive: true });
  writeFileSync(join(HOME, 'package.json'), '{"private":true}');
  must('npm', ['install', '--no-audit', '--no-fund', `@stryker-mutator/core@${VERSION}`], HOME);
}

function copySources(from: string, to: string): void {
  for (const each of COPIED) cpSync(join(from, each), join(to, each), { recursive: true });
}

function run(home: string, sources: string, files: readonly string[]): void {
  // Stryker writes the changes into the files: into those of a copy, out of any node_modules.
  const copy = join(home, 'changed');
  rmSync(copy, { recursive: true, force: true });
  copySources(sources, copy);
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  const config = {
    testRunner: 'in-process',
    plugins: ['runner', 'reporter'].map((each) => join(copy, `tools/mutants/${each}.ts`)),
    mutate: [
      ...files.map((each) => (/\.ts(?::|$)/.test(each) ? each : `${each}/**/*.ts`)),
      '!**/*.test.ts',
    ],
    // Most strings are members of unions, which the type checker tells; the others are prose.
    mutator: { excludedMutations: ['StringLiteral'] },
    inPlace: true,
    concurrency: Number(values.workers),
    coverageAnalysis: 'perTest',
    // What runs while a file is loaded (schemas, tables) would need a process for each change.
    ignoreStatic: true,
    disableTypeChecks: false,
    reporters: ['lines', 'progress-append-only'],
    dryRunTimeoutMinutes: 60,
    // A loop that a change makes endless and that is not seen from within (`runner.ts`).
    timeoutMS: 30_000,
  };
  writeFileSync(join(copy, 'stryker.json'), JSON.stringify(config));
  const bin = join(HOME, 'node_modules/@stryker-mutator/core/bin/stryker.js');
  must(process.execPath, [bin, 'run', 'stryker.json'], copy, {
    HOLDFAST_MUTANTS_TESTS: (values.unit ? UNIT : testsOf(files)).join(' '),
    HOLDFAST_MUTANTS_LEFT_OUT: values.slow ? '' : SLOW.join(' '),
    HOLDFAST_MUTANTS_FOUND: join(home, 'found.jsonl'),
    HOLDFAST_MUTANTS_DRY_RUN: join(home, 'dry-run.json'),
    HOLDFAST_MUTANTS_SECONDS: values.seconds,
    HOLDFAST_MUTANTS_SAMPLE: values.sample,
    HOLDFAST_MUTANTS_AGAIN: values.again ? 'yes' : 'no',
    HOLDFAST_SIMULATIONS: SCHEDULES,
  });
}

function must(command: string, args: readonly string[], cwd: string, env: object = {}): void {
  const { status } = spawnSync(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}`);
}
