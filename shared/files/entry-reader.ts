import type { Blobs } from '../ports/blobs.ts';
import { packObjects, range, rangeStream } from './bucket.ts';
import { decodeEntryHeader } from './pack-entry.ts';
import type { OpenPack } from './pack-set.ts';
import type { PackObject } from './pack-writer.ts';

/** Of a pack, held at a time. */
const WINDOW = 4 * 1024 * 1024;

/**
 * The entries of a pack as they stand there, for another pack to take: nothing is inflated. Asked
 * for in the order of their offsets they cost a request for every 4 MiB.
 */
export class EntryReader {
  readonly #blobs: Blobs;
  readonly #object: string;
  readonly #pack: OpenPack;
  #window: { readonly from: number; readonly bytes: Buffer };

  constructor(blobs: Blobs, prefix: string, pack: OpenPack) {
    this.#blobs = blobs;
    this.#object = packObjects(prefix, pack.ref.name).pack;
    this.#pack = pack;
    this.#window = { from: 0, bytes: pack.front };
  }

  /** Fetches what may be held of the pack, so that several can be fetched side by side. */
  async prepare(): Promise<void> {
    const { front, ref } = this.#pack;
    const to = Math.min(front.length + WINDOW, ref.bytes);
    if (front.length < to) await this.#hold(front.length, to);
  }

  /** Those that are wanted, by their offset. */
  entries(wanted: (id: string) => boolean): readonly PackObject[] {
    const { index, ref, front } = this.#pack;
    return [...index.entries()]
      .filter(({ id }) => wanted(id))
      .sort((a, b) => a.offset - b.offset)
      .map(({ id, offset }) => {
        const end = index.endOf(offset, ref.bytes);
        const kind =
          offset < ref.frontBytes ? decodeEntryHeader(front.subarray(offset, end)).kind : 'blob';
        return { id, kind, bytes: end - offset, entry: () => this.#read(offset, end) };
      });
  }

  async *#read(from: number, to: number): AsyncGenerator<Uint8Array> {
    const { front, ref } = this.#pack;
    if (to <= front.length) {
      yield front.subarray(from, to);
      return;
    }
    if (to - from > WINDOW) {
      yield* rangeStream(this.#blobs, this.#object, from, to);
      return;
    }
    const { from: start, bytes } = this.#window;
    if (from < start || to > start + bytes.length) {
      await this.#hold(from, Math.min(from + WINDOW, ref.bytes));
    }
    yield this.#window.bytes.subarray(from - this.#window.from, to - this.#window.from);
  }
  async #hold(from: number, to: number): Promise<void> {
    this.#window = { from, bytes: await range(this.#blobs, this.#object, from, to) };
  }
}
