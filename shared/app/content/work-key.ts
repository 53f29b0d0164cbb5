import { createSecretKey, type KeyObject } from 'node:crypto';
import type { Run } from '../../domain/run.ts';
import type { App } from '../app.ts';
import { type SealingKey, runKeyOf } from './sealing-key.ts';
import { unseal, seal } from './sealing.ts';

/** Where a run's payload is sealed, and what its row needs for that. */
export interface WorkKey {
  readonly key: SealingKey;
  /** The payload's key, sealed with the run's: to be put into the row with the first payload. Absent where the row has it. */
  readonly fresh?: Uint8Array;
}

const KEY_BYTES = 32;
const aad = (taskId: string): string => `runs/${taskId}|payload-key`;

/**
 * The place of what a run works with: its transcript, checkpoints, sends and decisions. Its key is sealed with the run's own key
 * and lies in the row, so that one field destroys it all when the run ends, and a new run key carries it over. Throws Unreadable,
 * Unavailable.
 */
export async function workKeyOf(app: App, run: Run, runKey?: SealingKey): Promise<WorkKey> {
  const at = runKey ?? (await runKeyOf(app, run));
  const { taskId, contextId } = run;
  const under = (key: KeyObject): SealingKey => ({
    taskId,
    contextId,
    key,
    scrubbedRevision: 0,
    work: true,
  });
  if (run.payloadKey !== undefined) {
    return { key: under(createSecretKey(unseal(at.key, aad(taskId), run.payloadKey))) };
  }
  const plain = app.ids.bytes(KEY_BYTES);
  return {
    key: under(createSecretKey(plain)),
    fresh: sealWorkKey(app, taskId, at.key, plain),
  };
}

function sealWorkKey(app: App, taskId: string, key: KeyObject, plain: Uint8Array): Uint8Array {
  return seal(key, aad(taskId), app.ids.bytes(12), plain);
}

/** The payload's key under the run's new key; undefined where there is none. Throws Unreadable. */
export function resealWorkKey(
  app: App,
  run: Run,
  before: SealingKey,
  after: SealingKey,
): Uint8Array | undefined {
  if (run.payloadKey === undefined) return undefined;
  return sealWorkKey(
    app,
    run.taskId,
    after.key,
    unseal(before.key, aad(run.taskId), run.payloadKey),
  );
}
