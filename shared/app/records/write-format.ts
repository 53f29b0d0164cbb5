import { z } from 'zod';
import { FORMATS, READS } from '../../domain/format.ts';
import type { Doc, Store } from '../../ports/store.ts';
import type { FormatGate } from '../app.ts';
import { codec } from './documents.ts';
import { readableRunCodec } from './run-document.ts';

const formatSchema = z.object({
  v: z.literal(1),
  /** The newest version that may be written. Only ever raised. */
  writes: z.number(),
  /** The newest version that each function reads, as its newest instance has reported it. */
  reads: z.record(z.string(), z.number()),
});
export type FormatDoc = z.infer<typeof formatSchema>;

export const formatDoc: Doc<FormatDoc> = {
  path: 'installation/format',
  codec: codec<FormatDoc>(formatSchema),
};

/**
 * A function says which version it reads, once for each instance: a read, and a write when that
 * changed. Where no run was ever made there is no older reader, so what this code reads may be
 * written. Throws Unavailable.
 */
export async function reportFormat(store: Store, name: string): Promise<void> {
  const present = await store.get(formatDoc);
  if (present?.reads[name] === READS) return;
  const first = present === undefined && !(await hasRuns(store));
  await store.transact(async (tx) => {
    const current = await tx.get(formatDoc);
    const writes = current?.writes ?? (first ? READS : FORMATS.base);
    tx.set(formatDoc, { v: 1, writes, reads: { ...current?.reads, [name]: READS } });
  });
}

async function hasRuns(store: Store): Promise<boolean> {
  const query = { collection: 'runs', codec: readableRunCodec, filters: [], order: undefined };
  return (await store.page({ ...query, limit: 1 })).length > 0;
}

/**
 * What may be written as of now. Asked of the store until it allows what is asked for: a version is
 * never lowered.
 */
export function createFormatGate(store: Store): FormatGate {
  let writes = 0;
  return {
    async allows(version) {
      if (writes < version) writes = (await store.get(formatDoc))?.writes ?? FORMATS.base;
      return writes >= version;
    },
  };
}

export type Raised =
  | { readonly kind: 'raised'; readonly writes: number }
  /** These have not reported, or read less. */
  | { readonly kind: 'behind'; readonly writes: number; readonly functions: readonly string[] };

/**
 * Lets the newest version be written that this code knows, if each of these functions reads it, and
 * whatever has reported beside them: a service that a deployment need not have. `gone` is one that
 * it has no more. Throws Unavailable.
 */
export async function raiseFormat(
  store: Store,
  functions: readonly string[],
  gone?: string,
): Promise<Raised> {
  return store.transact(async (tx): Promise<Raised> => {
    const current = await tx.get(formatDoc);
    const writes = current?.writes ?? FORMATS.base;
    const reported = Object.entries(current?.reads ?? {}).filter(([name]) => name !== gone);
    const reads = Object.fromEntries(reported);
    const names = [...new Set([...functions, ...Object.keys(reads)])];
    const behind = names.filter((name) => (reads[name] ?? 0) < READS);
    if (behind.length > 0) return { kind: 'behind', writes, functions: behind };
    if (writes >= READS && gone === undefined) return { kind: 'raised', writes };
    tx.set(formatDoc, { v: 1, writes: Math.max(writes, READS), reads });
    return { kind: 'raised', writes: Math.max(writes, READS) };
  });
}
