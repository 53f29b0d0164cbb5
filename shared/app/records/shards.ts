import { z } from 'zod';
import type { Millis } from '../../domain/brand.ts';
import type { Settings } from '../../domain/settings.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Doc, Store } from '../../ports/store.ts';
import type { ShardCounts, Shards } from '../shards.ts';
import { codec } from './documents.ts';

const count = z.number().int().min(1);
const shardsSchema = z.object({
  v: z.literal(1),
  /** The most that there ever were: rows may lie in each of them. */
  runs: count,
  lists: count,
  /** What they were raised from, and when. */
  before: z.object({ runs: count, lists: count }),
  raisedAt: z.number(),
});
type ShardsDoc = z.infer<typeof shardsSchema>;

export const shardsDoc: Doc<ShardsDoc> = {
  path: 'installation/shards',
  codec: codec<ShardsDoc>(shardsSchema),
};

/** Without the document: what rows were spread over before it was there. */
const UNTOLD: ShardsDoc = {
  v: 1,
  runs: 8,
  lists: 1,
  before: { runs: 8, lists: 1 },
  raisedAt: 0,
};

/** What a process knows is at most so old. */
const FRESH: Millis = 30_000;
/** So long after it was raised every process has read it. */
const SPREAD: Millis = 2 * FRESH;

interface Parts {
  readonly store: Store;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'shards' | 'listShards'>;
}

export function createShards({ store, clock, settings }: Parts): Shards {
  let known: { readonly doc: ShardsDoc; readonly at: Millis } | undefined;

  async function load(): Promise<ShardsDoc> {
    const now = clock.now();
    if (known !== undefined && now < known.at + FRESH) return known.doc;
    const found = (await store.get(shardsDoc)) ?? UNTOLD;
    const doc = covers(found, settings) ? found : await raise();
    known = { doc, at: now };
    return doc;
  }

  /** Never lowered: rows lie where they were put until they are purged. */
  function raise(): Promise<ShardsDoc> {
    return store.transact(async (tx) => {
      const found = (await tx.get(shardsDoc)) ?? UNTOLD;
      if (covers(found, settings)) return found;
      const now = clock.now();
      const next: ShardsDoc = {
        v: 1,
        runs: Math.max(found.runs, settings.shards),
        lists: Math.max(found.lists, settings.listShards),
        before: everywhere(found, now),
        raisedAt: now,
      };
      tx.set(shardsDoc, next);
      return next;
    });
  }

  return {
    toRead: load,
    async toWrite() {
      const { runs, lists } = everywhere(await load(), clock.now());
      return {
        runs: Math.min(runs, settings.shards),
        lists: Math.min(lists, settings.listShards),
      };
    },
  };
}

/**
 * Task ids are random: any part of one spreads evenly, and two parts are independent of each other.
 */
export function placeIn({ runs, lists }: ShardCounts, taskId: string) {
  return {
    shard: Number.parseInt(taskId.slice(0, 6), 16) % runs,
    listShard: Number.parseInt(taskId.slice(-6), 16) % lists,
  };
}

const covers = (doc: ShardsDoc, { shards, listShards }: Parts['settings']): boolean =>
  doc.runs >= shards && doc.lists >= listShards;

/** What every process looks at by now. */
const everywhere = ({ runs, lists, before, raisedAt }: ShardsDoc, now: Millis): ShardCounts =>
  now >= raisedAt + SPREAD ? { runs, lists } : before;
