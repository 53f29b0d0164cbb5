import { createHash, type Hash } from 'node:crypto';

/** What a repository of ours holds: no tags, and no deltas. */
export type ObjectKind = 'commit' | 'tree' | 'blob';

/** The id of the tree without entries. */
export const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** A hash that has taken the object's header, and waits for `bytes` bytes of body. */
export function objectHash(kind: ObjectKind, bytes: number): Hash {
  return createHash('sha1').update(`${kind} ${bytes}\0`);
}

/** Git's object id: 40 hexadecimal digits. */
export function objectId(kind: ObjectKind, body: Uint8Array): string {
  return objectHash(kind, body.byteLength).update(body).digest('hex');
}
