import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import type { Place } from '../place.ts';

const checkedSchema = z.object({
  /** The agents module and all that it imports, what is installed left out. */
  files: z.array(z.string()).readonly(),
  /** Why the agents can't be served, in words for their author. */
  problem: z.string().optional(),
});
export type Checked = z.infer<typeof checkedSchema>;

/** Loads the agents in a process of its own, for what they are made of and what is wrong. */
export async function checkAgents(place: Place, agents: string | undefined): Promise<Checked> {
  const script = resolve(place.code, `project/dev/check-agents${place.ending}`);
  const child = fork(script, agents === undefined ? [] : [agents], { execArgv: nodeOptions() });
  const { promise, resolve: answer } = Promise.withResolvers<Checked>();
  child.once('message', (message) => answer(checkedSchema.parse(message)));
  // Also after its message, which is then what counts.
  child.once('exit', (code) => {
    answer({ files: [], problem: `the agents ended the process that loaded them (${code})` });
  });
  return await promise;
}

/** Options of Node: with what an author keeps out of the repository. */
export const nodeOptions = (): string[] => [
  ...(existsSync('.env') ? ['--env-file=.env'] : []),
  '--disable-warning=ExperimentalWarning',
];
