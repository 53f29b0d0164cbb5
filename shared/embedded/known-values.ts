import type { SQLInputValue } from 'node:sqlite';
import type { Version } from '../ports/backend.ts';

/** How many documents are remembered at most; each takes about half a kilobyte. */
const CAPACITY = 4_000;

/**
 * What documents have in their columns, by version, as this process wrote or read them: so that an
 * update leaves alone what it does not change. A version is never given twice, so what is known of
 * one stays true, whatever other processes write. The oldest half goes at once: a map that loses
 * its first entry with each new one is searched through its gaps each time.
 */
export class KnownValues {
  readonly #half: number;
  #known = new Map<string, Known>();
  #older: ReadonlyMap<string, Known> = new Map();

  constructor(capacity = CAPACITY) {
    this.#half = capacity / 2;
  }

  get(path: string, version: Version): readonly SQLInputValue[] | undefined {
    const known = this.#known.get(path) ?? this.#older.get(path);
    return known?.version === version ? known.values : undefined;
  }

  keep(path: string, version: Version, values: readonly SQLInputValue[]): void {
    // A table without columns has nothing to leave alone.
    if (values.length === 0) return;
    if (this.#known.size >= this.#half) {
      this.#older = this.#known;
      this.#known = new Map();
    }
    this.#known.set(path, { version, values });
  }
}

interface Known {
  readonly version: Version;
  readonly values: readonly SQLInputValue[];
}
