import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Everything in a folder: a path, and in one line what lies there. */
export function snapshot(folder: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const visit = (path: string): void => {
    for (const name of readdirSync(join(folder, path)).sort()) {
      const place = path === '' ? name : `${path}/${name}`;
      const stats = lstatSync(join(folder, place));
      if (stats.isDirectory()) {
        found.set(place, 'folder');
        visit(place);
      } else if (stats.isSymbolicLink()) {
        found.set(place, `link ${readlinkSync(join(folder, place))}`);
      } else {
        const kind = (stats.mode & 0o100) === 0 ? 'file' : 'program';
        found.set(place, `${kind} ${readFileSync(join(folder, place)).toString('latin1')}`);
      }
    }
  };
  visit('');
  return found;
}
