import { sha256 } from '../../domain/digest.ts';
import type { ObjectRef } from '../../domain/message.ts';
import { Unreadable } from '../../ports/faults.ts';
import type { App } from '../app.ts';
import type { Place } from './place.ts';
import { contentNonce, open, seal } from './sealing.ts';

/** Everything of a task lies under this prefix; both ids are checked against their grammar long before (G21). */
export function objectPrefix(place: Pick<Place, 'taskId' | 'contextId'>): string {
  return `contexts/${place.contextId}/${place.taskId}`;
}

/** Content that was stored since the last scrub lies apart, so that the older can be deleted without a look at every pointer. */
export function blobFolder(place: Place): string {
  if (place.payload === true) return `${objectPrefix(place)}/payload`;
  const folder = `${objectPrefix(place)}/blobs`;
  return place.scrubbedRevision === 0 ? folder : `${folder}/after-${place.scrubbedRevision}`;
}

const aad = (place: Place): string => `object|${place.taskId}`;

/** Stores content as an immutable object named by the hash of its sealed bytes; storing it again finds it. */
export async function putObject(app: App, place: Place, plain: Uint8Array): Promise<ObjectRef> {
  const sealed = seal(place.key, aad(place), contentNonce(place.key, plain), plain);
  const object = `${blobFolder(place)}/${sha256(sealed)}`;
  // `stale` means that it is there already, and under this name it can only be the same.
  await app.blobs.put(object, sealed, {
    contentType: 'application/octet-stream',
    expect: 'absent',
  });
  return { object, bytes: plain.byteLength };
}

/** Throws Unreadable when the object is gone, corrupt, or another run's. */
export async function getObject(app: App, place: Place, ref: ObjectRef): Promise<Uint8Array> {
  const folder = place.payload === true ? 'payload' : 'blobs';
  if (!ref.object.startsWith(`${objectPrefix(place)}/${folder}/`)) throw new Unreadable(ref.object);
  const blob = await app.blobs.get(ref.object);
  if (blob === undefined) throw new Unreadable(ref.object);
  const plain = open(place.key, aad(place), blob.body);
  if (plain.byteLength !== ref.bytes) throw new Unreadable(ref.object);
  return plain;
}
