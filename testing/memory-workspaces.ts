import { createHash } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Millis } from '../shared/domain/brand.ts';
import type { Blobs } from '../shared/ports/blobs.ts';
import {
  type CommitWords,
  type FileChange,
  type FilesCommit,
  type Look,
  type Merged,
  type MergeSides,
  PackGone,
  type PackRef,
  type Refs,
  type Repository,
  type Saved,
  type SeenCommit,
  type SeenContent,
  type Workspace,
  type WorkspaceLimits,
  WorkspaceRefused,
  type Workspaces,
} from '../shared/ports/workspaces.ts';
import { processFolder } from './process-folder.ts';

type Tree = ReadonlyMap<string, string>;

/** One object of a repository: a commit, a tree (all paths of it), or the content of a file. */
export type StoredObject =
  | { readonly kind: 'commit'; readonly tree: string; readonly words: CommitWords }
  | { readonly kind: 'tree'; readonly files: Tree }
  | { readonly kind: 'blob'; readonly body: Uint8Array };

interface Pack {
  readonly objects: ReadonlyMap<string, StoredObject>;
  readonly at: Millis;
}

const NOTHING: Tree = new Map();

let root: string | undefined;

/** Of this process; what a world that crashed has left goes with it. */
function rootFolder(): string {
  root ??= processFolder('holdfast-workspaces');
  return root;
}

const idOf = (...parts: readonly (string | Uint8Array)[]): string => {
  const hash = createHash('sha1');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
};

/** What the processes of a world share: a bucket of packs. */
export class MemoryRepositories {
  readonly packs = new Map<string, Pack>();
  readonly published = new Map<string, Refs>();
  #names = 0;

