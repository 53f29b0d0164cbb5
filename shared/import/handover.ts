/** Hands pieces from one loop to another, one at a time, so that neither runs ahead. */
export class Handover {
  #given = Promise.withResolvers<Uint8Array | undefined>();
  #taken = Promise.withResolvers<void>();
  #over = false;

  /** The other side takes nothing more. */
  get over(): boolean {
    return this.#over;
  }

  /** Resolves when it was taken, or never will be. Undefined ends the pieces. */
  async give(piece: Uint8Array | undefined): Promise<void> {
    if (this.#over) return;
    const taken = this.#taken.promise;
    this.#given.resolve(piece);
    await taken;
  }

  /** To be iterated once. */
  async *pieces(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const piece = await this.#given.promise;
        this.#given = Promise.withResolvers();
        const { resolve } = this.#taken;
        this.#taken = Promise.withResolvers();
        resolve();
        if (piece === undefined) return;
        yield piece;
      }
    } finally {
      this.#over = true;
      this.#taken.resolve();
    }
  }
}
