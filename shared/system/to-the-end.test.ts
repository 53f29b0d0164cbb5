import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

const load = (name: string) => `await import(${JSON.stringify(import.meta.resolve(name))})`;

test('work that waits for the clock is done to its end, though nothing else keeps the process alive', () => {
  const script = `
    const { systemClock } = ${load('./system-clock.ts')};
    const { toTheEnd } = ${load('./to-the-end.ts')};
    void toTheEnd(async () => {
      await systemClock.sleep(20);
      process.stdout.write('done');
    });`;
  const run = [process.execPath, ['--input-type=module', '--eval', script]] as const;
  expect(execFileSync(...run, { encoding: 'utf8' })).toBe('done');
});

test('when the work has failed its error is passed on, and the process can end', () => {
  const script = `
    const { toTheEnd } = ${load('./to-the-end.ts')};
    toTheEnd(() => Promise.reject(new Error('no'))).catch(({ message }) => process.stdout.write(message));`;
  const run = [process.execPath, ['--input-type=module', '--eval', script]] as const;
  expect(execFileSync(...run, { encoding: 'utf8', timeout: 10_000 })).toBe('no');
});
