/** How a group's changes are made one transaction. */
export interface GroupTransaction {
  readonly begin: () => void;
  /** A change of which nothing is to stay when it says no. */
  readonly alone: (change: () => boolean) => boolean;
  readonly commit: () => void;
  readonly rollback: () => void;
}

export type Outcome = 'committed' | 'conflict';

interface Waiting {
  readonly change: () => boolean;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Commits that are asked for in one turn of the event loop share one transaction of the database:
 * what a commit costs beside its rows (the lock, the log, a flush) is paid once. Each still is all
 * or nothing for itself, is judged after those before it, and is answered when the shared one is
 * committed.
 */
export class CommitGroup {
  readonly #transaction: GroupTransaction;
  readonly #later: (flush: () => void) => void;
  #waiting: Waiting[] = [];

  /** `later`: when a group that has begun is committed; at the end of the turn, unless said. */
  constructor(
    transaction: GroupTransaction,
    later: (flush: () => void) => void = (flush) => void setImmediate(flush),
  ) {
    this.#transaction = transaction;
    this.#later = later;
  }

  add(change: () => boolean): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ change, resolve, reject });
      if (this.#waiting.length === 1) this.#later(() => this.flush());
    });
  }

  flush(): void {
    const group = this.#waiting;
    this.#waiting = [];
    if (group.length === 0) return;
    try {
      const outcomes = this.#together(group);
      group.forEach(({ resolve }, at) => resolve(outcomes[at] ? 'committed' : 'conflict'));
    } catch (error) {
      // One that the database refuses must not take the others with it.
      if (group.length > 1) for (const each of group) this.#retry(each);
      else group[0]?.reject(error);
    }
  }

  #retry(each: Waiting): void {
    try {
      const [held] = this.#together([each]);
      each.resolve(held ? 'committed' : 'conflict');
    } catch (error) {
      each.reject(error);
    }
  }

  #together(group: readonly Waiting[]): readonly boolean[] {
    const { begin, alone, commit, rollback } = this.#transaction;
    begin();
    try {
      const held = group.map(({ change }) => (group.length === 1 ? change() : alone(change)));
      if (held.includes(true)) commit();
      else rollback();
      return held;
    } catch (error) {
      rollback();
      throw error;
    }
  }
}
