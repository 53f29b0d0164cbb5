import type { Run } from '../../domain/run.ts';
import type { App } from '../app.ts';
import { Subkeys } from '../subkeys.ts';
import { type SealingKey, runKeyOf, whoseOf } from './sealing-key.ts';
import { unseal, seal } from './sealing.ts';

/**
 * The key of a run's work (its transcript, checkpoints, sends and decisions), and what its row
 * needs for it.
 */
export interface WorkKey {
  readonly key: SealingKey;
  /**
   * The work key sealed with the run key, for the row's `payloadKey`. Absent when the row has it
   * already.
   */
  readonly fresh?: Uint8Array;
}

const KEY_BYTES = 32;
const BINDING = ['work key'] as const;

/**
 * The key that seals a run's work. It is sealed with the run key and lies in the row: deleting that
 * one field destroys the work when the run ends, and a new run key only has to reseal it. Throws
 * Unreadable, Unavailable.
 */
export async function workKeyOf(app: App, run: Run): Promise<WorkKey> {
  return workKeyUnder(app, run, await runKeyOf(app, run));
}

/** The same, where the run's key is open already. Throws Unreadable. */
export function workKeyUnder(app: App, run: Run, at: SealingKey): WorkKey {
  const under = (plain: Uint8Array): SealingKey => ({
    ...whoseOf(run),
    keys: new Subkeys(plain),
    scrubbedRevision: 0,
    work: true,
  });
  if (run.payloadKey !== undefined) return { key: under(openWorkKey(at, run.payloadKey)) };
  const plain = app.ids.bytes(KEY_BYTES);
  const fresh = sealWorkKey(app, at, plain);
  return { key: under(plain), fresh };
}

/** The plain key, to be wiped by its caller. Throws Unreadable. */
export const openWorkKey = (runKey: SealingKey, payloadKey: Uint8Array): Uint8Array =>
  unseal(runKey, BINDING, payloadKey);

const sealWorkKey = (app: App, runKey: SealingKey, plain: Uint8Array): Uint8Array =>
  seal(runKey, BINDING, app.ids.bytes(12), plain);

/** The work key under the run's new key; undefined if there is none. Throws Unreadable. */
export function resealWorkKey(
  app: App,
  run: Run,
  before: SealingKey,
  after: SealingKey,
): Uint8Array | undefined {
  if (run.payloadKey === undefined) return undefined;
  return sealWorkKey(app, after, openWorkKey(before, run.payloadKey));
}
