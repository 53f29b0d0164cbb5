import type { Blob, Blobs, BlobWrite } from '../../shared/ports/blobs.ts';

/** Objects in memory; each call happens at once and whole. */
export class MemoryBlobs implements Blobs {
  readonly objects = new Map<string, Blob>();
  #generation = 0;

  async get(name: string): Promise<Blob | undefined> {
    return this.objects.get(name);
  }

  async put(
    name: string,
    body: Uint8Array,
    write: BlobWrite,
  ): Promise<{ readonly generation: string } | 'stale'> {
    const present = this.objects.get(name)?.generation ?? 'absent';
    if (present !== write.expect) return 'stale';
    this.#generation += 1;
    const generation = String(this.#generation);
    const { contentType, metadata = {} } = write;
    this.objects.set(name, { body: body.slice(), contentType, generation, metadata });
    return { generation };
  }

  async delete(name: string): Promise<void> {
    this.objects.delete(name);
  }

  async list(prefix: string, limit: number, after = ''): Promise<readonly string[]> {
    return [...this.objects.keys()]
      .filter((name) => name.startsWith(prefix) && Buffer.compare(bytes(name), bytes(after)) > 0)
      .sort((a, b) => Buffer.compare(bytes(a), bytes(b)))
      .slice(0, limit);
  }
}

const bytes = (text: string): Buffer => Buffer.from(text);
