import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { BULK } from '../../functions/cli/bulk.ts';
import { COMMANDS } from '../../functions/cli/commands.ts';
import { YES } from '../../functions/cli/confirm.ts';
import { commandHelp } from '../../functions/cli/help.ts';
import { PROGRAMS } from '../../functions/cli/programs.ts';
import { commandsPage } from '../../tools/docs/commands-page.ts';

test('the page of commands says what their help says', async () => {
  const page = readFileSync(new URL('../../docs/commands.md', import.meta.url), 'utf8');
  expect(page, 'run `node tools/node24.mjs tools/commands-docs.ts`').toBe(await commandsPage());
});

test('the help of each command has an example and its exit codes, and says if it asks first', async () => {
  for (const command of COMMANDS) {
    const help = commandHelp(command);
    expect.soft(help).toMatch(/^Examples:\n {2}holdfast /m);
    expect.soft(help).toContain('Exit codes: ');
    const asks = command.options?.includes(YES) === true;
    expect.soft(help.includes('asks first'), command.name).toBe(asks);
    const many = BULK.every((option) => command.options?.includes(option) === true);
    expect.soft(help.includes('every run that the'), command.name).toBe(many);
  }
  for (const program of PROGRAMS) {
    const { name } = program;
    const text = await program.help();
    expect.soft(text, name).toMatch(/^Examples:\n {2}holdfast /m);
    expect.soft(text, name).toMatch(/^Exit codes: /m);
  }
});
