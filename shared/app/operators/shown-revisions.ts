import type { Run } from '../../domain/run.ts';
import { announcedBy } from '../../domain/transitions.ts';
import type { Query } from '../../ports/store.ts';
import type { App } from '../app.ts';
import { isOwn } from '../content/revisions.ts';
import {
  type EntryDoc,
  entryCodec,
  pad,
  revisionCodec,
  type RevisionDoc,
  viewDoc,
} from '../records/documents.ts';
import { tolerantCodec, undefinedIfUnreadable } from '../records/unreadable.ts';

/** A public change as a timeline names it; a first one that made two states public is two. */
export type RevisionFact = Pick<RevisionDoc, 'at' | 'revision' | 'state'>;

const PAGE = 100;

/** The newest revisions of a run, oldest first, at most `most`; what can't be read is left out. */
export async function newestRevisions(
  app: App,
  { revision, taskId }: Run,
  most: number,
): Promise<readonly RevisionFact[]> {
  const first = Math.max(1, revision - most + 1);
  const rows = await app.store.page({
    collection: `runs/${taskId}/revisions`,
    codec: tolerantCodec(revisionCodec),
    filters: [],
    order: undefined,
    from: { value: pad(first), inclusive: true },
    limit: most,
  });
  const own = rows.flatMap(({ value }) => value ?? []);
  const missing = revision - first + 1 > rows.length;
  const found = missing ? [...own, ...(await inJournal(app, taskId, first))] : own;
  return found
    .toSorted((a, b) => a.revision - b.revision)
    .flatMap(({ at, revision: number, state }) =>
      announcedBy({ revision: number, state }).map((each) => ({
        at,
        revision: number,
        state: each,
      })),
    );
}

/**
 * Entries are named by their events, not by their revision: the end of the journal is read, and
 * more of it while that is too little.
 */
async function inJournal(
  app: App,
  taskId: string,
  first: number,
): Promise<readonly RevisionFact[]> {
  const view = await undefinedIfUnreadable(() => app.store.get(viewDoc(taskId)));
  const lastSeq = view?.lastSeq ?? 0;
  for (let span = PAGE; ; span *= 4) {
    const from = Math.max(0, lastSeq - span);
    const entries = await entriesFrom(app, taskId, from);
    const enough = from === 0 || (entries[0]?.revision ?? first) < first;
    if (enough) return entries.filter((entry) => isOwn(entry) && entry.revision >= first);
  }
}

async function entriesFrom(app: App, taskId: string, from: number): Promise<readonly EntryDoc[]> {
  const query: Query<EntryDoc | undefined> = {
    collection: `tasks/${taskId}/events`,
    codec: tolerantCodec(entryCodec),
    filters: [],
    order: undefined,
    from: { value: pad(from), inclusive: false },
    limit: PAGE,
  };
  const entries: EntryDoc[] = [];
  for (let after: string | undefined; ; ) {
    const rows = await app.store.page(query, after);
    entries.push(...rows.flatMap(({ value }) => value ?? []));
    after = rows.at(-1)?.cursor;
    if (rows.length < PAGE) return entries;
  }
}
