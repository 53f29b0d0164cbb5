import { inflateSync } from 'node:zlib';

interface Inflated {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}

/** Every entry of every pack, also those that no index names: from byte 12 to the trailer. */
export function* inflated(
  objects: Iterable<{ readonly name: string; readonly body: Uint8Array }>,
): Generator<Buffer> {
  for (const { name, body } of objects) {
    if (!name.endsWith('.pack')) continue;
    const end = body.byteLength - 20;
    for (let at = 12; at < end; ) {
      while (((body[at] ?? 0) & 0x80) !== 0) at += 1;
      const rest = body.subarray(at + 1, end);
      const { buffer, engine } = inflateSync(rest, { info: true }) as never as Inflated;
      yield buffer;
      at += 1 + engine.bytesWritten;
    }
  }
}
