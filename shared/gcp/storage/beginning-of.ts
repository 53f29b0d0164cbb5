/** All of a body that is shorter than `bytes`; otherwise the rest starts with what was read. */
export async function beginningOf(
  body: AsyncIterable<Uint8Array>,
  bytes: number,
): Promise<{ readonly head: Uint8Array; readonly rest?: AsyncIterable<Uint8Array> }> {
  const iterator = body[Symbol.asyncIterator]();
  const pieces: Uint8Array[] = [];
  for (let length = 0; length < bytes; length += pieces.at(-1)?.byteLength ?? 0) {
    const next = await iterator.next();
    if (next.done === true) return { head: Buffer.concat(pieces) };
    pieces.push(next.value);
  }
  async function* rest(): AsyncGenerator<Uint8Array> {
    try {
      for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) yield piece;
      for (;;) {
        const next = await iterator.next();
        if (next.done === true) return;
        yield next.value;
      }
    } finally {
      await iterator.return?.();
    }
  }
  return { head: new Uint8Array(0), rest: rest() };
}
