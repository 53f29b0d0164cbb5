import type { FilesCommit, PackRef, Repository, Saved } from '../ports/workspaces.ts';
import type { PackPorts } from './add-objects.ts';
import { EntryReader } from './entry-reader.ts';
import { missing, PackSet, remember } from './pack-set.ts';
import { writePack } from './pack-writer.ts';
import { FOLDER } from './tree.ts';

/**
 * Copies each pack that has an object which no live commit reaches, without those; the entries go
 * over as they are. What is reached is told by the commits named, and never by their parents.
 */
export async function pruneRepository(
  ports: PackPorts,
  repository: Repository,
  live: readonly FilesCommit[],
): Promise<Pick<Saved, 'added' | 'replaced'>> {
  const { blobs, cache } = ports;
  const { prefix } = repository;
  const packs = await PackSet.open(blobs, cache, repository);
  const reached = reachedBy(packs, live);
  const added: PackRef[] = [];
  const replaced: string[] = [];
  for (const pack of packs.packs) {
    const kept = new EntryReader(blobs, prefix, pack).entries((id) => reached.has(id));
    if (kept.length === pack.index.count) continue;
    replaced.push(pack.ref.name);
    if (kept.length === 0) continue;
    const written = await writePack(ports, prefix, kept);
    remember(cache, prefix, written);
    added.push(written.ref);
  }
  return { added, replaced };
}

function reachedBy(packs: PackSet, live: readonly FilesCommit[]): ReadonlySet<string> {
  const reached = new Set<string>();
  const reach = (tree: string): void => {
    if (reached.has(tree)) return;
    reached.add(tree);
    for (const { mode, id } of packs.tree(tree)) {
      if (mode === FOLDER) reach(id);
      else reached.add(id);
    }
  };
  for (const { id, tree } of live) {
    if (packs.locate(id) === undefined) throw missing('commit', id);
    reached.add(id);
    reach(tree);
  }
  return reached;
}
