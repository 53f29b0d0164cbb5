import { runCodec } from '../shared/app/records/run-document.ts';
import type { CommittedRevision } from '../shared/app/content/revisions.ts';
import {
  type ContextDoc,
  contextDoc,
  entryCodec,
  revisionCodec,
  revisionDoc,
  viewCodec,
} from '../shared/app/records/documents.ts';
import type { Run } from '../shared/domain/run.ts';
import type { Row } from '../shared/ports/backend.ts';
import type { Codec } from '../shared/ports/store.ts';
import type { MemoryBackend } from './memory-backend.ts';

/** Rows as they lie in the database, decoded; a row is never changed, so once is enough. */
export const runOf = decoded(runCodec);
export const viewOf = decoded(viewCodec);
const entryOf = decoded(entryCodec);
const revisionOf = decoded(revisionCodec);

function decoded<T>(codec: Codec<T>): (row: Row | undefined) => T | undefined {
  const known = new WeakMap<Row, { readonly value: T }>();
  return (row) => {
    if (row === undefined) return undefined;
    const found = known.get(row) ?? { value: codec.decode(row.fields, row.path) };
    known.set(row, found);
    return found.value;
  };
}

export function allRuns(backend: MemoryBackend): readonly Run[] {
  return backend.all('runs').flatMap((row) => runOf(row) ?? []);
}

export function taskFacts(backend: MemoryBackend, taskId: string): Run | undefined {
  return runOf(backend.peek(`runs/${taskId}`));
}

export function contextOf(backend: MemoryBackend, run: Run): ContextDoc | undefined {
  const { path, codec } = contextDoc(run.scope, run.contextId);
  const row = backend.peek(path);
  return row === undefined ? undefined : codec.decode(row.fields, path);
}

/**
 * A revision as it lies in one of these rows: a document of its own, or a journal entry that is
 * one.
 */
export function revisionIn(row: Row | undefined): CommittedRevision | undefined {
  if (row === undefined) return undefined;
  if (/^runs\/[^/]+\/revisions\//.test(row.path)) return revisionOf(row);
  if (!/^tasks\/[^/]+\/events\//.test(row.path)) return undefined;
  const entry = entryOf(row);
  return entry?.own === undefined ? undefined : { ...entry, own: entry.own };
}

/** The commit that a revision names. */
export const commitOf = (revision: CommittedRevision): string =>
  'own' in revision ? revision.own.commitId : revision.commitId;

/** A committed revision, wherever it lies. */
export function revisionAt(
  backend: MemoryBackend,
  taskId: string,
  revision: number,
): CommittedRevision | undefined {
  const alone = backend.peek(revisionDoc(taskId, revision).path);
  if (alone !== undefined) return revisionIn(alone);
  return backend
    .all(`tasks/${taskId}/events`)
    .flatMap((row) => revisionIn(row) ?? [])
    .find((each) => each.revision === revision);
}
