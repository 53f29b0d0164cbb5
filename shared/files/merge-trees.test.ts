import { expect, test } from 'vitest';
import { seededIds } from '../../testing/seeded-ids.ts';
import { builtTree } from './build-trees.ts';
import { listingOf, type Trees } from './listing.ts';
import { type DoneTwice, mergeTrees } from './merge-trees.ts';
import { objectId } from './object-id.ts';
import { decodeTree, FILE, FOLDER, PROGRAM, type TreeEntry } from './tree.ts';

/** A folder as its files: content and mode by path. */
type Files = ReadonlyMap<string, string>;

class Repository implements Trees {
  readonly bodies = new Map<string, Buffer>();
  readonly opened = new Set<string>();

  tree(id: string): readonly TreeEntry[] {
    this.opened.add(id);
    const body = this.bodies.get(id);
    if (body === undefined) throw new Error(`no tree ${id}`);
    return decodeTree(body);
  }

  add(files: Files): string {
    const folders = new Map<string, Map<string, string>>();
    const entries: TreeEntry[] = [];
    for (const [path, content] of files) {
      const slash = path.indexOf('/');
      if (slash < 0) entries.push(entryOf(path, content));
      else {
        const name = path.slice(0, slash);
        const below = folders.get(name) ?? new Map<string, string>();
        folders.set(name, below.set(path.slice(slash + 1), content));
      }
    }
    for (const [name, below] of folders) {
      entries.push({ name, mode: FOLDER, id: this.add(below) });
    }
    const { id, body } = builtTree(entries);
    this.bodies.set(id, body);
    return id;
  }

  files(tree: string): Files {
    const { files } = listingOf(this, tree);
    return new Map([...files].map(([path, { id, mode }]) => [path, `${id} ${mode}`]));
  }
}

function entryOf(name: string, content: string): TreeEntry {
  return {
    name,
    mode: content.endsWith('*') ? PROGRAM : FILE,
    id: objectId('blob', Buffer.from(content.replace('*', ''))),
  };
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`);
}

/** Whether a side has at the path, and below it, what the base has. */
function isUntouched(side: Files, base: Files, path: string): boolean {
  const under = (files: Files) =>
    [...files].filter(([each]) => each === path || isBelow(each, path)).join();
  return under(side) === under(base);
}

/** The plain model: path by path. */
function merged(base: Files, ours: Files, theirs: Files): Files | 'overlap' {
  const result = new Map<string, string>();
  for (const path of new Set([...base.keys(), ...ours.keys(), ...theirs.keys()])) {
    const [b, o, t] = [base.get(path), ours.get(path), theirs.get(path)];
    if (o !== t && b !== o && b !== t) return 'overlap';
    const value = o === t || b === t ? o : t;
    if (value !== undefined) result.set(path, value);
  }
  for (const [side, other] of [
    [ours, theirs],
    [theirs, ours],
  ] as const) {
    for (const path of side.keys()) {
      const clashes = [...other.keys()].some((each) => isBelow(each, path));
      if (!clashes || isUntouched(side, base, path) || isUntouched(other, base, path)) continue;
      return 'overlap';
    }
  }
  return hasTwins(result) ? 'overlap' : result;
}

function hasTwins(files: Files): boolean {
  const paths = new Set(
    [...files.keys()].flatMap((path) => {
      const parts = path.split('/');
      return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
    }),
  );
  const folded = (path: string) => {
    const slash = path.lastIndexOf('/') + 1;
    return path.slice(0, slash) + path.slice(slash).toLowerCase();
  };
  return new Set([...paths].map(folded)).size !== paths.size;
}

const NAMES = ['a', 'b', 'c', 'A', 'd.x'];

function randomly(random: () => number, start: Files, edits: number): Files {
  const pick = <T>(items: readonly T[]): T | undefined =>
    items[Math.floor(random() * items.length)];
  let files = new Map(start);
  for (let at = 0; at < edits; at += 1) {
    const path = Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(NAMES)).join('/');
    const next = new Map(files);
    const some = pick([...files.keys()]);
    const chance = random();
    if (chance < 0.25 && some !== undefined) next.delete(some);
    else if (chance < 0.35 && some !== undefined)
      next.set(some, `${files.get(some)}*`.replace('**', ''));
    else if (chance < 0.45 && some?.includes('/')) {
      const folder = some.slice(0, some.indexOf('/'));
      for (const each of files.keys()) if (isBelow(each, folder)) next.delete(each);
      if (random() < 0.5) next.set(folder, 'once a folder');
    } else next.set(path, `content ${Math.floor(random() * 4)}`);
    const clash = [...next.keys()].some((each) =>
      [...next.keys()].some((more) => isBelow(more, each)),
    );
    if (!clash && !hasTwins(next)) files = next;
  }
  return files;
}

test('20,000 random merges agree with a plain model: no wrong merge, no overlap missed or invented', () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  const ids = seededIds(seed);
  const random = () => ids.random();
  let overlaps = 0;
  for (let round = 0; round < 20_000; round += 1) {
    const base = randomly(random, new Map(), Math.floor(random() * 12));
    const ours = randomly(random, base, 1 + Math.floor(random() * 3));
    const theirs = randomly(random, base, 1 + Math.floor(random() * 3));
    const repository = new Repository();
    const [b, o, t] = [base, ours, theirs].map((files) => repository.add(files));
    const expected = merged(base, ours, theirs);
    const found = mergeTrees(repository, b, o ?? '', t ?? '');
    const place = `seed ${seed}, round ${round}: ${JSON.stringify([...base])} / ${JSON.stringify([...ours])} / ${JSON.stringify([...theirs])} / ${found.overlaps.join()}`;
    if ((expected === 'overlap') !== found.overlaps.length > 0) expect.fail(place);
    if (expected === 'overlap') {
      overlaps += 1;
      continue;
    }
    for (const { id, body } of found.built) repository.bodies.set(id, body);
    const wanted = new Map(
      [...expected].map(([path, content]) => {
        const { id, mode } = entryOf(path, content);
        return [path, `${id} ${mode}`] as const;
      }),
    );
    expect(repository.files(found.tree), place).toEqual(wanted);
    const twice = grown(repository, found.doneTwice);
    expect(ours.size + theirs.size - base.size - twice, place).toBe(expected.size);
  }
  // Both kinds of outcome were seen often.
  expect(overlaps).toBeGreaterThan(1_000);
  expect(overlaps).toBeLessThan(19_000);
});

function grown(repository: Repository, changes: readonly DoneTwice[]): number {
  const count = (side: TreeEntry | undefined): number => {
    if (side === undefined) return 0;
    return side.mode === FOLDER ? repository.files(side.id).size : 1;
  };
  return changes.reduce((sum, { before, after }) => sum + count(after) - count(before), 0);
}

test('subtrees that both sides have alike are not opened', () => {
  const repository = new Repository();
  const base = new Map<string, string>();
  for (let folder = 0; folder < 100; folder += 1) {
    for (let file = 0; file < 10; file += 1) base.set(`${folder}/${file}`, `${folder} ${file}`);
  }
  const [b, o, t] = [base, new Map([...base, ['1/1', 'o']]), new Map([...base, ['2/2', 't']])].map(
    (files) => repository.add(files),
  );
  const found = mergeTrees(repository, b, o ?? '', t ?? '');
  expect(found.overlaps).toEqual([]);
  expect(repository.opened.size).toBe(3);
  expect(found.built).toHaveLength(1);
});
