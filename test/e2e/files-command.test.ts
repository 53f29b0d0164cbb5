import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { type Server, useFleet } from './server.ts';

const fleet = useFleet();
const AGENTS = fileURLToPath(new URL('../../examples/code-keeper/index.ts', import.meta.url));
const CLI = fileURLToPath(new URL('../../functions/cli/main.ts', import.meta.url));
const HAS_GIT = spawnSync('git', ['--version']).status === 0;

test('an operator lists and exports what each task left, and the repository as git reads it', async () => {
  const server = await fleet.start({ store: 'embedded', args: ['--agents', AGENTS] });
  const contextId = `ctx-${randomUUID()}`;
  const first = await send(server, contextId, 'write src/greet.js\nexport const greet = 1;');
  const second = await send(server, contextId, 'write main.js\nimport "./src/greet.js";');
  const files = (...args: readonly string[]) => command(server, ...args);
  const home = temporary();

  expect(await files('list', first)).toEqual({ code: 0, said: '100644 24 src/greet.js\n' });
  const listed = await files('list', second);
  expect(listed.said.split('\n').map((line) => line.split(' ')[2])).toEqual([
    'main.js',
    'src/greet.js',
    undefined,
  ]);

  const folder = join(home, 'deep', 'second');
  expect((await files('export', second, folder)).said).toContain('2 files');
  expect(readFileSync(join(folder, 'src', 'greet.js'), 'utf8')).toContain('greet');
  expect(await files('export', second, folder)).toMatchObject({
    code: 1,
    said: expect.stringContaining('is there already'),
  });

  const repository = join(home, 'repository');
  expect((await files('export', first, repository, '--repository')).said).toContain('2 tasks');
  expect(readdirSync(home).toSorted()).toEqual(['deep', 'repository']);
  if (HAS_GIT) {
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-C', repository, ...args], { encoding: 'utf8' });
    git('fsck', '--full', '--strict');
    expect(git('log', '--format=%s', 'main').trim().split('\n')).toHaveLength(2);
    expect(git('show', `refs/tasks/${first}:src/greet.js`)).toContain('greet');
  }

  expect(await files('list', randomUUID())).toMatchObject({
    code: 1,
    said: expect.stringContaining('with files here'),
  });
  expect(await files('export', first)).toMatchObject({ code: 2 });
});

async function send({ url }: Server, contextId: string, text: string): Promise<string> {
  const message = { messageId: randomUUID(), contextId, role: 'ROLE_USER', parts: [{ text }] };
  const response = await fetch(`${url}/message:send`, {
    method: 'POST',
    headers: { 'A2A-Version': '1.0', 'Content-Type': 'application/json' },
    body: JSON.stringify({ message }),
  });
  const { task } = (await response.json()) as { task: { id: string; status: { state: string } } };
  expect(task.status.state).toBe('TASK_STATE_COMPLETED');
  return task.id;
}

/** The command as an operator runs it. */
function command({ data }: Server, ...args: readonly string[]) {
  const env = { ...process.env, HOLDFAST_DATA: data };
  return promisify(execFile)(process.execPath, [CLI, 'files', ...args], { env }).then(
    ({ stdout }) => ({ code: 0, said: stdout }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, said: stderr }),
  );
}

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
