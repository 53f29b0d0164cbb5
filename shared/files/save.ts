import type {
  CommitWords,
  FilesCommit,
  Repository,
  Saved,
  WorkspaceLimits,
} from '../ports/workspaces.ts';
import { addObjects, type PackPorts } from './add-objects.ts';
import { buildTrees, filesOf } from './build-trees.ts';
import { type CommitText, decodeCommit, encodeCommit, saysTheSame } from './commit-text.ts';
import { contentId, fileObject } from './file-content.ts';
import { diskTime, KnownFiles } from './known-files.ts';
import { type ObjectKind, objectId } from './object-id.ts';
import { encodeEntryHeader } from './pack-entry.ts';
import type { PackObject } from './pack-writer.ts';
import { Slices, turn } from './turns.ts';
import { type FolderNode, walk } from './walk.ts';
import { zip } from './zipped.ts';

/** A commit whose objects the listed packs have. */
export interface Base {
  readonly commit: FilesCommit;
  readonly text: CommitText;
  /** Of its trees and blobs. */
  readonly ids: ReadonlySet<string>;
}

export interface SavePorts extends PackPorts {
  readonly drafts: string;
}

export interface Content {
  readonly root: FolderNode;
  readonly count: number;
  readonly bytes: number;
  readonly known: KnownFiles;
}

/** Looks at the whole folder, and reads what may have changed. Throws WorkspaceRefused. */
export async function readContent(
  { drafts }: Pick<SavePorts, 'drafts'>,
  folder: string,
  before: KnownFiles,
  limits: WorkspaceLimits,
): Promise<Content> {
  const seenAt = diskTime(drafts);
  const { root, count, bytes } = await walk(folder, limits);
  const known = new KnownFiles();
  const slices = new Slices();
  for (const file of filesOf(root)) {
    const vouched = before.vouchedId(file);
    file.id = vouched ?? (await contentId(folder, file));
    known.set(file, seenAt);
    if (slices.due(vouched === undefined ? file.size : 0)) await turn();
  }
  return { root, count, bytes, known };
}

/**
 * Uploads what the base does not have, and a commit of it. The same commit again where it would say
 * the same of the same content: nothing is uploaded then.
 */
export async function saveContent(
  ports: SavePorts,
  repository: Repository,
  folder: string,
  content: Content,
  base: Base | undefined,
  words: CommitWords,
): Promise<{ readonly saved: Saved; readonly base: Base }> {
  const { root, count, bytes } = content;
  const trees = buildTrees(root);
  const tree = trees.at(-1)?.id ?? '';
  if (base !== undefined && saysTheSame(base.text, tree, words)) {
    return { saved: { commit: base.commit, added: [], replaced: [] }, base };
  }
  const text = encodeCommit(tree, words, Buffer.from(ports.ids.bytes(16)).toString('hex'));
  const commit = { id: objectId('commit', text), tree, count, bytes };
  const ids = new Set<string>();
  const objects: PackObject[] = [await smallObject('commit', commit.id, text)];
  const isNew = (id: string): boolean => {
    if (ids.has(id)) return false;
    ids.add(id);
    return base === undefined || !base.ids.has(id);
  };
  for (const each of trees.toReversed()) {
    if (isNew(each.id)) objects.push(await smallObject('tree', each.id, each.body));
  }
  for (const file of filesOf(root)) if (isNew(file.id)) objects.push(fileObject(folder, file));
  const packs = await addObjects(ports, repository, objects);
  return {
    saved: { commit, ...packs },
    base: { commit, text: decodeCommit(text), ids },
  };
}

/** A commit or a tree on its way into a pack. */
export async function smallObject(
  kind: ObjectKind,
  id: string,
  body: Uint8Array,
): Promise<PackObject> {
  const entry = Buffer.concat([encodeEntryHeader(kind, body.byteLength), await zip(body)]);
  return { id, kind, bytes: entry.length, entry: () => [entry] };
}
