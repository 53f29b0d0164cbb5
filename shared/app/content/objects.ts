import { sha256 } from '../../domain/digest.ts';
import type { ObjectRef } from '../../domain/message.ts';
import { Unreadable } from '../../ports/faults.ts';
import type { App } from '../app.ts';
import type { SealingKey } from './sealing-key.ts';
import { sealObject, unsealObject } from './sealing.ts';

/**
 * Everything of a task lies under this prefix; both ids are checked against their grammar long
 * before (G21).
 */
export function objectPrefix(task: Pick<SealingKey, 'taskId' | 'contextId'>): string {
  return `contexts/${task.contextId}/${task.taskId}`;
}

/**
 * Content that was stored since the last scrub lies apart, so that the older can be deleted without
 * a look at every pointer.
 */
export function blobFolder(runKey: SealingKey): string {
  if (runKey.work === true) return `${objectPrefix(runKey)}/payload`;
  const folder = `${objectPrefix(runKey)}/blobs`;
  return runKey.scrubbedRevision === 0 ? folder : `${folder}/after-${runKey.scrubbedRevision}`;
}

/** What an object holds; bound to it, so that no object passes for another kind. */
export type ObjectRole = 'content' | 'page' | 'part as raw' | 'part as text' | 'part as data';

/**
 * Stores content as an immutable object named by the hash of its sealed bytes; storing it again
 * finds it.
 */
export async function putObject(
  app: App,
  runKey: SealingKey,
  role: ObjectRole,
  plain: Uint8Array,
): Promise<ObjectRef> {
  const sealed = sealObject(runKey, ['object', role], plain);
  const object = `${blobFolder(runKey)}/${sha256(sealed)}`;
  // `stale` means that it is there already, and under this name it can only be the same.
  await app.blobs.put(object, sealed, {
    contentType: 'application/octet-stream',
    expect: 'absent',
  });
  return { object, bytes: plain.byteLength };
}

/**
 * Throws Unreadable when the object is gone, corrupt, or not the one that the reference was made
 * for: its name is the hash of its bytes, and references are sealed, or bound to what is.
 */
export async function getObject(
  app: App,
  runKey: SealingKey,
  role: ObjectRole,
  ref: ObjectRef,
): Promise<Uint8Array> {
  const folder = runKey.work === true ? 'payload' : 'blobs';
  if (!ref.object.startsWith(`${objectPrefix(runKey)}/${folder}/`))
    throw new Unreadable(ref.object);
  const blob = await app.blobs.get(ref.object);
  if (blob === undefined || !ref.object.endsWith(`/${sha256(blob.body)}`))
    throw new Unreadable(ref.object);
  const plain = unsealObject(runKey, ['object', role], blob.body);
  if (plain.byteLength !== ref.bytes) throw new Unreadable(ref.object);
  return plain;
}
