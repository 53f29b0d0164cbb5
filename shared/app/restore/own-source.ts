import type { ArchiveSource } from '../../ports/archive-source.ts';
import type { Blobs } from '../../ports/blobs.ts';

const PAGE = 500;

/** The objects of a bucket, page by page. */
export function sourceOf(blobs: Blobs): ArchiveSource {
  return {
    async *entries(prefix) {
      for (let after: string | undefined; ; ) {
        const page = await blobs.list(prefix, PAGE, after);
        yield page;
        after = page.at(-1)?.name;
        if (page.length < PAGE || after === undefined) return;
      }
    },
    get: (name) => blobs.get(name),
    getStream: (name) => blobs.getStream(name),
  };
}
