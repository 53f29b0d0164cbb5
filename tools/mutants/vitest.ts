// What tests import as `vitest` while mutants are tried: the expectations are vitest's own, the
// collecting is ours, which runs a test again without loading its file again.
import { addFinished, addGroup, addStep, addTest } from './collect.ts';

type Body = (...given: unknown[]) => unknown;
type Add = (title: string, body: Body) => void;

const real = await import(process.env['HOLDFAST_VITEST'] ?? 'vitest');

export const vi: unknown = real.vi;
export const expect: unknown = Object.assign(
  (...given: Parameters<typeof real.expect>) => real.expect(...given),
  real.expect,
  { poll },
);

export const describe = withTables((title, body) => addGroup(title, () => body()));
export const it = withTables((title, body) => addTest(title, () => body({})));
export const test = it;
export const beforeAll = (step: Body): void => addStep('beforeAll', () => step());
export const beforeEach = (step: Body): void => addStep('beforeEach', () => step({}));
export const afterEach = (step: Body): void => addStep('afterEach', () => step({}));
export const afterAll = (step: Body): void => addStep('afterAll', () => step());
export const onTestFinished = (step: Body): void => addFinished(() => step());

/** A group's body is called while the file is loaded, a test's each time that the test runs. */
function withTables(add: Add) {
  const one = (title: string, ...rest: readonly unknown[]): void => {
    const body = rest.find((each): each is Body => typeof each === 'function');
    if (body !== undefined) add(title, body);
  };
  const each =
    (table: readonly unknown[]) =>
    (title: string, ...rest: readonly unknown[]): void => {
      const body = rest.find((given): given is Body => typeof given === 'function');
      if (body === undefined) return;
      for (const [at, row] of table.entries()) {
        const given: readonly unknown[] = Array.isArray(row) ? row : [row];
        add(`${title} #${at + 1}`, () => body(...given));
      }
    };
  const runIf = (holds: unknown) => (Boolean(holds) ? one : () => {});
  return Object.assign(one, { each, runIf });
}

/** Asks until the expectation holds, as `expect.poll` does; a test's own time ends it. */
function poll(ask: () => unknown): unknown {
  const expectation = (negated: boolean): object =>
    new Proxy(
      {},
      {
        get: (_, name) => {
          if (name === 'not') return expectation(!negated);
          return async (...given: readonly unknown[]) => {
            for (let left = 500; ; left -= 1) {
              try {
                const asked = real.expect(await ask());
                const side = negated ? asked.not : asked;
                Reflect.apply(Reflect.get(side, name), side, given);
                return;
              } catch (error) {
                if (left === 0) throw error;
                await new Promise((resolve) => setTimeout(resolve, 10));
              }
            }
          };
        },
      },
    );
  return expectation(false);
}
