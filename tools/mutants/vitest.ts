// What tests import as `vitest` while mutants are tried: the expectations are vitest's own, the
// collecting is ours, which runs a test again without loading its file again.
import { expect as real } from 'vitest';
import { addFinished, addGroup, addStep, addTest } from './collect.ts';

type Body = (...given: unknown[]) => unknown;
type Add = (title: string, body: Body) => void;

export const expect: unknown = Object.assign(
  (...given: Parameters<typeof real>) => real(...given),
  real,
  { poll },
);

export const describe = withTables((title, body) => addGroup(title, () => body()));
export const it = withTables((title, body) => addTest(title, () => body({})));
export const test = withTables((title, body) => addTest(title, () => body({})));
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
  const runIf = (holds: boolean) => (holds ? one : () => {});
  return Object.assign(one, { each, runIf });
}

/** Asks until the expectation holds, as `expect.poll` does; a test's own time ends it. */
function poll(ask: () => unknown): object {
  const until = async (name: PropertyKey, negated: boolean, given: readonly unknown[]) => {
    for (;;) {
      const asked = await ask();
      try {
        const side = negated ? real(asked).not : real(asked);
        const matcher: unknown = Reflect.get(side, name);
        if (typeof matcher === 'function') Reflect.apply(matcher, side, given);
        return;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    }
  };
  const expectation = (negated: boolean): object =>
    new Proxy(
      {},
      {
        get: (_, name) =>
          name === 'not'
            ? expectation(!negated)
            : async (...given: readonly unknown[]) => await until(name, negated, given),
      },
    );
  return expectation(false);
}
