// The test runner that Stryker loads: every test file is loaded once into one process, and a
// mutant costs what its tests cost. Between mutants only the number of the active one changes.
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { collectTests, type CollectedTest } from './collect.ts';
import { isDue } from './found.ts';
import { orderOf } from './order.ts';
import { ownTestsOf } from './rooms.ts';

/** What instrumented code reads and writes. */
interface Instrumented {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  mutantCoverage?: unknown;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
}

interface MutantRun {
  readonly testFilter?: readonly string[];
  readonly activeMutant: { readonly id: string; readonly fileName: string };
}

type Failure = { readonly kind: 'failed' | 'hung'; readonly message: string };

/** A test that waits so long, or works so much longer than it did, has no end. */
const PATIENCE_MS = 3_000;
const PATIENCE = 10;
const HITS = 1_000;
/** So much of the processor the tests of one mutant get; the likeliest come first. */
const CAP_MS = Number(process.env['HOLDFAST_MUTANTS_SECONDS'] ?? 5) * 1000;

/** What the tests did unchanged: other processes read it, and a run that goes on. */
const DRY_RUN = process.env['HOLDFAST_MUTANTS_DRY_RUN'] ?? 'dry-run.json';
const dryRun = z.object({
  took: z.array(z.tuple([z.string(), z.number()])).transform((took) => new Map(took)),
  tests: z.array(z.looseObject({ id: z.string() })),
  mutantCoverage: z.looseObject({
    perTest: z.record(z.string(), z.record(z.string(), z.number())),
  }),
});
type DryRun = z.infer<typeof dryRun>;

const instrumented: Instrumented = {};
Object.assign(globalThis, { __stryker__: instrumented });

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'vitest' && context.parentURL?.includes('/tools/mutants/') !== true
      ? { url: new URL('vitest.ts', import.meta.url).href, shortCircuit: true }
      : next(specifier, context),
});

class InProcessRunner {
  readonly #tests = new Map<string, CollectedTest>();
  #dry: DryRun | undefined;
  readonly #kills = new Map<string, Map<string, number>>();
  readonly #own = new Map<string, ReadonlySet<string>>();
  readonly #strays: unknown[] = [];

  capabilities() {
    return { reloadEnvironment: false };
  }

  async init(): Promise<void> {
    process.on('unhandledRejection', (reason) => this.#strays.push(reason));
    process.on('uncaughtException', (error) => this.#strays.push(error));
    const listed = (name: string) => globSync((process.env[name] ?? '').split(' '));
    const leftOut = new Set(listed('HOLDFAST_MUTANTS_LEFT_OUT'));
    for (const file of listed('HOLDFAST_MUTANTS_TESTS').toSorted()) {
      if (leftOut.has(file)) continue;
      const url = pathToFileURL(join(process.cwd(), file)).href;
      for (const test of await collectTests(file, url)) this.#tests.set(test.id, test);
    }
  }

  async dryRun() {
    if (existsSync(DRY_RUN)) return { status: 'complete', ...readDryRun() };
    const tests: object[] = [];
    const took = new Map<string, number>();
    for (const [id, test] of this.#tests) {
      instrumented.currentTestId = id;
      const { failure, ms } = await this.#run(test, 600_000);
      took.set(id, ms);
      const seen = { id, name: id, fileName: test.file, timeSpentMs: ms };
      // One which fails unchanged can't tell a mutant; it is named, and the rest go on.
      if (failure === undefined) tests.push({ ...seen, status: 0 });
      else process.stderr.write(`fails without any mutant: ${id}: ${failure.message}\n`);
    }
    instrumented.currentTestId = undefined;
    const { mutantCoverage } = instrumented;
    writeFileSync(DRY_RUN, JSON.stringify({ took: [...took], tests, mutantCoverage }));
    return { status: 'complete', tests, mutantCoverage };
  }

  async mutantRun({ activeMutant, testFilter = [] }: MutantRun) {
    const { fileName, id } = activeMutant;
    if (!isDue(id)) return { status: 'error', errorMessage: 'not now' };
    // Only one of the processes has run the tests unchanged.
    const dry = (this.#dry ??= readDryRun());
    const kills = this.#kills.get(fileName) ?? new Map<string, number>();
    this.#kills.set(fileName, kills);
    instrumented.activeMutant = id;
    const started = cpuMs();
    let tried = 0;
    try {
      const own = this.#ownTestsOf(fileName);
      const know = (test: string) => {
        const file = this.#tests.get(test)?.file ?? '';
        const took = dry.took.get(test) ?? 0;
        return { file, took, own: own.has(file), kills: kills.get(test) ?? 0 };
      };
      for (const testId of orderOf(testFilter, know)) {
        const test = this.#tests.get(testId);
        if (test === undefined) continue;
        tried += 1;
        const before = dry.took.get(testId) ?? 0;
        // A loop that the change made endless passes it far more often than the test did.
        const hits = dry.mutantCoverage.perTest[testId]?.[id] ?? 0;
        Object.assign(instrumented, { hitCount: 0, hitLimit: HITS + PATIENCE * hits });
        const { failure } = await this.#run(test, PATIENCE_MS + PATIENCE * before);
        if (failure !== undefined) {
          kills.set(testId, (kills.get(testId) ?? 0) + 1);
          if (failure.kind === 'hung') return { status: 'timeout', reason: failure.message };
          const killedBy = [testId];
          return { status: 'killed', killedBy, failureMessage: failure.message, nrOfTests: tried };
        }
        if (cpuMs() - started > CAP_MS) break;
      }
      return { status: 'survived', nrOfTests: tried };
    } finally {
      Object.assign(instrumented, { activeMutant: undefined, hitLimit: undefined });
    }
  }

  #ownTestsOf(fileName: string): ReadonlySet<string> {
    const globs = ownTestsOf(fileName);
    const key = globs.join(' ');
    const own = this.#own.get(key) ?? new Set(globSync(globs));
    this.#own.set(key, own);
    return own;
  }

  async #run(
    test: CollectedTest,
    patienceMs: number,
  ): Promise<{ readonly failure: Failure | undefined; readonly ms: number }> {
    const started = cpuMs();
    const idleBefore = performance.eventLoopUtilization().idle;
    this.#strays.length = 0;
    const { promise: late, resolve } = Promise.withResolvers<Failure>();
    // Neither is a wall clock: a busy machine makes no test endless.
    const timer = setInterval(() => {
      const idle = performance.eventLoopUtilization().idle - idleBefore;
      if (idle > PATIENCE_MS || cpuMs() - started > patienceMs)
        resolve({ kind: 'hung', message: 'no end' });
    }, 250);
    const whole = test.run().then(
      () => undefined,
      (error: unknown): Failure => ({ kind: 'failed', message: messageOf(error) }),
    );
    const failure = await Promise.race([whole, late]);
    clearInterval(timer);
    const [stray] = this.#strays;
    const ms = cpuMs() - started;
    if (failure !== undefined || stray === undefined) return { failure, ms };
    return { failure: { kind: 'failed', message: messageOf(stray) }, ms };
  }
}

function readDryRun(): DryRun {
  return dryRun.parse(JSON.parse(readFileSync(DRY_RUN, 'utf8')));
}

function cpuMs(): number {
  const { system, user } = process.cpuUsage();
  return (system + user) / 1000;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const make = Object.assign(() => new InProcessRunner(), { inject: [] });
export const strykerPlugins = [{ kind: 'TestRunner', name: 'in-process', factory: make }];
