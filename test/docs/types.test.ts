import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadAgents } from '../../functions/load-agents.ts';
import { exampleFolder } from './example-folder.ts';
import { ROOT } from './readme.ts';

interface Example {
  readonly page: string;
  /** Of the examples of its page. */
  readonly at: number;
  readonly code: string;
}

/** What an example imports from beside itself, and its reader writes. */
const BESIDE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'docs/executors.md': {
    'executor.ts': `export * from '${join(ROOT, 'examples/action-items/executor.ts')}';`,
  },
  'docs/testing.md': {
    '../agents/greeter.ts': `export { default } from '${join(ROOT, 'project/template/agents/greeter.ts')}';`,
    '../agents/letters.ts': `import { defineAgent, defineRemote } from 'holdfast/agent';
const remotes = [defineRemote({ name: 'translator', description: 'x', card: 'https://t.example/card', approval: false })];
export default defineAgent({
  name: 'letters',
  description: 'Has letters translated.',
  remotes,
  steps: async (ctx) => (await ctx.call('translator', ctx.text)).status,
});`,
    '../agents/order.ts': `import { defineAgent, defineRemote } from 'holdfast/agent';
const remotes = [defineRemote({ name: 'carrier', description: 'x', card: 'https://c.example/card', approval: false })];
export default defineAgent({
  name: 'order',
  description: 'Takes orders.',
  remotes,
  async steps(ctx) {
    await ctx.step('reserve', () => 'reserved');
    await ctx.approve('pay', { summary: 'Pay.' });
    return (await ctx.call('carrier', 'ship it')).status;
  },
});`,
    '../agents/next.ts': `export { default } from './order.ts';`,
    '../agents/clerk.ts': `import { defineAgent, defineTool } from 'holdfast/agent';
import { ScriptedModel } from 'holdfast/testing';
const tools = [
  defineTool({
    name: 'pay',
    description: 'Pays.',
    parameters: { type: 'object', properties: { euros: { type: 'number' } } },
    effect: 'once',
    approval: true,
    run: () => 'paid',
  }),
];
const model = new ScriptedModel();
export default defineAgent({ name: 'clerk', description: 'Pays.', instructions: 'Pay.', model, tools });`,
  },
  'docs/task-store.md': {
    'card.ts': `import { AgentCard } from '@a2a-js/sdk';\nexport const card = AgentCard.fromJSON({ name: 'theirs' });`,
    'my-executor.ts': `export * from './1.ts';`,
  },
};

/** Every block of TypeScript of every page. */
async function examples(): Promise<readonly Example[]> {
  const names = await readdir(join(ROOT, 'docs'), { recursive: true });
  const pages = [
    'README.md',
    ...names.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`),
  ];
  const found = await Promise.all(
    pages.sort().map(async (page) => {
      const text = await readFile(join(ROOT, page), 'utf8');
      const blocks = [...text.matchAll(/```(?:ts|typescript)\n(.*?)```/gs)];
      return blocks.map(([, code = ''], at) => ({ page, at, code }));
    }),
  );
  return found.flat();
}

const all = await examples();

let folder: string;
const fileOf = ({ at, page }: Example) => join(folder, page.replaceAll(/\W/g, '-'), `${at}.ts`);

beforeAll(async () => {
  folder = await exampleFolder();
  for (const example of all) {
    const file = fileOf(example);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, example.code);
    for (const [name, code] of Object.entries(BESIDE[example.page] ?? {})) {
      const beside = join(dirname(file), name);
      await mkdir(dirname(beside), { recursive: true });
      await writeFile(beside, code);
    }
  }
  const tsconfig = { extends: join(ROOT, 'tsconfig.json'), include: [folder] };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
});
afterAll(() => rm(folder, { recursive: true }));

it('there are examples, and each is a whole file: what it uses it imports', () => {
  expect(all.length).toBeGreaterThan(15);
  for (const { at, code, page } of all) expect(code, `${page} ${at}`).toMatch(/^import /m);
});

it('every example is without a type error in a strict project', async () => {
  const tsc = join(ROOT, 'node_modules/.bin/tsc');
  const { stdout } = await promisify(execFile)(tsc, ['-p', folder, '--pretty', 'false']).catch(
    (error: unknown) => error as { readonly stdout: string },
  );
  const names = new Map(
    all.map((each) => [relative(ROOT, fileOf(each)), `${each.page} ${each.at}`]),
  );
  const said = stdout.replaceAll(/^[^\s(]+/gm, (file) => names.get(relative(ROOT, file)) ?? file);
  expect(said).toBe('');
}, 120_000);

describe('loads', () => {
  it.each(all.filter(({ code }) => /^export default /m.test(code)))(
    'example $at of $page, whose agents can be published',
    async (example) => {
      const { all: agents } = await loadAgents(fileOf(example));
      expect(agents.length).toBeGreaterThan(0);
    },
  );

  it.each(all.filter(({ code }) => !/^export default /m.test(code)))(
    'example $at of $page',
    async (example) => {
      await expect(import(fileOf(example))).resolves.toBeDefined();
    },
  );
});
