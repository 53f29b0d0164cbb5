import { describe, expect, it } from 'vitest';
import { Pasted, READY } from './pasted.ts';

describe('README, "Keep files from task to task", pasted into a shell', () => {
  const page = new Pasted();

  it('shows a commit for each of three tasks, and the code as the third left it', async () => {
    const { shell } = page;
    const commands = await page.commands('Keep files from task to task');
    const [start = '', say = '', ...rest] = commands;
    const [first = '', second = '', third = '', log = '', show = ''] = rest;
    expect(commands).toHaveLength(7);
    await shell.run(start, READY);
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
