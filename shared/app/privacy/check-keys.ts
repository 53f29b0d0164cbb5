import type { Ports } from '../../ports/index.ts';
import { keysDoc, SEAL_FORMAT } from '../records/keys-document.ts';
import { readableRunCodec } from '../records/run-document.ts';

type Keys = Pick<Ports, 'store' | 'sealer'>;

/**
 * Whether the keys at hand fit the rows, asked before anything works on them: undefined, or why
 * they do not and what to do. Rows whose key is missing would only be met one by one, when each can
 * neither go on nor be shown. Notes the keys that may wrap from now on. Throws Unavailable.
 */
export async function keysProblem({ store, sealer }: Keys): Promise<string | undefined> {
  const [names, known] = await Promise.all([sealer.keyNames(), store.get(keysDoc)]);
  if (known === undefined) {
    if (await hasRuns({ store })) return OTHER_FORMAT;
  } else {
    if (known.format !== SEAL_FORMAT) return OTHER_FORMAT;
    const missing = known.names.filter((name) => !names.includes(name));
    if (missing.length > 0) return wanted(missing, names);
  }
  if (names.length === 0) return wanted(['of its own'], names);
  if (!names.every((name) => known?.names.includes(name))) await noteKeys({ store }, names, 'more');
  return undefined;
}

/**
 * `more`: beside those that are noted. `only`: no row is sealed with another one any more. Throws
 * Unavailable.
 */
export async function noteKeys(
  { store }: Pick<Keys, 'store'>,
  names: readonly string[],
  mode: 'more' | 'only',
): Promise<void> {
  await store.transact(async (tx) => {
    const known = mode === 'only' ? undefined : await tx.get(keysDoc);
    const all = [...new Set([...names, ...(known?.names ?? [])])];
    tx.set(keysDoc, { v: 1, format: SEAL_FORMAT, names: all });
  });
}

const OTHER_FORMAT =
  'the stored tasks were sealed by another version, in a format that this one does not read: let that version finish and purge them, or start on another data folder or database';

function wanted(missing: readonly string[], names: readonly string[]): string {
  const there = names.length === 0 ? 'there is none' : `there are: ${names.join(', ')}`;
  return `the stored tasks need a key that is not at hand: ${missing.join(', ')} (${there}). Put it back. Only if it is lost for good, destroy what it sealed: npm run operate -- purge --without-key`;
}

async function hasRuns({ store }: Pick<Keys, 'store'>): Promise<boolean> {
  const query = { collection: 'runs', codec: readableRunCodec, filters: [], order: undefined };
  return (await store.page({ ...query, limit: 1 })).length > 0;
}
