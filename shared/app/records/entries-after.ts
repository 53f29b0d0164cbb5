import type { Query } from '../../ports/store.ts';
import { type EntryDoc, entryCodec, pad } from './documents.ts';

/** Journal entries behind a position, oldest first. */
export const entriesAfter = (taskId: string, seq: number): Query<EntryDoc> => ({
  collection: `tasks/${taskId}/events`,
  codec: entryCodec,
  filters: [],
  order: undefined,
  from: { value: pad(seq), inclusive: false },
  limit: 100,
});
