import type { Millis } from '../domain/brand.ts';
import type { BlobEntry, Blobs } from '../ports/blobs.ts';
import type { Repository } from '../ports/workspaces.ts';
import { packFolder, packObjects } from './bucket.ts';
import { sideBySide } from './side-by-side.ts';

const PAGE = 1_000;
const WIDTH = 8;

/** Deletes packs by name. */
export async function discardPacks(
  blobs: Blobs,
  prefix: string,
  names: readonly string[],
): Promise<void> {
  const objects = names.flatMap((name) => Object.values(packObjects(prefix, name)));
  await sideBySide(objects, WIDTH, (object) => blobs.delete(object));
}

/** Deletes what lies among the packs, is older than `before` and is not kept. Answers how many. */
export async function sweepPacks(
  blobs: Blobs,
  { prefix, packs }: Repository,
  keep: readonly string[],
  before: Millis,
): Promise<number> {
  const names = [...packs.map(({ name }) => name), ...keep];
  const kept = new Set(names.flatMap((name) => Object.values(packObjects(prefix, name))));
  let swept = 0;
  for await (const page of pages(blobs, packFolder(prefix))) {
    const old = page.filter(({ name, createdAt }) => createdAt < before && !kept.has(name));
    await sideBySide(old, WIDTH, ({ name }) => blobs.delete(name));
    swept += old.length;
  }
  return swept;
}

/** Deletes every object of a repository. */
export async function removeRepository(blobs: Blobs, prefix: string): Promise<void> {
  for await (const page of pages(blobs, `${prefix}/`)) {
    await sideBySide(page, WIDTH, ({ name }) => blobs.delete(name));
  }
}

async function* pages(blobs: Blobs, prefix: string): AsyncGenerator<readonly BlobEntry[]> {
  for (let after = ''; ; ) {
    const page = await blobs.list(prefix, PAGE, after);
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = last.name;
  }
}
