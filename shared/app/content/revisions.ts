import { Unreadable } from '../../ports/faults.ts';
import type { Query } from '../../ports/store.ts';
import type { App } from '../app.ts';
import { type EntryDoc, entryCodec, type RevisionDoc, revisionDoc } from '../records/documents.ts';

/**
 * A journal entry that is the document of its newest revision, too: both were committed together.
 */
export type OwnEntry = EntryDoc & { readonly own: NonNullable<EntryDoc['own']> };

/** Where a committed revision lies: in a document of its own, or in the journal. */
export type CommittedRevision = RevisionDoc | OwnEntry;

const PAGE = 100;

/** Revisions in their order, from the one to the other. Throws Unreadable when one is missing. */
export async function readRevisions(
  app: App,
  taskId: string,
  range: { readonly from: number; readonly to: number },
): Promise<readonly CommittedRevision[]> {
  const { from, to } = range;
  const numbers = Array.from({ length: to - from + 1 }, (_, at) => from + at);
  const docs = await app.store.getAll(numbers.map((number) => revisionDoc(taskId, number)));
  const inJournal = docs.includes(undefined)
    ? await ownEntries(app, taskId, to)
    : new Map<number, OwnEntry>();
  return numbers.map((number, at) => {
    const found: CommittedRevision | undefined = docs[at] ?? inJournal.get(number);
    if (found === undefined) throw new Unreadable(revisionDoc(taskId, number).path);
    return found;
  });
}

/**
 * Entries that are revisions, up to that one. The journal is read from its beginning: entries are
 * named by their events.
 */
async function ownEntries(
  app: App,
  taskId: string,
  to: number,
): Promise<ReadonlyMap<number, OwnEntry>> {
  const found = new Map<number, OwnEntry>();
  const query: Query<EntryDoc> = {
    collection: `tasks/${taskId}/events`,
    codec: entryCodec,
    filters: [],
    order: undefined,
    limit: PAGE,
  };
  for (let after: string | undefined; ; ) {
    const rows = await app.store.page(query, after);
    for (const { value } of rows) if (isOwn(value)) found.set(value.revision, value);
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE || last.value.revision >= to) return found;
    after = last.cursor;
  }
}

export function isOwn(entry: EntryDoc): entry is OwnEntry {
  return entry.own !== undefined;
}
