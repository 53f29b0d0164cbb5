import { z } from 'zod';
import { type AgentPause, isPaused } from '../../domain/agent-pause.ts';
import type { Millis } from '../../domain/brand.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Doc, Store } from '../../ports/store.ts';
import type { PausedAgents } from '../paused-agents.ts';
import { codec } from './documents.ts';

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

/** What a process knows is at most so old: one read in so long, not one for each task. */
const FRESH: Millis = 5_000;

type Known = ReadonlyMap<string, readonly AgentPause[]>;

const pausesIn = (doc: AgentsDoc | undefined): Known => new Map(Object.entries(doc?.pauses ?? {}));

export function createPausedAgents({
  clock,
  store,
}: {
  readonly clock: Clock;
  readonly store: Store;
}): PausedAgents {
  let known: { readonly pauses: Known; readonly at: Millis } | undefined;

  const keep = (pauses: Known, at: Millis): Known => {
    known = { pauses, at };
    return pauses;
  };

  async function load(): Promise<Known> {
    const now = clock.now();
    return keep(pausesIn(await store.get(agentsDoc)), now);
  }

  async function lately(): Promise<Known> {
    if (known !== undefined && clock.now() < known.at + FRESH) return known.pauses;
    return load();
  }

  return {
    all: load,
    async of(agent) {
      return (await lately()).get(agent) ?? [];
    },
    async surelyOf(agent) {
      const pauses = (await lately()).get(agent) ?? [];
      return isPaused(pauses) ? ((await load()).get(agent) ?? []) : pauses;
    },
    async change(agent, to) {
      const now = clock.now();
      const doc = await store.transact(async (tx) => {
        const present = await tx.get(agentsDoc);
        const before = present?.pauses[agent] ?? [];
        const after = to(before);
        const next: AgentsDoc = {
          v: 1,
          pauses: { ...present?.pauses, [agent]: after.map((each) => ({ ...each })) },
        };
        if (after !== before) tx.set(agentsDoc, next);
        return next;
      });
      return keep(pausesIn(doc), now).get(agent) ?? [];
    },
  };
}
