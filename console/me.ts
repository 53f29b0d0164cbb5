import { createStore, useStore } from './store.ts';
import type { Me } from './wire.ts';

export type Right = Me['agents'][number]['may'][number];

/** Who the operator of this page is, once that is known. */
export const operator = createStore<Me | undefined>(undefined);

/** The agents on which the operator has that right: what is offered here; the server decides. */
export function useAgentsWith(right: Right): readonly string[] {
  const me = useStore(operator);
  return me?.agents.flatMap(({ may, name }) => (may.includes(right) ? [name] : [])) ?? [];
}
