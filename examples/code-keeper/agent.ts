import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { type AgentContext, defineAgent, TaskFailed } from 'holdfast/agent';
import { carryOut, pathsIn } from './code-base.ts';
import { ordersIn } from './order.ts';

const HOW = [
  'Tell me what to do with the code base, a line for each:',
  '  rename OLD to NEW    a name, wherever it stands as a whole word',
  '  delete PATH',
  '  write PATH           and below it the whole text of the file',
].join('\n');

/**
 * Keeps a small code base: each task of a context goes on from the files of the one before, and is
 * a commit of the context's repository (docs/files.md).
 */
export const codeKeeper = defineAgent({
  name: 'code-keeper',
  displayName: 'Code keeper',
  description: 'Edits a small code base over several tasks of one context.',
  skills: [
    {
      id: 'edit',
      name: 'Edit a code base',
      description: HOW,
      tags: ['code', 'files'],
      examples: ['rename greet to welcome'],
    },
  ],
  files: { form: 'git' },
  run: edit,
});

async function edit(ctx: AgentContext): Promise<string> {
  const orders = ordersIn(ctx.text);
  if (orders === undefined) ctx.ask(HOW);
  const { folder } = ctx.files;
  const changed = new Set<string>();
  for (const order of orders) {
    try {
      for (const path of await carryOut(folder, order)) changed.add(path);
    } catch (error) {
      const what = error instanceof RangeError ? 'lies outside the code base' : 'is not there';
      throw new TaskFailed(`${'path' in order ? order.path : 'A file'} ${what}.`, { cause: error });
    }
  }
  const present = await pathsIn(folder);
  for (const path of present) if (changed.has(path)) await show(ctx, path);
  const names = [...changed].sort().join(', ');
  return `${changed.size === 0 ? 'Nothing changed' : `Changed ${names}`}; ${present.length} files.`;
}

/** A source is text, and shown as text. */
async function show(ctx: AgentContext, path: string): Promise<void> {
  if (!['.js', '.ts', '.md', '.json', '.txt'].includes(extname(path)))
    return ctx.files.artifact(path);
  const text = await readFile(join(ctx.files.folder, path), 'utf8');
  const parts = text === '' ? [{ text: '\n' }] : [{ text, filename: path }];
  await ctx.artifact({ artifactId: path, name: path, parts });
}
