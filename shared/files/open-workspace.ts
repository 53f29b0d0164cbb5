import {
  type CommitWords,
  type FilesCommit,
  type Repository,
  type Saved,
  type Workspace,
  type WorkspaceLimits,
  WorkspaceRefused,
} from '../ports/workspaces.ts';
import { diskFault, refusedOrFault } from './disk-faults.ts';
import { KnownFiles } from './known-files.ts';
import { type Listing, listingOf } from './listing.ts';
import { PackSet } from './pack-set.ts';
import { restore } from './restore.ts';
import { type Base, readContent, saveContent, type SavePorts } from './save.ts';
import type { WarmFolder, WarmFolders } from './warm-folders.ts';
import { walk } from './walk.ts';

const NOTHING: Listing = { folders: new Set(), files: new Map(), ids: new Set() };

export interface OpenPorts extends SavePorts {
  readonly folders: WarmFolders;
}

/** Makes a folder hold what the commit says, or nothing. */
export async function openWorkspace(
  ports: OpenPorts,
  repository: Repository,
  at: FilesCommit | undefined,
  limits: WorkspaceLimits,
): Promise<Workspace> {
  requireWithin(at, limits);
  const { prefix } = repository;
  const packs = await PackSet.open(
    ports.blobs,
    ports.cache,
    at === undefined ? { prefix, packs: [] } : repository,
  );
  const listing = at === undefined ? NOTHING : listingOf(packs, at.tree);
  const base = at && { commit: at, text: packs.commit(at.id), ids: listing.ids };
  const warm = ports.folders.take(prefix, at?.tree);
  const source = { prefix, packs };
  try {
    const { path, known } = warm;
    const found = await restore(ports, { folder: path, known, limits }, listing, source);
    return new OpenWorkspace(ports, { ...warm, known: found, tree: at?.tree }, base, limits);
  } catch (error) {
    ports.folders.end(warm.path);
    throw diskFault(error);
  }
}

class OpenWorkspace implements Workspace {
  readonly folder: string;
  readonly #ports: OpenPorts;
  readonly #limits: WorkspaceLimits;
  #warm: WarmFolder;
  #closed = false;
  /** What the listed packs have for certain. */
  #base: Base | undefined;
  /** What the last save has uploaded, and the packs that have it: the base once all are listed. */
  #later: { readonly base: Base; readonly packs: readonly string[] } | undefined;

  constructor(ports: OpenPorts, warm: WarmFolder, base: Base | undefined, limits: WorkspaceLimits) {
    this.folder = warm.path;
    this.#ports = ports;
    this.#warm = warm;
    this.#base = base;
    this.#limits = limits;
  }

  async save(repository: Repository, words: CommitWords): Promise<Saved> {
    const listed = new Set(repository.packs.map(({ name }) => name));
    if (this.#later?.packs.every((name) => listed.has(name))) this.#base = this.#later.base;
    const before = this.#warm.known ?? new KnownFiles();
    try {
      const content = await readContent(this.#ports, this.folder, before, this.#limits);
      this.#warm = { ...this.#warm, known: content.known };
      const { saved, base } = await saveContent(
        this.#ports,
        repository,
        this.folder,
        content,
        this.#base,
        words,
      );
      this.#warm = { ...this.#warm, tree: saved.commit.tree };
      this.#later = { base, packs: saved.added.map(({ name }) => name) };
      return saved;
    } catch (error) {
      throw refusedOrFault(this.folder, error);
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    try {
      // Counted now: what a lost segment left takes its place on the disk, too.
      const { bytes } = await walk(this.folder, this.#limits);
      this.#ports.folders.give({ ...this.#warm, bytes });
    } catch {
      // It holds what can't be kept, so the next segment would begin anew in any case.
      this.#ports.folders.end(this.folder);
    }
  }
}

function requireWithin(at: FilesCommit | undefined, limits: WorkspaceLimits): void {
  if (at === undefined) return;
  if (at.count > limits.count) {
    throw new WorkspaceRefused('', `has ${at.count} files; the limit is ${limits.count}`);
  }
  if (at.bytes > limits.bytes) {
    throw new WorkspaceRefused('', `has ${at.bytes} bytes; the limit is ${limits.bytes}`);
  }
}
