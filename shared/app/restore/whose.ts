import type { AgentName, Scope } from '../../domain/ids.ts';

/** Whose task it is: who may see it (G23), and which agent's it was. */
export interface Whose {
  readonly agent: AgentName;
  readonly scope: Scope;
  /** Known where an operator says so; the archive does not. */
  readonly tenant?: string;
  readonly owner?: string;
}
