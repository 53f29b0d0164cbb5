import type { StoredSnapshot } from '../../domain/task.ts';
import type { App } from '../app.ts';
import type { ViewDoc } from '../records/documents.ts';
import type { Subkeys } from '../subkeys.ts';
import { boundView } from './bindings.ts';
import type { SealingKey } from './sealing-key.ts';
import { unsealSnapshot } from './snapshot.ts';

/** Bytes of sealed content over which it is opened each time: keys are bounded by number alone. */
const MOST = 4_096;

interface Listed {
  readonly envelope: Uint8Array;
  readonly bound: readonly unknown[];
  readonly snapshot: StoredSnapshot;
}

/**
 * What lists opened last with each key. It can be reached by the opened key alone: where the key
 * ring forgets or replaces that (a purge, a scrub, five minutes), this goes with it.
 */
const listed = new WeakMap<Subkeys, Listed>();

/**
 * The snapshot of a view for a list, which shows the same fifty views again and again: opened once
 * for as long as its key is held. It is the same only for the same sealed bytes beside the same
 * clear fields, so what would not open is refused here as well. Not for an agent, which may change
 * what it is given.
 *
 * @throws Unreadable
 */
export async function listedSnapshot(
  app: App,
  runKey: SealingKey,
  view: ViewDoc,
): Promise<StoredSnapshot> {
  const bound = [view.taskId, view.scope, view.agent, ...boundView(view)];
  const known = listed.get(runKey.keys);
  if (known !== undefined && isSame(known, view.content, bound)) return known.snapshot;
  const snapshot = await unsealSnapshot(app, runKey, view);
  const envelope = view.content;
  if (envelope.byteLength <= MOST) listed.set(runKey.keys, { envelope, bound, snapshot });
  return snapshot;
}

function isSame(known: Listed, envelope: Uint8Array, bound: readonly unknown[]): boolean {
  return (
    Buffer.compare(known.envelope, envelope) === 0 &&
    known.bound.length === bound.length &&
    bound.every((value, at) => value === known.bound[at])
  );
}
