import type { Blobs } from '../ports/blobs.ts';
import { Fault, isPassing } from '../ports/faults.ts';
import { PackGone } from '../ports/workspaces.ts';

/** An upload that broke off is begun again this often in all. */
const ATTEMPTS = 3;
const TYPE = 'application/octet-stream';

/** The two objects of a pack. */
export function packObjects(prefix: string, name: string): { pack: string; index: string } {
  const stem = `${packFolder(prefix)}pack-${name}`;
  return { pack: `${stem}.pack`, index: `${stem}.idx` };
}

export function packFolder(prefix: string): string {
  return `${prefix}/objects/pack/`;
}

/** Writes an object under a name that no other writer has. */
export async function putOnce(blobs: Blobs, name: string, body: Uint8Array): Promise<void> {
  // `stale`: an attempt of ours whose answer was lost has written it.
  await blobs.put(name, body, { contentType: TYPE, expect: 'absent' });
}

/** The same for a body that can be made anew: `open` is called for each attempt. */
export async function streamOnce<T>(
  blobs: Blobs,
  name: string,
  open: () => { readonly body: AsyncIterable<Uint8Array>; readonly result: () => T },
  contentType: string = TYPE,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const { body, result } = open();
    try {
      await blobs.putStream(name, body, { contentType, expect: 'absent' });
      return result();
    } catch (error) {
      if (attempt === ATTEMPTS || !isPassing(error)) throw error;
    }
  }
}

/** A whole object. Throws PackGone if it is not there. */
export async function whole(blobs: Blobs, name: string): Promise<Buffer> {
  const found = await blobs.get(name);
  if (found === undefined) throw new PackGone(name);
  return asBuffer(found.body);
}

/** The bytes from `from` up to, not including, `to`. Throws PackGone if the object is not there. */
export async function range(blobs: Blobs, name: string, from: number, to: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of rangeStream(blobs, name, from, to)) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  if (bytes.length !== to - from) throw new Fault('Unreadable', 'stop', 'a pack is cut off');
  return bytes;
}

export async function* rangeStream(
  blobs: Blobs,
  name: string,
  from: number,
  to: number,
): AsyncGenerator<Uint8Array> {
  if (to <= from) return;
  const found = await blobs.getStream(name, { offset: from, length: to - from });
  if (found === undefined) throw new PackGone(name);
  yield* found.body;
}

export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
