import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// CI counts the tests from this file; a developer's run only prints.
const reportFile = process.env['HOLDFAST_TEST_REPORT'];

/**
 * The pure tests: no process, no emulator, no Terraform. They run in threads that keep what they
 * loaded from file to file: what they import is loaded once a thread, and not once a file.
 */
const PURE = [
  'shared/{domain,store,app,agent,a2a,http,operator,redaction,remote,system,isolation}/**/*.test.ts',
  'examples/**/*.test.ts',
  'console/**/*.test.ts',
  'test/{app,edge,operator}/**/*.test.ts',
  'testing/**/*.test.ts',
];
// It runs where `holdfast init` writes it (test/package).
const NOT_HERE = [...configDefaults.exclude, 'project/template/**'];

/** They take a minute or two each: begun last, they would run when all else is done. */
const LONG = [
  'simulation/exhaustive',
  'terraform/lifecycle',
  'e2e/google.',
  'e2e/crashes.',
  'e2e/restart.',
  'package/',
  'packages/',
  'task-store/sdk-handler',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) =>
      LONG.some((name) => moduleId.includes(`/test/${name}`));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: PURE,
          exclude: NOT_HERE,
          pool: 'threads',
          isolate: false,
          // Nothing is waited for here but the processor, which a busy machine shares.
          testTimeout: 300_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'whole',
          include: [
            '{agents,console,emulators,examples,functions,project,shared,test,testing}/**/*.test.ts',
          ],
          exclude: [...NOT_HERE, ...PURE],
          pool: 'forks',
          globalSetup: ['test/emulator/global-setup.ts', 'test/terraform/global-setup.ts'],
        },
      },
    ],
    sequence: { sequencer: LongestFirst },
    // Many files wait for processes that they started: with a worker for each core some would be
    // idle.
    maxWorkers: availableParallelism() + 1,
    // A forgotten test.only would pass CI with one test.
    allowOnly: reportFile === undefined && process.env['CI'] === undefined,
    // Longer than any test waits for another process, so that one which waits in vain says for
    // what.
    testTimeout: 60_000,
    // A condition is waited for as long as a busy machine takes; a second would be a wall clock.
    expect: { poll: { timeout: 30_000 } },
    // Java and five more processes take their time to start.
    hookTimeout: process.env['HOLDFAST_E2E_STORE'] === 'google' ? 120_000 : 30_000,
    // Without it Google's clients look for a metadata server and print a warning in each process.
    env: {
      METADATA_SERVER_DETECTION: 'none',
      // For the servers that tests start: they are compiled once, and not each time.
      NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/holdfast'),
    },
    reporters: reportFile === undefined ? ['default'] : ['default', 'json'],
    ...(reportFile === undefined ? {} : { outputFile: { json: reportFile } }),
    coverage: {
      include: [
        '{agents,console,emulators,examples,functions,project,shared,testing}/**/*.{ts,tsx}',
      ],
      exclude: ['**/*.test.ts'],
    },
  },
});
