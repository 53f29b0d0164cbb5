import { expect, it } from 'vitest';
import { ROOT } from './readme.ts';
import { Shell } from './shell.ts';

const alive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

it('a shell whose command hangs ends with all that it started', async () => {
  const shell = new Shell(ROOT, {});
  const pidIn = (text: string): number => Number(/started (\d+)/.exec(text)?.[1]);
  // As a server is started, and then a command that waits for an answer for ever.
  const job = pidIn(await shell.run('sleep 600 & echo started $!'));
  const hanging = shell.run("sh -c 'echo started $$; exec sleep 600'", /started/);
  hanging.catch(() => undefined);
  expect(alive(job)).toBe(true);
  await shell.close();
  await expect.poll(() => alive(job)).toBe(false);
}, 20_000);
