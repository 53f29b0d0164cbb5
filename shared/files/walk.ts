import { type BigIntStats, lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type WorkspaceLimits, WorkspaceRefused } from '../ports/workspaces.ts';
import { refusalOfKind, refusalOfLink, refusalOfNames, refusalOfPath } from './entry-rules.ts';
import { FILE, LINK, type Mode, PROGRAM } from './tree.ts';
import { Slices, turn } from './turns.ts';

/** A file or a link as it lies on the disk. */
export interface FileNode {
  readonly name: string;
  /** Relative to the folder, with slashes. */
  readonly path: string;
  readonly mode: Mode;
  /** Bytes of the file, or of the link's text. */
  readonly size: number;
  /** Changes when the file does: see stampOf. */
  readonly stamp: string;
  /** Nanoseconds. */
  readonly changedAt: bigint;
  /** Of its content; empty until it is known. */
  id: string;
}

export interface FolderNode {
  readonly name: string;
  readonly path: string;
  readonly files: readonly FileNode[];
  readonly folders: readonly FolderNode[];
}

export interface Walked {
  readonly root: FolderNode;
  readonly count: number;
  readonly bytes: number;
}

const EXECUTABLE = 0o100n;

/**
 * Looks at everything in the folder, and reads no file. Throws WorkspaceRefused at the first entry
 * that can't be kept, and for more than the limits allow.
 */
export async function walk(folder: string, limits: WorkspaceLimits): Promise<Walked> {
  const slices = new Slices();
  let count = 0;
  let folders = 0;
  let bytes = 0;

  async function visit(name: string, path: string, depth: number): Promise<FolderNode> {
    const files: FileNode[] = [];
    const below: FolderNode[] = [];
    folders += 1;
    if (folders > limits.count + 1) {
      throw new WorkspaceRefused('', `has more than ${limits.count} folders`);
    }
    const names = namesIn(join(folder, path), path);
    for (const each of names) {
      const place = path === '' ? each : `${path}/${each}`;
      const stats = lstatSync(join(folder, place), { bigint: true });
      const link = stats.isSymbolicLink() ? linkText(join(folder, place), place) : undefined;
      const rule =
        refusalOfPath(place) ??
        refusalOfKind(stats) ??
        (link === undefined ? undefined : refusalOfLink(place, link));
      if (rule !== undefined) throw new WorkspaceRefused(place, rule);
      if (depth + 1 > limits.depth) {
        throw new WorkspaceRefused(place, `lies more than ${limits.depth} levels deep`);
      }
      if (stats.isDirectory()) below.push(await visit(each, place, depth + 1));
      else {
        const file = fileNode(each, place, stats, link);
        count += 1;
        bytes += file.size;
        requireWithin(limits, { place, size: file.size, count, bytes });
        files.push(file);
      }
      if (slices.due(0)) await turn();
    }
    return { name, path, files, folders: below };
  }

  return { root: await visit('', '', 0), count, bytes };
}

function fileNode(
  name: string,
  path: string,
  stats: BigIntStats,
  link: string | undefined,
): FileNode {
  const regular = (stats.mode & EXECUTABLE) === 0n ? FILE : PROGRAM;
  return {
    name,
    path,
    mode: link === undefined ? regular : LINK,
    size: link === undefined ? Number(stats.size) : Buffer.byteLength(link),
    stamp: stampOf(stats),
    changedAt: stats.ctimeNs,
    id: '',
  };
}

/** The change time catches a tool that sets the modification time back. */
export function stampOf({ size, mtimeNs, ctimeNs, ino, mode }: BigIntStats): string {
  return `${size}:${mtimeNs}:${ctimeNs}:${ino}:${mode}`;
}

/** In binary order, so that the same folder is always read in the same order. */
function namesIn(folder: string, path: string): readonly string[] {
  const raw = readdirSync(folder, { encoding: 'buffer' });
  const names = raw.map((bytes) => {
    const name = bytes.toString();
    if (Buffer.from(name).equals(bytes)) return name;
    throw new WorkspaceRefused(
      path,
      `has an entry whose name is not UTF-8 (${bytes.toString('hex')})`,
    );
  });
  const clash = refusalOfNames(names);
  if (clash !== undefined) {
    throw new WorkspaceRefused(path === '' ? clash.name : `${path}/${clash.name}`, clash.rule);
  }
  return names.sort();
}

function linkText(path: string, place: string): string {
  const bytes = readlinkSync(path, { encoding: 'buffer' });
  const text = bytes.toString();
  if (Buffer.from(text).equals(bytes)) return text;
  throw new WorkspaceRefused(place, 'is a link to a name that is not UTF-8');
}

function requireWithin(
  limits: WorkspaceLimits,
  now: { place: string; size: number; count: number; bytes: number },
): void {
  const { place, size, count, bytes } = now;
  if (size > limits.fileBytes) {
    throw new WorkspaceRefused(place, `has ${size} bytes; the limit is ${limits.fileBytes}`);
  }
  if (count > limits.count) throw new WorkspaceRefused('', `has more than ${limits.count} files`);
  if (bytes > limits.bytes) throw new WorkspaceRefused('', `has more than ${limits.bytes} bytes`);
}
