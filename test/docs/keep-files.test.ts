import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandsOf, freePort, ROOT } from './readme.ts';
import { Shell } from './shell.ts';

describe('README, "Keep files from task to task", pasted into a shell', () => {
  let data: string;
  let port: number;
  let shell: Shell;
  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'holdfast-readme-'));
    port = await freePort();
    shell = new Shell(ROOT, {
      PORT: String(port),
      HOLDFAST_DATA: data,
      HOLDFAST_OPERATOR_PORT: '0',
    });
  });
  afterAll(async () => {
    await shell.close();
    await rm(data, { recursive: true, force: true, maxRetries: 5 });
  });

  it('shows a commit for each of three tasks, and the code as the third left it', async () => {
    const commands = (await commandsOf('Keep files from task to task')).map((command) =>
      command.replace('127.0.0.1:8080', `127.0.0.1:${port}`).replace('holdfast-data/', `${data}/`),
    );
    const [start = '', say = '', ...rest] = commands;
    const [first = '', second = '', third = '', log = '', show = ''] = rest;
    expect(commands).toHaveLength(7);
    await shell.run(start, /^See what waits for you/m);
    await shell.run(say);
    for (const [command, words] of [
      [first, 'Changed greet.js; 1 files.'],
      [second, 'Changed main.js; 2 files.'],
      [third, 'Changed greet.js, main.js; 2 files.'],
    ] as const)
      expect(await shell.run(command)).toContain(`{"text":"${words}"}`);
    // Refs follow the answer by a moment: sooner than a person pastes, not sooner than a program.
    let logged = '';
    const commits = async () => {
      logged = await shell.run(log);
      return logged.match(/^code-keeper: Task [0-9a-f-]{36}: COMPLETED$/gm)?.length;
    };
    await expect.poll(commits).toBe(3);
    expect(logged).toContain('2 files changed, 3 insertions(+), 3 deletions(-)');
    expect(await shell.run(show)).toContain(
      'import { welcome } from "./greet.js";\nconsole.log(welcome("Ada"));\n',
    );
  }, 60_000);
});
