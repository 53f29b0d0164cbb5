import { createSecretKey, type KeyObject } from 'node:crypto';
import type { Run } from '../../domain/run.ts';
import type { App } from '../app.ts';
import { type Place, placeOfRun } from './place.ts';
import { open, seal } from './sealing.ts';

/** Where a run's payload is sealed, and what its row needs for that. */
export interface Payload {
  readonly place: Place;
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
export async function payloadOf(app: App, run: Run, place?: Place): Promise<Payload> {
  const at = place ?? (await placeOfRun(app, run));
  const { taskId, contextId } = run;
  const under = (key: KeyObject): Place => ({
    taskId,
    contextId,
    key,
    scrubbedRevision: 0,
    payload: true,
  });
  if (run.payloadKey !== undefined) {
    return { place: under(createSecretKey(open(at.key, aad(taskId), run.payloadKey))) };
  }
  const plain = app.ids.bytes(KEY_BYTES);
  return {
    place: under(createSecretKey(plain)),
    fresh: sealPayloadKey(app, taskId, at.key, plain),
  };
}

function sealPayloadKey(app: App, taskId: string, key: KeyObject, plain: Uint8Array): Uint8Array {
  return seal(key, aad(taskId), app.ids.bytes(12), plain);
}

/** The payload's key under the run's new key; undefined where there is none. Throws Unreadable. */
export function carriedPayloadKey(
  app: App,
  run: Run,
  before: Place,
  after: Place,
): Uint8Array | undefined {
  if (run.payloadKey === undefined) return undefined;
  return sealPayloadKey(
    app,
    run.taskId,
    after.key,
    open(before.key, aad(run.taskId), run.payloadKey),
  );
}
