import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * One thing that a process was asked to do: a delivery, a sweep, a client's call. Whatever it does
 * later, in any promise or timer, is known to come from it, so a write can be traced to the claim
 * under which it was made.
 */
export interface Operation {
  readonly kind: 'delivery' | 'sweep' | 'client' | 'operator';
  readonly name: string;
  readonly process: number;
  /** Fence of each claim that this operation made, by task. */
  readonly claims: Map<string, number>;
}

export const operations = new AsyncLocalStorage<Operation>();

export function operation(kind: Operation['kind'], name: string, process: number): Operation {
  return { kind, name, process, claims: new Map() };
}
