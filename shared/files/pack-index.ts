import { createHash } from 'node:crypto';
import { Unreadable } from '../ports/faults.ts';

export interface IndexEntry {
  readonly id: string;
  readonly offset: number;
  /** CRC-32 of the entry as it stands in the pack. */
  readonly crc: number;
}

const MAGIC = 0xff744f63;
const VERSION = 2;
const HEAD = 8;
const FANS = 256;
const NAMES = HEAD + FANS * 4;
const ID = 20;
/** An offset from here on stands in the table of 64 bits. */
const FAR = 0x80000000;

/** Version 2. `pack` is the trailer of the pack: 20 bytes. */
export function encodeIndex(entries: readonly IndexEntry[], pack: Uint8Array): Buffer {
  const sorted = [...entries].sort((a, b) => (a.id < b.id ? -1 : 1));
  const far = sorted.filter(({ offset }) => offset >= FAR);
  const count = sorted.length;
  const index = Buffer.alloc(NAMES + count * (ID + 8) + far.length * 8 + 2 * ID);
  index.writeUInt32BE(MAGIC, 0);
  index.writeUInt32BE(VERSION, 4);
  const crcs = NAMES + count * ID;
  const offsets = crcs + count * 4;
  const table = offsets + count * 4;
  let end = table;
  const upTo = new Uint32Array(FANS);
  for (const [at, { id, offset, crc }] of sorted.entries()) {
    index.write(id, NAMES + at * ID, 'hex');
    index.writeUInt32BE(crc, crcs + at * 4);
    if (offset < FAR) index.writeUInt32BE(offset, offsets + at * 4);
    else {
      index.writeUInt32BE(FAR + (end - table) / 8, offsets + at * 4);
      index.writeBigUInt64BE(BigInt(offset), end);
      end += 8;
    }
    const fan = Number.parseInt(id.slice(0, 2), 16);
    upTo[fan] = at + 1;
  }
  let total = 0;
  for (const [fan, last] of upTo.entries()) {
    total = Math.max(total, last);
    index.writeUInt32BE(total, HEAD + fan * 4);
  }
  index.set(pack, end);
  index.set(
    createHash('sha1')
      .update(index.subarray(0, end + ID))
      .digest(),
    end + ID,
  );
  return index;
}

/** The index of one pack, searched where it lies. */
export class PackIndex {
  readonly count: number;
  readonly #bytes: Buffer;
  readonly #far: number;
  #sorted: Float64Array | undefined;

  /** Throws Unreadable unless the bytes are whole. */
  constructor(bytes: Buffer) {
    const body = bytes.subarray(0, -ID);
    const whole =
      bytes.length >= NAMES + 2 * ID &&
      bytes.readUInt32BE(0) === MAGIC &&
      bytes.readUInt32BE(4) === VERSION &&
      createHash('sha1').update(body).digest().equals(bytes.subarray(-ID));
    if (!whole) throw new Unreadable('the index of a pack');
    this.#bytes = bytes;
    this.count = bytes.readUInt32BE(NAMES - 4);
    this.#far = NAMES + this.count * (ID + 8);
    if (bytes.length < this.#far + 2 * ID) throw new Unreadable('the index of a pack');
  }

  get bytes(): number {
    return this.#bytes.length;
  }

  /** Where the object's entry begins. */
  find(id: string): number | undefined {
    const at = this.#place(id);
    return at === undefined ? undefined : this.#offset(at);
  }

  /** Where the entry that begins there ends; the last one ends before the trailer of 20 bytes. */
  endOf(offset: number, packBytes: number): number {
    this.#sorted ??= Float64Array.from({ length: this.count }, (_, at) => this.#offset(at)).sort();
    let low = 0;
    for (let high = this.count; low < high; ) {
      const middle = (low + high) >>> 1;
      if ((this.#sorted[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return this.#sorted[low] ?? packBytes - ID;
  }

  /** In the order of the ids. */
  *entries(): Generator<IndexEntry> {
    for (let at = 0; at < this.count; at += 1) {
      const start = NAMES + at * ID;
      yield {
        id: this.#bytes.toString('hex', start, start + ID),
        offset: this.#offset(at),
        crc: this.#bytes.readUInt32BE(NAMES + this.count * ID + at * 4),
      };
    }
  }

  #place(id: string): number | undefined {
    const wanted = Buffer.from(id, 'hex');
    const fan = wanted[0] ?? 0;
    let low = fan === 0 ? 0 : this.#bytes.readUInt32BE(HEAD + (fan - 1) * 4);
    for (let high = this.#bytes.readUInt32BE(HEAD + fan * 4); low < high; ) {
      const middle = (low + high) >>> 1;
      const start = NAMES + middle * ID;
      const order = wanted.compare(this.#bytes, start, start + ID);
      if (order === 0) return middle;
      if (order > 0) low = middle + 1;
      else high = middle;
    }
    return undefined;
  }

  #offset(at: number): number {
    const near = this.#bytes.readUInt32BE(NAMES + this.count * (ID + 4) + at * 4);
    if (near < FAR) return near;
    return Number(this.#bytes.readBigUInt64BE(this.#far + (near - FAR) * 8));
  }
}
