import type { Frame } from '../../shared/app/service.ts';
import type { Task } from '../../shared/domain/task.ts';
import type { Change } from '../../testing/memory-backend.ts';
import type { Operation } from './operation.ts';

/** One commit, in the order in which the database took them. */
export interface Commit {
  readonly at: number;
  readonly changes: readonly Change[];
  /** On whose behalf; undefined would be a write out of nowhere. */
  readonly by: Operation | undefined;
}

/**
 * A task as some answer showed it. Of two reads, the one that began after the other's end must not
 * show less.
 */
export interface Read {
  readonly taskId: string;
  readonly task: Task;
  readonly began: number;
  readonly ended: number;
  /** The newest revision that was committed when the answer came. */
  readonly committed: number;
}

/** One connection of a stream: where it resumed, and what came. */
export interface Connection {
  readonly taskId: string;
  readonly afterSeq: number | undefined;
  readonly frames: Frame[];
  /** The server ended it in good order. */
  ended: boolean;
}

/** A message that a task took, as its sender was told. */
export interface Taken {
  readonly messageId: string;
  readonly taskId: string;
}

/** An event that a run has, as its deliverer was told; `id`: what it was delivered under. */
export interface DeliveredEvent {
  readonly taskId: string;
  readonly id: string;
  readonly number: number;
}

/** Everything that was seen from outside during one run. */
export class Record {
  readonly commits: Commit[] = [];
  readonly reads: Read[] = [];
  readonly connections: Connection[] = [];
  readonly taken: Taken[] = [];
  /** Events, as their deliverers were told. */
  readonly delivered: DeliveredEvent[] = [];
  /** Messages that were sent once, and refused. */
  readonly refused: string[] = [];
  /** What the world's own story found wrong. */
  readonly complaints: string[] = [];
  #moment = 0;

  /** A place in the order of what happened. */
  moment(): number {
    this.#moment += 1;
    return this.#moment;
  }
}
