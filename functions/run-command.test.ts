import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

const load = (path: string) => `await import(${JSON.stringify(import.meta.resolve(path))})`;

test('a command that waits for its store before it serves is not ended by the wait', () => {
  const script = `
    const { systemClock } = ${load('../shared/system/system-clock.ts')};
    const { runCommand } = ${load('./run-command.ts')};
    process.exitCode = await runCommand(async () => {
      await systemClock.sleep(20);
      process.stdout.write('ready');
      return 3;
    });`;
  const { status, stdout } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', script],
    { encoding: 'utf8' },
  );
  expect({ status, stdout }).toEqual({ status: 3, stdout: 'ready' });
});
