import type { Blob, Blobs } from '../ports/blobs.ts';
import type { Refs } from '../ports/workspaces.ts';

/**
 * What git needs beside the packs. `info/attributes` keeps a checkout from changing line ends.
 */
const FIXED: Readonly<Record<string, string>> = {
  HEAD: 'ref: refs/heads/main\n',
  config: '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n',
  'info/attributes': '* -text -eol -ident -filter -working-tree-encoding\n',
};
const TYPE = 'text/plain; charset=utf-8';
const VERSION = 'version';

/**
 * Writes what people's git reads of a copied prefix; we never read it. Derived from rows and
 * repeatable: an object of a newer version stays as it is.
 */
export async function publishRefs(blobs: Blobs, prefix: string, refs: Refs): Promise<void> {
  const { main, shallow, version } = refs;
  const mark = `${prefix}/packed-refs`;
  if ((await blobs.get(mark)) === undefined) await writeFixed(blobs, prefix);
  // Before the others, and for all of them: a writer that finds a newer one here is late.
  if (!(await writeNewer(blobs, mark, packedRefs(refs), version))) return;
  await Promise.all([
    writeNewer(
      blobs,
      `${prefix}/refs/heads/main`,
      main === undefined ? main : `${main}\n`,
      version,
    ),
    writeNewer(blobs, `${prefix}/shallow`, lines(shallow), version),
  ]);
}

/** All of that at once, by its name below the repository: for a copy that is made in one go. */
export function gitFiles(refs: Refs): ReadonlyMap<string, string> {
  const { main, shallow } = refs;
  const cut = lines(shallow);
  return new Map([
    ...Object.entries(FIXED),
    ['packed-refs', packedRefs(refs)],
    ...(main === undefined ? [] : [['refs/heads/main', `${main}\n`] as const]),
    ...(cut === undefined ? [] : [['shallow', cut] as const]),
  ]);
}

async function writeFixed(blobs: Blobs, prefix: string): Promise<void> {
  const write = { contentType: TYPE, expect: 'absent' } as const;
  await Promise.all(
    Object.entries(FIXED).map(([name, text]) =>
      blobs.put(`${prefix}/${name}`, Buffer.from(text), write),
    ),
  );
}

function packedRefs({ tasks, branches }: Refs): string {
  const refs = [
    ...[...branches].map(([task, id]) => [`refs/heads/${task}`, id] as const),
    ...[...tasks].map(([task, id]) => [`refs/tasks/${task}`, id] as const),
  ].sort(([a], [b]) => (a < b ? -1 : 1));
  return `# pack-refs with: sorted \n${refs.map(([name, id]) => `${id} ${name}\n`).join('')}`;
}

function lines(ids: readonly string[]): string | undefined {
  return ids.length === 0 ? undefined : `${[...ids].sort().join('\n')}\n`;
}

/** Answers false if a newer one is there. Without a text the object goes. */
async function writeNewer(
  blobs: Blobs,
  name: string,
  text: string | undefined,
  version: number,
): Promise<boolean> {
  for (;;) {
    const found = await blobs.get(name);
    if (found !== undefined && versionOf(found) > version) return false;
    if (text === undefined) {
      if (found !== undefined) await blobs.delete(name);
      return true;
    }
    const written = await blobs.put(name, Buffer.from(text), {
      contentType: TYPE,
      metadata: { [VERSION]: String(version) },
      expect: found?.generation ?? 'absent',
    });
    if (written !== 'stale') return true;
  }
}

function versionOf({ metadata }: Blob): number {
  return Number(metadata[VERSION] ?? 0);
}
