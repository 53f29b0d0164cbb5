/** Takes a stream of pieces apart at other places than those where it was cut. */
export class ByteReader {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#pieces = source[Symbol.asyncIterator]();
  }

  /** So many bytes, or fewer at the end of the stream. */
  async read(bytes: number): Promise<Buffer> {
    const found: Uint8Array[] = [];
    for await (const piece of this.upTo(bytes)) found.push(piece);
    return Buffer.concat(found);
  }

  /** The same in pieces as they come. */
  async *upTo(bytes: number): AsyncGenerator<Uint8Array> {
    for (let left = bytes; left > 0; ) {
      if (this.#rest.byteLength === 0) {
        const next = await this.#pieces.next();
        if (next.done === true) return;
        this.#rest = next.value;
      }
      const piece = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(piece.byteLength);
      left -= piece.byteLength;
      yield piece;
    }
  }

  /** Ends the stream, read or not. */
  async close(): Promise<void> {
    await this.#pieces.return?.();
  }
}
