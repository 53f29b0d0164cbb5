import { Unreadable } from '../ports/faults.ts';

/** The four kinds of entry that we write; git's numbers. */
export const FOLDER = 0o40000;
export const FILE = 0o100644;
export const PROGRAM = 0o100755;
export const LINK = 0o120000;

export type Mode = typeof FOLDER | typeof FILE | typeof PROGRAM | typeof LINK;

export interface TreeEntry {
  readonly name: string;
  readonly mode: Mode;
  /** Of a tree or a blob. */
  readonly id: string;
}

const ID = 20;
const SPACE = 0x20;
const OWN_NAMES = new Set(['', '.', '..']);

/** In git's order: by bytes, a folder as if its name ended in a slash. */
export function encodeTree(entries: readonly TreeEntry[]): Buffer {
  const sorted = entries
    .map((entry) => ({ entry, key: sortKey(entry) }))
    .sort((a, b) => Buffer.compare(a.key, b.key));
  return Buffer.concat(
    sorted.flatMap(({ entry }) => [
      Buffer.from(`${entry.mode.toString(8)} ${entry.name}\0`),
      Buffer.from(entry.id, 'hex'),
    ]),
  );
}

/**
 * Throws Unreadable for what our writer never makes: another mode, a name that is none, entries out
 * of order or twice.
 */
export function decodeTree(body: Buffer): readonly TreeEntry[] {
  const entries: TreeEntry[] = [];
  let before: Buffer | undefined;
  for (let at = 0; at < body.length; ) {
    const space = body.indexOf(SPACE, at);
    const end = body.indexOf(0, space);
    if (space < 0 || end < 0 || end + ID >= body.length) throw new Unreadable('a tree');
    const name = body.toString('utf8', space + 1, end);
    const mode = modeOf(body.toString('latin1', at, space));
    if (OWN_NAMES.has(name) || name.includes('/')) throw new Unreadable('a tree');
    const entry = { name, mode, id: body.toString('hex', end + 1, end + 1 + ID) };
    const key = sortKey(entry);
    if (before !== undefined && Buffer.compare(before, key) >= 0) throw new Unreadable('a tree');
    before = key;
    entries.push(entry);
    at = end + 1 + ID;
  }
  return entries;
}

function sortKey({ name, mode }: TreeEntry): Buffer {
  return Buffer.from(mode === FOLDER ? `${name}/` : name);
}

function modeOf(text: string): Mode {
  switch (text) {
    case '40000':
      return FOLDER;
    case '100644':
      return FILE;
    case '100755':
      return PROGRAM;
    case '120000':
      return LINK;
    default:
      throw new Unreadable('a tree');
  }
}
