import type { WorkspaceLimits } from '../ports/workspaces.ts';
import { ArchiveRefused } from './archive-refused.ts';
import { ByteReader } from './byte-reader.ts';
import { foldedName, refusalOfLink, refusalOfPath } from './entry-rules.ts';
import { gunzipped } from './gunzipped.ts';
import { tarEntries, type TarHeader } from './tar-entries.ts';
import { FILE, type Mode, PROGRAM } from './tree.ts';

/** The same limits as for a folder, and how much an archive may grow. */
export interface ArchiveLimits extends WorkspaceLimits {
  /** How many times its own size an archive may unpack to; the first MiB is free. */
  readonly ratio: number;
}

export type ArchiveEntry =
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'link'; readonly path: string; readonly target: string }
  | {
      readonly kind: 'file';
      readonly path: string;
      readonly mode: Mode;
      readonly size: number;
      /** Read to its end, or left alone, before the next entry is asked for. */
      readonly body: AsyncIterable<Uint8Array>;
    };

const SET_ID = 0o6000;
const EXECUTABLE = 0o100;

/**
 * Reads a `.tar.gz` that may come from anyone. Every entry is checked before it is handed out, by
 * the rules for folders and those that only an archive can break; paths are relative, with slashes,
 * and the folder of an entry is a folder that came before it or was made for it. Throws
 * ArchiveRefused, also behind entries that were good: what was made of them is to be thrown away.
 */
export async function* readArchive(
  source: AsyncIterable<Uint8Array>,
  limits: ArchiveLimits,
): AsyncGenerator<ArchiveEntry> {
  const reader = new ByteReader(gunzipped(source, limits.ratio));
  const contents = new Contents(limits);
  try {
    for await (const header of tarEntries(reader)) {
      const path = relativePath(header);
      const kind = kindOf(path, header);
      if (path === '') {
        // The folder that was packed.
        if (kind === 'folder') continue;
        throw new ArchiveRefused(header.path, 'stands for the folder itself, and is none');
      }
      contents.add(path, kind, kind === 'link' ? byteLength(header.target) : header.size);
      if (kind === 'folder') yield { kind, path };
      else if (kind === 'link') yield { kind, path, target: linkTarget(path, header.target) };
      else {
        const body = new Body(reader, path, header.size);
        const mode = (header.permissions & EXECUTABLE) === 0 ? FILE : PROGRAM;
        yield { kind, path, mode, size: header.size, body };
        await body.skip();
      }
    }
  } finally {
    await reader.close();
  }
}

/** A file's bytes, of which the reader stands at the first. */
class Body implements AsyncIterable<Uint8Array> {
  readonly #reader: ByteReader;
  readonly #path: string;
  #left: number;

  constructor(reader: ByteReader, path: string, size: number) {
    this.#reader = reader;
    this.#path = path;
    this.#left = size;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for await (const piece of this.#reader.upTo(this.#left)) {
      this.#left -= piece.byteLength;
      yield piece;
    }
    if (this.#left > 0) throw new ArchiveRefused(this.#path, 'is cut off');
  }

  /** Reads what was not read. */
  async skip(): Promise<void> {
    const pieces = this[Symbol.asyncIterator]();
    while ((await pieces.next()).done !== true);
  }
}

/** `./a/` as tar names what was packed as `.` is `a`. */
function relativePath({ path }: TarHeader): string {
  if (path.startsWith('/')) throw new ArchiveRefused(path, 'is an absolute path');
  const plain = path.replace(/^(?:\.\/)+/, '').replace(/\/$/, '');
  if (plain === '.' || path === './') return '';
  const parts = plain.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..')) {
    throw new ArchiveRefused(path, 'has a path that leads out of the folder, or about in it');
  }
  return plain;
}

function kindOf(path: string, { type, path: given, size, permissions }: TarHeader) {
  if ((permissions & SET_ID) !== 0 && type === '0') {
    throw new ArchiveRefused(path, 'would run as another user');
  }
  switch (type) {
    case '0':
      // So the seventh edition of Unix wrote a folder.
      if (!given.endsWith('/')) return 'file';
      return empty(path, size, 'folder');
    case '5':
      return empty(path, size, 'folder');
    case '2':
      return empty(path, size, 'link');
    case '1':
      throw new ArchiveRefused(path, 'is a hard link');
    case '3':
    case '4':
    case '6':
      throw new ArchiveRefused(path, 'is a device, a socket or a pipe');
    case 'S':
      throw new ArchiveRefused(path, 'is a sparse file');
    default:
      throw new ArchiveRefused(path, `is of a kind that is not known (${JSON.stringify(type)})`);
  }
}

function empty<T>(path: string, size: number, kind: T): T {
  if (size > 0) throw new ArchiveRefused(path, 'has a body, and is no file');
  return kind;
}

function linkTarget(path: string, target: string): string {
  const rule = refusalOfLink(path, target);
  if (rule !== undefined) throw new ArchiveRefused(path, rule);
  return target;
}

type Kind = ArchiveEntry['kind'];

interface Known {
  readonly name: string;
  readonly kind: Kind;
  /** It has had an entry of its own. */
  named: boolean;
}

/** What the archive holds so far. */
class Contents {
  readonly #limits: ArchiveLimits;
  /** By folder, then by what is one name on some disk. */
  readonly #folders = new Map<string, Map<string, Known>>([['', new Map<string, Known>()]]);
  #count = 0;
  #bytes = 0;

  constructor(limits: ArchiveLimits) {
    this.#limits = limits;
  }

  add(path: string, kind: Kind, size: number): void {
    const { count, bytes, fileBytes, depth } = this.#limits;
    const parts = path.split('/');
    if (parts.length > depth) {
      throw new ArchiveRefused(path, `lies more than ${depth} levels deep`);
    }
    if (size > fileBytes) {
      throw new ArchiveRefused(path, `has ${size} bytes; the limit is ${fileBytes}`);
    }
    if (kind !== 'folder') this.#count += 1;
    this.#bytes += size;
    if (this.#count > count) throw new ArchiveRefused('', `has more than ${count} files`);
    if (this.#bytes > bytes) throw new ArchiveRefused('', `has more than ${bytes} bytes`);
    for (let end = 1; end < parts.length; end += 1) {
      this.#place(parts.slice(0, end).join('/'), 'folder', false);
    }
    this.#place(path, kind, true);
  }

  #place(path: string, kind: Kind, named: boolean): void {
    const at = path.lastIndexOf('/');
    const [folder, name] = [path.slice(0, Math.max(at, 0)), path.slice(at + 1)];
    const names = this.#folders.get(folder);
    const key = foldedName(name);
    const known = names?.get(key);
    if (known === undefined) {
      const rule = refusalOfPath(path);
      if (rule !== undefined) throw new ArchiveRefused(path, rule);
      names?.set(key, { name, kind, named });
      if (kind !== 'folder') return;
      this.#folders.set(path, new Map());
      if (this.#folders.size > this.#limits.count + 1) {
        throw new ArchiveRefused('', `has more than ${this.#limits.count} folders`);
      }
      return;
    }
    if (known.name !== name) {
      throw new ArchiveRefused(path, `differs from ${known.name} by case or accents only`);
    }
    if (kind !== known.kind) {
      throw new ArchiveRefused(path, `is a ${known.kind} and a ${kind}`);
    }
    if (named && known.named) throw new ArchiveRefused(path, 'comes twice');
    known.named ||= named;
  }
}

const byteLength = (text: string): number => Buffer.byteLength(text);
