import type { AgentPause } from '../domain/agent-pause.ts';
import type { Transaction } from '../ports/store.ts';

/** Which agents begin nothing new: a fact of the store that each process asks for now and then. */
export interface PausedAgents {
  /** As it was a few seconds ago at most. Throws Unavailable. */
  of(agent: string): Promise<readonly AgentPause[]>;
  /**
   * The same, and where the agent is paused as of now: a wake-up that is dropped for it must not
   * have come after the agent was resumed.
   */
  surelyOf(agent: string): Promise<readonly AgentPause[]>;
  /** Of every agent that was ever paused, as of now. */
  all(): Promise<ReadonlyMap<string, readonly AgentPause[]>>;
  /**
   * Commits what this makes of the agent's pauses, and with it what `note` writes, if that is
   * another. Throws Unavailable, Contention.
   */
  change(
    agent: string,
    to: (pauses: readonly AgentPause[]) => readonly AgentPause[],
    note: (tx: Pick<Transaction, 'create'>) => void,
  ): Promise<readonly AgentPause[]>;
}