  newName(): string {
    this.#names += 1;
    return idOf('pack', String(this.#names));
  }

  /** Every object of every pack, also of those that no row lists. */
  objects(): readonly StoredObject[] {
    return [...this.packs.values()].flatMap(({ objects }) => [...objects.values()]);
  }
}

/**
 * Files of contexts with packs in memory, and folders on disk that are real. Each call happens at
 * once and whole: time passes only where a test says so.
 */
export class MemoryWorkspaces implements Workspaces {
  readonly repositories: MemoryRepositories;
  readonly #now: () => Millis;
  readonly #blobs: Blobs;

  constructor(now: () => Millis, blobs: Blobs, repositories = new MemoryRepositories()) {
    this.repositories = repositories;
    this.#blobs = blobs;
    this.#now = now;
  }

  async open(
    repository: Repository,
    at: FilesCommit | undefined,
    limits: WorkspaceLimits,
  ): Promise<Workspace> {
    const files = at === undefined ? NOTHING : this.#tree(repository, at.tree);
    const contents = [...files].map(([path, id]) => [path, this.#blob(repository, id)] as const);
    const folder = mkdtempSync(join(rootFolder(), 'w-'));
    for (const [path, body] of contents) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), body);
    }
    let last = at;
    return {
      folder,
      save: async (into, words) => {
        const read = readFolder(folder, limits);
        const saved = this.#save(into, read, words, last);
        last = saved.commit;
        return saved;
      },
      close: async () => rmSync(folder, { recursive: true, force: true }),
    };
  }

  #save(
    repository: Repository,
    bodies: ReadonlyMap<string, Uint8Array>,
    words: CommitWords,
    last: FilesCommit | undefined,
  ): Saved {
    const objects = new Map<string, StoredObject>();
    const files = new Map<string, string>();
    let bytes = 0;
    for (const [path, body] of bodies) {
      const id = idOf('blob', body);
      files.set(path, id);
      objects.set(id, { kind: 'blob', body });
      bytes += body.byteLength;
    }
    const tree = idOf('tree', JSON.stringify([...files]));
    objects.set(tree, { kind: 'tree', files });
    const before = last && this.#find(repository, last.id);
    if (last !== undefined && before?.kind === 'commit' && says(before, tree, words))
      return { commit: last, added: [], replaced: [] };
    const id = idOf('commit', tree, JSON.stringify(words), this.repositories.newName());
    objects.set(id, { kind: 'commit', tree, words });
    return { commit: { id, tree, count: files.size, bytes }, ...this.#add(repository, objects) };
  }

  /** Gathers the packs there are into one when there are several. */
  #add(
    { packs, prefix }: Repository,
    objects: ReadonlyMap<string, StoredObject>,
  ): Pick<Saved, 'added' | 'replaced'> {
    const all = new Map(objects);
    const gathered = packs.length < 3 ? [] : packs.slice(1);
    for (const { name } of gathered)
      for (const [id, object] of this.#pack(prefix, name).objects) all.set(id, object);
    return { added: [this.#write(prefix, all)], replaced: gathered.map(({ name }) => name) };
  }

  #write(prefix: string, objects: ReadonlyMap<string, StoredObject>): PackRef {
    const name = this.repositories.newName();
    this.repositories.packs.set(`${prefix}/${name}`, { objects, at: this.#now() });
    return { name, bytes: objects.size, objects: objects.size, frontBytes: 0 };
  }

  async merge(
    repository: Repository,
    { base, ours, theirs }: MergeSides,
    limits: WorkspaceLimits,
    words: CommitWords,
  ): Promise<Merged> {
    const tree = (of: FilesCommit | undefined): Tree =>
      of === undefined ? NOTHING : this.#tree(repository, of.tree);
    const [before, left, right] = [tree(base), tree(ours), tree(theirs)];
    const paths = new Set([...before.keys(), ...left.keys(), ...right.keys()]);
    const merged = new Map<string, string>();
    const overlaps: string[] = [];
    for (const path of [...paths].sort()) {
      const [was, one, other] = [before.get(path), left.get(path), right.get(path)];
      const now = one === was ? other : one;
      if (one !== other && one !== was && other !== was) overlaps.push(path);
      else if (now !== undefined) merged.set(path, now);
    }
    if (overlaps.length > 0) {
      const paths = overlaps.slice(0, 100);
      return { kind: 'overlap', paths, more: overlaps.length - paths.length };
    }
    const bodies = [...merged].map(([path, id]) => [path, this.#blob(repository, id)] as const);
    const bytes = bodies.reduce((sum, [, body]) => sum + body.byteLength, 0);
    if (bodies.length > limits.count)
      return { kind: 'too-large', what: 'count', limit: limits.count };
    if (bytes > limits.bytes) return { kind: 'too-large', what: 'bytes', limit: limits.bytes };
    return { kind: 'merged', saved: this.#save(repository, new Map(bodies), words, undefined) };
  }

  async prune(
    repository: Repository,
    live: readonly FilesCommit[],
  ): Promise<Pick<Saved, 'added' | 'replaced'>> {
    const reached = new Set<string>();
    for (const { id, tree } of live) {
      reached.add(id).add(tree);
      for (const blob of this.#tree(repository, tree).values()) reached.add(blob);
    }
    const { prefix } = repository;
    const added: PackRef[] = [];
    const replaced: string[] = [];
    for (const { name } of repository.packs) {
      const { objects } = this.#pack(prefix, name);
      const kept = new Map([...objects].filter(([id]) => reached.has(id)));
      if (kept.size === objects.size) continue;
      replaced.push(name);
      if (kept.size > 0) added.push(this.#write(prefix, kept));
    }
    return { added, replaced };
  }

  /** As JSON: what a test looks for in it needs no unpacking. */
  async archive(repository: Repository, { tree }: FilesCommit, object: string): Promise<void> {
    const files = [...this.#tree(repository, tree)].map(([path, id]) => [
      path,
      Buffer.from(this.#blob(repository, id)).toString(),
    ]);
    const body = Buffer.from(JSON.stringify(Object.fromEntries(files)));
    await this.#blobs.put(object, body, { contentType: 'application/gzip', expect: 'absent' });
  }

  async publish({ prefix }: Repository, refs: Refs): Promise<void> {
    const present = this.repositories.published.get(prefix);
    if (present === undefined || present.version <= refs.version)
      this.repositories.published.set(prefix, refs);
  }

  async discard(prefix: string, packs: readonly string[]): Promise<void> {
    for (const name of packs) this.repositories.packs.delete(`${prefix}/${name}`);
  }

  async sweep(
    { packs, prefix }: Repository,
    keep: readonly string[],
    before: Millis,
  ): Promise<number> {
    const names = new Set([...packs.map(({ name }) => name), ...keep]);
    const old = [...this.repositories.packs].filter(([path, { at }]) => {
      const name = path.slice(prefix.length + 1);
      return path.startsWith(`${prefix}/`) && at < before && !names.has(name);
    });
    for (const [path] of old) this.repositories.packs.delete(path);
    return old.length;
  }

  async remove(prefix: string): Promise<void> {
    this.repositories.published.delete(prefix);
    for (const path of this.repositories.packs.keys())
      if (path.startsWith(`${prefix}/`)) this.repositories.packs.delete(path);
  }

  async look(repository: Repository, id: string): Promise<Look> {
    const [commit] = await this.history(repository, [id]);
    if (commit === undefined) throw new Error(`no commit ${id} in ${repository.prefix}`);
    const after = this.#treeOf(repository, id) ?? NOTHING;
    const [parent] = commit.parents;
    const before = parent === undefined ? NOTHING : this.#treeOf(repository, parent);
    const paths = [...new Set([...(before?.keys() ?? []), ...after.keys()])].sort();
    const changes = paths.flatMap((path): readonly FileChange[] => {
      const [was, is] = [before?.get(path), after.get(path)];
      if (was === is) return [];
      return [
        { path, change: was === undefined ? 'added' : is === undefined ? 'removed' : 'changed' },
      ];
    });
    return {
      commit,
      files: [...after.keys()].sort().map((path) => ({ path, kind: 'file' })),
      changes: before && changes,
    };
  }

  async history(
    repository: Repository,
    commits: readonly string[],
  ): Promise<readonly SeenCommit[]> {
    return commits.flatMap((id) => {
      const found = this.#find(repository, id);
      return found?.kind === 'commit' ? [{ ...found.words, id }] : [];
    });
  }

  async read(
    repository: Repository,
    commit: string,
    path: string,
  ): Promise<SeenContent | undefined> {
    const id = this.#treeOf(repository, commit)?.get(path);
    if (id === undefined) return undefined;
    const bytes = this.#blob(repository, id);
    const body = (async function* () {
      yield bytes;
    })();
    return { kind: 'file', bytes: bytes.byteLength, body };
  }

  #treeOf(repository: Repository, commit: string): Tree | undefined {
    const found = this.#find(repository, commit);
    return found?.kind === 'commit' ? this.#tree(repository, found.tree) : undefined;
  }

  /** Of a commit, from these packs alone; undefined: something of it is missing. */
  contentOf(repository: Repository, commit: FilesCommit): ReadonlyMap<string, string> | undefined {
    try {
      if (this.#find(repository, commit.id)?.kind !== 'commit') return undefined;
      const files = [...this.#tree(repository, commit.tree)];
      return new Map(
        files.map(([path, id]) => [path, Buffer.from(this.#blob(repository, id)).toString()]),
      );
    } catch {
      return undefined;
    }
  }

  #pack(prefix: string, name: string): Pack {
    const pack = this.repositories.packs.get(`${prefix}/${name}`);
    if (pack === undefined) throw new PackGone(`${prefix}/${name}`);
    return pack;
  }

  #find({ packs, prefix }: Repository, id: string): StoredObject | undefined {
    for (const { name } of packs) {
      const object = this.#pack(prefix, name).objects.get(id);
      if (object !== undefined) return object;
    }
    return undefined;
  }

  #tree(repository: Repository, id: string): Tree {
    const object = this.#find(repository, id);
    if (object?.kind !== 'tree') throw new Error(`no tree ${id} in ${repository.prefix}`);
    return object.files;
  }

  #blob(repository: Repository, id: string): Uint8Array {
    const object = this.#find(repository, id);
    if (object?.kind !== 'blob') throw new Error(`no blob ${id} in ${repository.prefix}`);
    return object.body;
  }
}

function says(
  { tree: before, words: said }: Extract<StoredObject, { kind: 'commit' }>,
  tree: string,
  words: CommitWords,
): boolean {
  return (
    before === tree && JSON.stringify({ ...said, at: 0 }) === JSON.stringify({ ...words, at: 0 })
  );
}

function readFolder(folder: string, limits: WorkspaceLimits): ReadonlyMap<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    const stat = lstatSync(join(folder, name));
    if (stat.isSymbolicLink()) throw new WorkspaceRefused(name, 'is a symbolic link');
    if (stat.isFile() && stat.size > limits.fileBytes)
      throw new WorkspaceRefused(name, 'is too large');
    if (stat.isFile()) files.set(name, readFileSync(join(folder, name)));
  }
  if (files.size > limits.count) throw new WorkspaceRefused('', 'has too many files');
  return files;
}
