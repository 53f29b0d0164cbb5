import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { REPORT } from '../shared/isolation/forked-agent.ts';

const SCRIPT = fileURLToPath(new URL('agent-process.ts', import.meta.url));
const agents = (name: string) =>
  fileURLToPath(new URL(`../test/fixtures/agents/${name}.ts`, import.meta.url));

/** Starts the process of an agent, which may be silent for so long, and serves that process. */
function started(module: string, silence: number, parent: number): ChildProcess {
  const numbers = [silence, 2 ** 30, parent].map(String);
  return fork(SCRIPT, [agents(module), 'greedy', ...numbers], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc', 'pipe'],
  });
}

test('an agent that holds its thread ends with the server, also when that was gone before it was watched', async () => {
  const [, signal] = await once(started('endless', 0, process.pid + 1), 'exit');
  expect(signal).toBe('SIGKILL');
});

test('an agent that holds its thread is ended, though what would hear of it is gone', async () => {
  const child = started('endless', 1_000, process.pid);
  child.stdio[REPORT]?.destroy();
  const [, signal] = await once(child, 'exit');
  expect(signal).toBe('SIGKILL');
});
