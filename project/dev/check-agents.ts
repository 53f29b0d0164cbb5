// A process of `holdfast dev`: loads the agents as the server would, and tells its parent which
// files that took and what was wrong with them. The server that runs is not touched by it.
import { registerHooks } from 'node:module';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadAgents } from '../../functions/load-agents.ts';
import { BadConfiguration } from '../../functions/settings.ts';
import type { Checked } from './checked.ts';

const files = new Set<string>();

function note(url: string): void {
  if (!url.startsWith('file:')) return;
  const file = fileURLToPath(url);
  if (!file.includes(`${sep}node_modules${sep}`)) files.add(file);
}

registerHooks({
  resolve(specifier, context, next) {
    try {
      const found = next(specifier, context);
      note(found.url);
      return found;
    } catch (error) {
      // It may be made next.
      if (specifier.startsWith('.') && context.parentURL !== undefined)
        note(new URL(specifier, context.parentURL).href);
      throw error;
    }
  },
});

const [agents] = process.argv.slice(2);
const problem = await loadAgents(agents).then(
  () => undefined,
  (error: unknown) => {
    if (error instanceof BadConfiguration) return error.message;
    throw error;
  },
);
const checked: Checked = { files: [...files], ...(problem !== undefined && { problem }) };
// Agents that keep the process busy at their load are no reason to wait.
process.send?.(checked, () => process.exit(0));
