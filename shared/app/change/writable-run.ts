import type { Run } from '../../domain/run.ts';
import type { Doc } from '../../ports/store.ts';
import { runCodec } from '../records/run-document.ts';
import { runDoc } from '../records/documents.ts';

/** The row as it may be written: by this room alone (`tools/checks/run-writers.ts`). */
export const writableRun = (taskId: string): Doc<Run> => ({
  ...runDoc(taskId),
  codec: runCodec,
  remembered: true,
});
