// Mutation testing of shared/domain. See --help.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';

const HELP = `Usage: npm run mutants -- [options] [files of shared/domain]

Changes the code of shared/domain in small ways, one at a time, and runs its unit tests against each: a change that no test
notices survives, and is listed. Stryker (https://stryker-mutator.io) does it, which is installed into node_modules/.cache the
first time. Without files: all of them, about ten minutes on two cores. Exit code 1: more survive than --survivors.

Options:
  --survivors <n>
      so many may survive (default: any number)
  --help
`;

const VERSION = '10.1.1';
const ROOT = dirname(import.meta.dirname);
const HOME = join(ROOT, 'node_modules/.cache/mutants');
const COPY = join(HOME, 'copy');
/** What the unit tests of the domain are made of. */
const COPIED = [
  'shared',
  'test/doubles',
  'test/fixtures/agents',
  'testing',
  'functions/compose.ts',
];
const VITEST = `export default { test: { include: ['shared/domain/**/*.test.ts'], pool: 'threads' } };\n`;

const mutant = z.object({
  status: z.string(),
  mutatorName: z.string(),
  replacement: z.string().optional(),
  location: z.object({ start: z.object({ line: z.number() }) }),
});
const report = z.object({
  files: z.record(z.string(), z.object({ source: z.string(), mutants: z.array(mutant) })),
});

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { survivors: { type: 'string' }, help: { type: 'boolean' } },
});

if (values.help === true) process.stdout.write(HELP);
else {
  install();
  copy();
  run(positionals);
  const survivors = listSurvivors();
  if (survivors > Number(values.survivors ?? Number.POSITIVE_INFINITY)) process.exitCode = 1;
}

function install(): void {
  if (existsSync(join(HOME, 'node_modules/@stryker-mutator/core'))) return;
  mkdirSync(HOME, { recursive: true });
  writeFileSync(join(HOME, 'package.json'), '{"private":true}');
  const { devDependencies } = z
    .object({ devDependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));
  const packages = [
    `@stryker-mutator/core@${VERSION}`,
    `@stryker-mutator/vitest-runner@${VERSION}`,
    `vitest@${devDependencies['vitest'] ?? 'latest'}`,
  ];
  must('npm', ['install', '--no-audit', '--no-fund', ...packages], HOME);
}

/** Stryker writes the changes into the files: into those of a copy. */
function copy(): void {
  rmSync(COPY, { recursive: true, force: true });
  for (const each of COPIED) cpSync(join(ROOT, each), join(COPY, each), { recursive: true });
  cpSync(join(ROOT, 'package.json'), join(COPY, 'package.json'));
  writeFileSync(join(COPY, 'vitest.config.ts'), VITEST);
  symlinkSync(join(ROOT, 'node_modules'), join(COPY, 'node_modules'));
}

function run(files: readonly string[]): void {
  const mutate =
    files.length > 0 ? files : ['shared/domain/**/*.ts', '!shared/domain/**/*.test.ts'];
  const plugin = join(HOME, 'node_modules/@stryker-mutator/vitest-runner/dist/src/index.js');
  const config = {
    testRunner: 'vitest',
    plugins: [plugin],
    mutate,
    inPlace: true,
    coverageAnalysis: 'perTest',
    ignoreStatic: true,
    disableTypeChecks: false,
    vitest: { configFile: 'vitest.config.ts', related: false },
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: 'mutants.json' },
    // A loop that a change makes endless; not a tests' slowness.
    timeoutMS: 30_000,
  };
  writeFileSync(join(COPY, 'stryker.json'), JSON.stringify(config));
  const bin = join(HOME, 'node_modules/@stryker-mutator/core/bin/stryker.js');
  must(process.execPath, [bin, 'run', 'stryker.json'], COPY);
}

/** Answers how many. */
function listSurvivors(): number {
  const { files } = report.parse(JSON.parse(readFileSync(join(COPY, 'mutants.json'), 'utf8')));
  let survivors = 0;
  for (const [file, { mutants, source }] of Object.entries(files)) {
    const lines = source.split('\n');
    const left = mutants.filter(({ status }) => status === 'Survived' || status === 'NoCoverage');
    const tried = mutants.filter(({ status }) => status !== 'Ignored').length;
    survivors += left.length;
    process.stdout.write(`${file}: ${left.length} of ${tried} survive\n`);
    for (const { location, mutatorName, replacement = '', status } of left) {
      const { line } = location.start;
      const [now] = replacement.split('\n');
      const unseen = status === 'NoCoverage' ? ', which no test runs' : '';
      process.stdout.write(
        `  ${file}:${line} ${mutatorName}${unseen}: ${lines[line - 1]?.trim() ?? ''} => ${now ?? ''}\n`,
      );
    }
  }
  process.stdout.write(`${survivors} survive\n`);
  return survivors;
}

function must(command: string, args: readonly string[], cwd: string): void {
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}`);
}
