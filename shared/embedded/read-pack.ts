import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { Blob, BlobEntry } from '../ports/blobs.ts';
import { blobOf, entryOf, LIST_OBJECTS } from './packed-objects.ts';
import { guarded } from './sqlite-faults.ts';

const PAGE = 500;

export interface PackReader {
  get(name: string): Blob | undefined;
  entries(prefix: string): Generator<readonly BlobEntry[]>;
}

/** A pack that another server left, or still has. Throws Unavailable, Unreadable. */
export function readPack(file: string): PackReader {
  const db = guarded(() => new DatabaseSync(placeOf(file), { readOnly: true }), file);
  const [get, list] = guarded(
    () => [db.prepare('SELECT * FROM objects WHERE name = ?'), db.prepare(LIST_OBJECTS)] as const,
    file,
  );
  return {
    get(name) {
      const found = guarded(() => get.get(name), file);
      return found && blobOf(found);
    },
    *entries(prefix) {
      for (let after = ''; ; ) {
        const page = guarded(() => list.all(prefix, after, PAGE), file).map(entryOf);
        const wanted = page.filter(({ name }) => name.startsWith(prefix));
        yield wanted;
        if (wanted.length < PAGE) return;
        after = wanted.at(-1)?.name ?? '';
      }
    },
  };
}

/** Without a log there is no writer, and SQLite is kept from making files of its own beside it. */
function placeOf(file: string): URL {
  const place = pathToFileURL(file);
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (log === 0) place.searchParams.set('immutable', '1');
  return place;
}
