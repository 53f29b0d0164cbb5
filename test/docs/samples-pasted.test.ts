import { describe, expect, it } from 'vitest';
import { Pasted, READY } from './pasted.ts';

describe('docs/mcp.md, "Try it", pasted into a shell', () => {
  const page = new Pasted();

  it('counts lamps, and waits for an approval before it takes any', async () => {
    const { shell } = page;
    const [start = '', say = '', count = '', take = '', ...rest] = await page.commands(
      'Try it',
      'docs/mcp.md',
    );
    expect(rest).toEqual([]);
    await shell.run(start, READY);
    await shell.run(say);
    expect(await shell.run(count)).toContain('4 × lamp left.');
    expect(await shell.run(take)).toContain('TASK_STATE_AUTH_REQUIRED');
    expect(await shell.run('npx --no holdfast inbox')).toContain('Take 2 × lamp.');
  }, 60_000);
});

describe('docs/models.md, "Data as the answer", pasted into a shell', () => {
  const page = new Pasted();

  it('sorts a letter without a key, and answers with data', async () => {
    const { shell } = page;
    const [start = '', letter = '', ...rest] = await page.commands(
      'Data as the answer',
      'docs/models.md',
    );
    expect(rest).toEqual([]);
    await shell.run(start, READY);
    expect(await shell.run(letter)).toContain(
      '{"data":{"topic":"order","urgent":true,"summary":"I ordered a lamp three weeks ago."}',
    );
  }, 60_000);
});
