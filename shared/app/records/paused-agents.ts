import { z } from 'zod';
import { isPaused } from '../../domain/agent-pause.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Doc, Store } from '../../ports/store.ts';
import type { PausedAgents } from '../paused-agents.ts';
import { codec } from './documents.ts';
import { knownDocument } from './known-document.ts';

const pause = z.object({ since: z.number(), until: z.number().nullable() });
const agentsSchema = z.object({
  v: z.literal(1),
  /** By agent, oldest first. */
  pauses: z.record(z.string(), z.array(pause)),
});
type AgentsDoc = z.infer<typeof agentsSchema>;

export const agentsDoc: Doc<AgentsDoc> = {
  path: 'installation/agents',
  codec: codec<AgentsDoc>(agentsSchema),
};

export function createPausedAgents(parts: {
  readonly clock: Clock;
  readonly store: Store;
}): PausedAgents {
  const known = knownDocument<AgentsDoc>(parts, agentsDoc, { v: 1, pauses: {} });
  const pausesOf = ({ pauses }: AgentsDoc, agent: string) => pauses[agent] ?? [];

  return {
    async all() {
      return new Map(Object.entries((await known.now()).pauses));
    },
    async of(agent) {
      return pausesOf(await known.lately(), agent);
    },
    async surelyOf(agent) {
      const pauses = pausesOf(await known.lately(), agent);
      return isPaused(pauses) ? pausesOf(await known.now(), agent) : pauses;
    },
    change: (agent, to, note) =>
      known.change((present) => {
        const before = pausesOf(present, agent);
        const answer = to(before);
        if (answer === before) return { answer };
        const pauses = { ...present.pauses, [agent]: answer.map((each) => ({ ...each })) };
        return { answer, next: { v: 1, pauses }, note };
      }),
  };
}
