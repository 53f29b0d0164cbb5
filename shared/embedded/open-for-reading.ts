import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { defaults } from '../domain/settings.ts';
import type { Blobs } from '../ports/blobs.ts';
import { Fault } from '../ports/faults.ts';
import type { Sealer } from '../ports/sealer.ts';
import type { Store } from '../ports/store.ts';
import { createStore } from '../store/store.ts';
import { systemClock } from '../system/system-clock.ts';
import { systemIds } from '../system/system-ids.ts';
import { openKeyFile } from './key-file.ts';
import { openPlainFolder } from './plain-folder.ts';
import { openSqliteBackend } from './sqlite-backend.ts';

/** What a data folder holds, for one who only reads. */
export interface EmbeddedReading {
  readonly store: Store;
  readonly blobs: Blobs;
  readonly sealer: Sealer;
  close(): Promise<void>;
}

/**
 * A data folder as it is, also while a server works on it: nothing of it is made, moved or written,
 * and what would be throws. Undefined where there are no rows. Throws Unavailable, Unreadable.
 */
export function openForReading(folder: string): EmbeddedReading | undefined {
  const file = join(folder, 'store.sqlite');
  if (!existsSync(file)) return undefined;
  const backend = openSqliteBackend({ file, readOnly: true });
  const deadline = defaults.transactionDeadline;
  const source = openPlainFolder(join(folder, 'objects'));
  const refuse = (): Promise<never> =>
    Promise.reject(new Fault('ReadOnly', 'stop', 'the data folder is only read'));
  return {
    store: createStore({ backend, clock: systemClock, ids: systemIds(), deadline }),
    blobs: {
      get: (name) => source.get(name),
      getStream: (name) => source.getStream(name),
      put: refuse,
      putStream: refuse,
      delete: refuse,
      list: refuse,
    },
    sealer: openKeyFile(join(folder, 'key'), { make: false }),
    close: () => backend.close(),
  };
}
