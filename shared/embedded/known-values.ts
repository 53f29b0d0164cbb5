import type { SQLInputValue } from 'node:sqlite';
import type { Version } from '../ports/backend.ts';
import { BoundedMap } from '../store/bounded-map.ts';

/** How many documents are remembered at most; each takes about half a kilobyte. */
const CAPACITY = 4_000;

/**
 * What documents have in their columns, by version, as this process wrote or read them: so that an
 * update leaves alone what it does not change. A version is never given twice, so what is known of
 * one stays true, whatever other processes write.
 */
export class KnownValues {
  readonly #known = new BoundedMap<Known>(CAPACITY);

  get(path: string, version: Version): readonly SQLInputValue[] | undefined {
    const known = this.#known.get(path);
    return known?.version === version ? known.values : undefined;
  }

  keep(path: string, version: Version, values: readonly SQLInputValue[]): void {
    // A table without columns has nothing to leave alone.
    if (values.length > 0) this.#known.set(path, { version, values }, 1);
  }
}

interface Known {
  readonly version: Version;
  readonly values: readonly SQLInputValue[];
}
