import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Millis } from '../domain/brand.ts';
import { defaults, type Settings } from '../domain/settings.ts';
import type { Backend } from '../ports/backend.ts';
import type { Ports } from '../ports/index.ts';
import type { Log } from '../ports/log.ts';
import { createStore } from '../store/store.ts';
import { closeToOthers } from './file-modes.ts';
import { openPackedBlobs } from './packed-blobs.ts';
import { jsonLog } from '../system/json-log.ts';
import { openKeyFile } from './key-file.ts';
import { idsInOrder } from './ids-in-order.ts';
import { LaneQueue } from './lane-queue.ts';
import { openSqliteBackend } from './sqlite-backend.ts';
import { systemClock } from '../system/system-clock.ts';
import { systemIds } from '../system/system-ids.ts';

export interface EmbeddedOptions {
  /** Holds everything: `store.sqlite`, `objects/`, `key`. Made if it is not there. */
  readonly folder: string;
  readonly settings?: Settings;
  readonly log?: Log;
  /** `full` survives a power cut without loss; see SqliteOptions. */
  readonly synchronous?: 'normal' | 'full';
  /** How many wake-ups are handled at once. */
  readonly concurrency?: number;
}

export interface Embedded {
  /**
   * Redaction, remote agents, rights and files don't depend on the machine: the composition adds
   * them.
   */
  readonly ports: Omit<
    Ports,
    'redactor' | 'remotes' | 'outgoing' | 'toolServers' | 'grants' | 'workspaces'
  >;
  readonly backend: Backend;
  /** Deliveries begin with its `start(handler)`. */
  readonly queue: LaneQueue;
  /** Gives what runs that long to end, then lets go of the files. */
  close(span?: Millis): Promise<void>;
}

/** Every port on one machine, without an account or a service. */
export function openEmbedded(options: EmbeddedOptions): Embedded {
  const { folder, settings = defaults, synchronous = 'normal', concurrency } = options;
  const clock = systemClock;
  const ids = idsInOrder(systemIds(), clock);
  const log = options.log ?? jsonLog({ stream: process.stdout, clock });
  const [key, rows] = [join(folder, 'key'), join(folder, 'store.sqlite')];
  if (closeToOthers(key)) log.write('warning', 'file was open to others', { file: 'key' });
  // Existing rows were sealed with a key that existed: if it is missing now, no new one is made.
  const sealer = openKeyFile(key, { make: !existsSync(rows) });
  const backend = openSqliteBackend({ file: rows, synchronous });
  const blobs = openPackedBlobs({ root: join(folder, 'objects'), synchronous });
  const queue = new LaneQueue({
    clock,
    log,
    ...(concurrency === undefined ? {} : { concurrency }),
  });
  const store = createStore({ backend, clock, ids, deadline: settings.transactionDeadline });
  return {
    ports: { store, blobs, queue, sealer, clock, ids, log, settings },
    backend,
    queue,
    async close(span) {
      await queue.close(span);
      await backend.close();
      await blobs.close();
    },
  };
}
