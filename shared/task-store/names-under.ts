import type { Blobs } from '../ports/blobs.ts';

/** The service's largest page. */
const PAGE = 1_000;

/** The names under a prefix, a page at a time, in binary order. */
export async function* namesUnder(blobs: Blobs, prefix: string): AsyncIterable<readonly string[]> {
  for (let after = ''; ; ) {
    const entries = await blobs.list(prefix, PAGE, after);
    yield entries.map(({ name }) => name);
    const last = entries.at(-1);
    if (last === undefined || entries.length < PAGE) return;
    after = last.name;
  }
}
