import type { Circuit } from '../domain/circuit.ts';
import type { Millis } from '../domain/brand.ts';
import type { Remote } from '../domain/remote.ts';
import type { Transaction } from '../ports/store.ts';

/** A remote by what is called: its name, and where its card is. */
export type Called = Pick<Remote, 'card' | 'name'>;

/** Remote agents that are left alone, because so many calls of them failed in a row. */
export interface Circuits {
  /**
   * Whether it may be called. Undefined: yes, and of one whose rest is over this is the only call
   * until it has an outcome. Otherwise when it is worth another look. Throws Unavailable,
   * Contention.
   */
  restOf(remote: Called): Promise<Millis | undefined>;
  /** What became of a call: why it failed, or undefined if the remote answered. Never throws. */
  note(remote: Called, fault: string | undefined): Promise<void>;
  /** Those that are open, as of now. */
  open(): Promise<readonly Circuit[]>;
  /**
   * Forgets what is known of remotes of this name, and has what `note` writes in the same commit if
   * any was open. Answers how many were.
   */
  reset(name: string, note: (tx: Pick<Transaction, 'create'>) => void): Promise<number>;
}
