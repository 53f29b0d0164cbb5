import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { defineAgent } from '../shared/agent/index.ts';
import { publish } from './load-agents.ts';

const DEFINE = `import { defineAgent } from ${JSON.stringify(import.meta.resolve('../shared/agent/index.ts'))};\n`;

const agentThat = (decisions: { owner?: boolean }) =>
  defineAgent({
    name: 'payer',
    description: 'Pays.',
    publication: { decisions },
    run: () => Promise.resolve('done'),
  });

describe('a module that can not be loaded', () => {
  const written = async (text: string): Promise<unknown> => {
    const folder = mkdtempSync(join(tmpdir(), 'holdfast-load-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'broken.ts'), text);
    writeFileSync(join(folder, 'agents.ts'), "export { default } from './broken.ts';\n");
    // As `npm start` loads it: a test runner has loaders of its own.
    const script = `import { loadAgents } from ${JSON.stringify(import.meta.resolve('./load-agents.ts'))};
      await loadAgents(${JSON.stringify(join(folder, 'agents.ts'))}).catch((error) => {
        process.stdout.write(error.name + ': ' + error.message);
      });`;
    const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
    return (await run).stdout;
  };

  it.each([
    [
      'a syntax error',
      'const a = 1;\nexport default {{;\n',
      /broken\.ts:2\n[^]*\{\{;[^]*Unexpected token/,
    ],
    [
      'an enum',
      'const a = 1;\nenum Colour { Red }\n',
      /broken\.ts:2\n[^]*enum Colour[^]*without enum/,
    ],
    [
      'a throw',
      "\n\nconst x = JSON.parse('null');\nexport default x.a;\n",
      /TypeError: Cannot read properties of null[^]*broken\.ts:4:/,
    ],
    ['a missing file', "import './nosuch.ts';\n", /nosuch\.ts' imported from .*broken\.ts/],
    [
      'a missing export',
      "import { nosuch } from 'node:fs';\nexport default nosuch;\n",
      /broken\.ts:1\n[^]*'nosuch'/,
    ],
    ['an agent that is wrong', `${DEFINE}export default defineAgent({ name: 'X y' });\n`, /name/],
  ])('for %s says file and line, and what is wrong', async (_, text, words) => {
    const said = await written(text);
    expect(said).toMatch(/^BadConfiguration: the agents module .*agents\.ts can't be loaded\n/);
    expect(said).toMatch(words);
  });

  it.each([
    ['no default export', 'export default undefined;\n', 'has no default export'],
    ['a promise', 'export default Promise.resolve(1);\n', 'is a promise; await it'],
    [
      'a list with what is none',
      'export default [{ run: 1 }, 5];\n',
      'entry 0 of the default export',
    ],
    ['an empty list', 'export default [];\n', 'is an empty list'],
  ])('with %s says what it is', async (_, text, words) => {
    expect(await written(text)).toContain(words);
  });

  it('with two agents of one name says which', () => {
    const same = () => agentThat({ owner: true });
    expect(() => publish([same(), same()], 'agents.ts')).toThrow(
      'agents.ts: two agents have the name "payer"',
    );
  });

  it('with a card that was changed by hand says what is wrong with it', () => {
    const agent = agentThat({ owner: true });
    const changed = { ...agent, card: { ...agent.card, iconUrl: 'no address' } };
    expect(() => publish([changed], 'agents.ts')).toThrow(
      'agents.ts: the card of "payer": "no address" is not a URL.',
    );
  });
});
