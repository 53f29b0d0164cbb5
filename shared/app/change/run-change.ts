import type { Millis } from '../../domain/brand.ts';
import type { Run } from '../../domain/run.ts';
import type { Transaction } from '../../ports/store.ts';
import type { App } from '../app.ts';
import type { PreparedPublication, Publication } from '../content/publication.ts';
import type { StepFacts } from '../../domain/step-facts.ts';
import type { NewAudit } from '../../domain/audit.ts';
import type { NewOperatorAction } from '../content/operator-actions.ts';
import type { SealingKey } from '../content/sealing-key.ts';
import type { HeldView } from './projection.ts';

export type Reads = Pick<Transaction, 'get' | 'getAll'>;
export type Writes = Pick<Transaction, 'create' | 'set' | 'delete'>;
/** A write that is ready before the row that it goes with is known. */
export type Write = (tx: Writes, next: Run) => void;

/** An act on a run, and who does it. */
export interface ActBy extends NewOperatorAction {
  readonly operator: string;
}

/** What a step hands on that has nothing to hand on. */
export type Nothing = Readonly<Record<never, never>>;

/** Where a change seals what it commits. */
export interface Keys {
  /** The row that everything is prepared for. */
  readonly run: Run;
  readonly runKey: SealingKey;
  /**
   * For what the run works with. Its key is made when this is first asked for, and put into the
   * row.
   */
  readonly workKey: SealingKey;
}

/**
 * One change of a run: its steps, in their order, each with what those before it handed on. The row
 * that results, its revision, its context and what `write` adds are one commit.
 */
export interface RunChange<S extends object = Nothing, R extends object = Nothing> {
  /**
   * What becomes public if the revision rises; sealed already where the run gets a new key. A
   * function where that depends on what `seal` found.
   */
  readonly publish?: Publication | PreparedPublication | ((sealed: S) => Publication);
  /**
   * Before the transaction; and again if the run's keys or its ceiling moved until then, or if
   * `stale` says so.
   */
  readonly seal?: (keys: Keys) => S | Promise<S>;
  /** In the transaction: what the change depends on besides the row. */
  readonly read?: (tx: Reads, run: Run, sealed: S) => Promise<R>;
  /** Pure. What `seal` made is out of date: it is called again before anything is written. */
  readonly stale?: (found: S & R) => boolean;
  /** Pure. The next row, or undefined: not this run, not in this state, not by this caller. */
  readonly decide: (run: Run, now: Millis, found: S & R) => Run | undefined;
  /** What belongs to the row as it is from then on. */
  readonly write?: (tx: Writes, next: Run, found: S & R) => void;
  /**
   * What an operator does by it: noted in the row, and in the audit record, in the same commit. The
   * run must be given as it is known.
   */
  readonly act?: ActBy;
  /** Of a change that completes the run: what is known of its last turn. */
  readonly last?: StepFacts;
  /** What is noted in the audit record alone. */
  readonly audit?: NewAudit;
  /**
   * The view as the caller knows it: what is published is shown in the same commit, if the view is
   * still that one.
   */
  readonly held?: HeldView | undefined;
  /** Of a caller who repeats the change after a fault: one for all its tries. */
  readonly memory?: Memory<S>;
}

export interface Changed<S extends object = object> {
  readonly kind: 'changed';
  readonly run: Run;
  readonly sealed: S;
  /** What is known of the view by now; absent where the change knew of none, or knows no more. */
  readonly held?: HeldView;
}
/** The guard said no: the run is another's, elsewhere, or gone. Nothing was written. */
export interface Unchanged<R extends object = object> {
  readonly kind: 'unchanged';
  readonly run: Run | undefined;
  /** What the guard went by; absent of a run that is gone. */
  readonly read?: R;
}
export type Outcome<S extends object = object, R extends object = object> =
  | Changed<S>
  | Unchanged<R>;

/** What a change remembers from one try to the next, so that it can't be applied twice. */
export interface Memory<S extends object = object> {
  readonly commitId: string;
  /** What the last try was about to commit. */
  mine?: Changed<S> | undefined;
}

export const newMemory = <S extends object>(app: App): Memory<S> => ({
  commitId: app.ids.token(),
});
