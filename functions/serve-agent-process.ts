import { serveForked } from '../shared/isolation/serve-forked.ts';
import { processStrays } from '../shared/system/process-strays.ts';
import { systemClock } from '../shared/system/system-clock.ts';
import { loadAgents } from './load-agents.ts';

/** Reads what forkedAgents gave it as arguments. */
export function serveAgentProcess(): void {
  const [script = '', module = '', name = '', silence, memory, parent] = process.argv.slice(1);
  serveForked({
    script,
    silence: Number(silence),
    memory: Number(memory),
    parent: Number(parent),
    clock: systemClock,
    strays: (end) => processStrays(process, end),
    load: async () => {
      const { all } = await loadAgents(module === '' ? undefined : module);
      const agent = all.find((each) => each.name === name);
      if (agent === undefined) throw new Error(`the agent ${name} is not in ${module}`);
      return agent;
    },
  });
}
