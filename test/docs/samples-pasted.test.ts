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
    const evaluation = await page.commands('Evaluate it', 'examples/letter-sorter/README.md');
    expect(evaluation).toHaveLength(1);
    const [evaluate = ''] = evaluation.map((line) => line.replace('sorted.jsonl', page.results));
    // Words know no irony, and a case that has not passed is an error of the command.
    const told = await shell.run(`${evaluate} || true`);
    expect(told).toMatch(/^irony +0\.50 .*letter-sorter\/score\.ts: not the topic$/m);
    expect(told).toContain('passed  3 of 4');
  }, 60_000);
});
