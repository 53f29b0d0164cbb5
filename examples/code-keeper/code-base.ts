import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, normalize, sep } from 'node:path';
import type { Order } from './order.ts';

/** Carries an order out in the folder; answers the paths that changed. */
export async function carryOut(folder: string, order: Order): Promise<readonly string[]> {
  switch (order.kind) {
    case 'write': {
      const path = within(order.path);
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), order.text);
      return [path];
    }
    case 'delete': {
      const path = within(order.path);
      await rm(join(folder, path), { recursive: true });
      return [path];
    }
    case 'rename':
      return rename(folder, order.from, order.to);
  }
}

/** Every file of the code base, by its path. */
export async function pathsIn(folder: string): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const path of await readdir(folder, { recursive: true })) {
    if ((await stat(join(folder, path))).isFile()) paths.push(path.split(sep).join('/'));
  }
  return paths.sort();
}

/** A name changes wherever it stands as a whole word, but not in the path of a file. */
async function rename(folder: string, from: string, to: string): Promise<readonly string[]> {
  const word = new RegExp(`(?<![\\w$/])${from.replaceAll('$', '\\$')}(?![\\w$])`, 'g');
  const changed: string[] = [];
  for (const path of await pathsIn(folder)) {
    const before = await readFile(join(folder, path), 'utf8');
    const after = before.replace(word, () => to);
    if (after === before) continue;
    await writeFile(join(folder, path), after);
    changed.push(path);
  }
  return changed;
}

/** Throws for a path that leaves the folder: the message comes from a stranger. */
function within(path: string): string {
  const plain = normalize(path);
  if (plain.startsWith('..') || plain.startsWith(sep)) throw new RangeError(path);
  return plain;
}
