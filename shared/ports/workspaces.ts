import type { Millis } from '../domain/brand.ts';
import { Fault } from './faults.ts';

/** One pack of a context's repository, as its row names it. */
export interface PackRef {
  /** 40 random hex digits, never used again: `pack-<name>.pack` and `pack-<name>.idx`. */
  readonly name: string;
  readonly bytes: number;
  readonly objects: number;
  /** Length of the front section: commits and trees, one ranged read. */
  readonly frontBytes: number;
}

/**
 * Where the files of one context lie, as its row says. The row decides: the bucket is never listed
 * to find out.
 */
export interface Repository {
  /**
   * Object names begin with it: `contexts/<contextId>/<repoId>.git`. The repository's id is random
   * and stands in the row: a context id alone may be that of two owners.
   */
  readonly prefix: string;
  /** The oldest first; what is added goes to the end. */
  readonly packs: readonly PackRef[];
}

/** A state of the folder that rows may name. */
export interface FilesCommit {
  /** Git object ids, 40 hex. */
  readonly id: string;
  readonly tree: string;
  readonly count: number;
  readonly bytes: number;
}

export interface CommitWords {
  readonly author: string;
  readonly message: string;
  readonly at: Millis;
  readonly parents: readonly string[];
}

/** Uploaded, and named by no row yet: garbage until a transaction has listed it. */
export interface Saved {
  readonly commit: FilesCommit;
  readonly added: readonly PackRef[];
  /** Packs whose entries were gathered into `added`. */
  readonly replaced: readonly string[];
}

export interface WorkspaceLimits {
  /** Files and links; so many folders are taken besides. */
  readonly count: number;
  /** Of all files together. */
  readonly bytes: number;
  readonly fileBytes: number;
  /** Segments of a path. */
  readonly depth: number;
}

/** What lies in a folder, or is to lie there, can't be kept; nothing was uploaded or written. */
export class WorkspaceRefused extends Fault {
  /** Relative to the folder; empty when it is about all of it. */
  readonly path: string;
  /** In words that follow a path: "is a device". */
  readonly rule: string;

  constructor(path: string, rule: string) {
    super('WorkspaceRefused', 'stop', `${path === '' ? 'the folder' : path} ${rule}`);
    this.path = path;
    this.rule = rule;
  }
}

/** A listed pack is not there: it was replaced meanwhile. Read the row again, and repeat. */
export class PackGone extends Fault {
  constructor(object: string) {
    super('PackGone', 'retry', `${object} is not there: its pack was replaced, or is lost`);
  }
}

/** A folder on this machine's disk, for one segment. */
export interface Workspace {
  /** Absolute. Holds exactly the files of the commit that it was opened at, or nothing. */
  readonly folder: string;
  /**
   * Uploads what is new and answers the commit; the same one again, and no upload, where the folder
   * and the words (but for `at`) are those of the commit that it was opened at or saved as last. A
   * transaction may list it while every pack in `replaced` is listed; otherwise the packs were
   * changed meanwhile, and it is saved again over what the row says now. What the folder was opened
   * at must stay live until then (see prune). Throws WorkspaceRefused, before any upload or for a
   * file that changes while it is read; PackGone, Unavailable.
   */
  save(repository: Repository, words: CommitWords): Promise<Saved>;
  /** The folder may be used by others from now on. */
  close(): Promise<void>;
}

/** What a commit says of itself; its id with it. */
export interface SeenCommit extends CommitWords {
  readonly id: string;
}

export interface SeenFile {
  /** Below the folder, with `/`. */
  readonly path: string;
  readonly kind: 'file' | 'program' | 'link';
}

export interface FileChange {
  readonly path: string;
  readonly change: 'added' | 'changed' | 'removed';
}

/** A commit to look at, without a folder on a disk. */
export interface Look {
  readonly commit: SeenCommit;
  /** By path. */
  readonly files: readonly SeenFile[];
  /** Against its first parent, by path; undefined where that is not kept any more. */
  readonly changes: readonly FileChange[] | undefined;
}

export interface SeenContent {
  readonly kind: SeenFile['kind'];
  readonly bytes: number;
  /** To be read once. Throws Unreadable, at its end at the latest, if it is something else. */
  readonly body: AsyncIterable<Uint8Array>;
}

export interface MergeSides {
  /** What both began with; undefined: nothing. */
  readonly base: FilesCommit | undefined;
  readonly ours: FilesCommit;
  readonly theirs: FilesCommit;
}

export type Merged =
  | { readonly kind: 'merged'; readonly saved: Saved }
  /** Both sides changed these paths (at most 100 are named); nothing was uploaded. */
  | { readonly kind: 'overlap'; readonly paths: readonly string[]; readonly more: number }
  /** Together they are over that limit; nothing was uploaded. */
  | { readonly kind: 'too-large'; readonly what: 'count' | 'bytes'; readonly limit: number };

/** What people's git reads in a copied prefix; derived from rows, never read by us. */
export interface Refs {
  readonly main: string | undefined;
  /** refs/tasks/<taskId>, and refs/heads/<taskId> for what did not merge. */
  readonly tasks: ReadonlyMap<string, string>;
  readonly branches: ReadonlyMap<string, string>;
  /** Commits whose parents are gone. */
  readonly shallow: readonly string[];
  /** Of the row: an older one never replaces a newer. */
  readonly version: number;
}

export interface Workspaces {
  /**
   * Fetches what this machine does not have of the commit. Throws WorkspaceRefused if it is over
   * the limits, before any work; PackGone, Unreadable, Unavailable.
   */
  open(
    repository: Repository,
    at: FilesCommit | undefined,
    limits: WorkspaceLimits,
  ): Promise<Workspace>;
  /**
   * What a commit holds and changed; no content is read. Throws PackGone, Unreadable, Unavailable.
   */
  look(repository: Repository, commit: string): Promise<Look>;
  /** What commits say, in that order; those that no pack has are left out. Throws the same. */
  history(repository: Repository, commits: readonly string[]): Promise<readonly SeenCommit[]>;
  /** A file of a commit; of a link, where it leads. Undefined: it has none of that path. */
  read(repository: Repository, commit: string, path: string): Promise<SeenContent | undefined>;
  /** By path, three-way, never within a file. Uploads trees and a commit. */
  merge(
    repository: Repository,
    sides: MergeSides,
    limits: WorkspaceLimits,
    words: CommitWords,
  ): Promise<Merged>;
  /**
   * Copies every pack that holds an object which none of `live` reaches, without it. Live is what a
   * row names: also what a running segment was opened at. Nothing is reached by way of a commit's
   * parents. What is `replaced` may be deleted when the row no longer lists it.
   */
  prune(
    repository: Repository,
    live: readonly FilesCommit[],
  ): Promise<Pick<Saved, 'added' | 'replaced'>>;
  /** Writes refs and what git needs besides; may be repeated. */
  publish(repository: Repository, refs: Refs): Promise<void>;
  /**
   * Writes a commit's files to an object as `.tar.gz`. An object of that name stays as it is: it is
   * written for a commit that will not change.
   */
  archive(repository: Repository, commit: FilesCommit, object: string): Promise<void>;
  /** Deletes packs by name (both objects of each). */
  discard(prefix: string, packs: readonly string[]): Promise<void>;
  /**
   * Deletes objects of packs that are older than `before`, and neither listed nor in `keep`: what a
   * crash or a lost claim left. Answers how many.
   */
  sweep(repository: Repository, keep: readonly string[], before: Millis): Promise<number>;
  /** Everything of a repository. */
  remove(prefix: string): Promise<void>;
}
