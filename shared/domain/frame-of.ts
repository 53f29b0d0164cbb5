import type { RunFrame } from './run.ts';

/** Written out: a row is taken apart and put together without its status. */
export const FRAME_KEYS = [
  'taskId',
  'contextId',
  'agent',
  'tenant',
  'owner',
  'scope',
  'shard',
  'listShard',
  'revision',
  'projectedRevision',
  'fence',
  'attempts',
  'repeats',
  'pauseGeneration',
  'inputRevision',
  'createdAt',
  'statusAt',
  'deadlineAt',
  'endedAt',
  'answerCeiling',
  'auditCeiling',
  'archive',
  'wrappedKey',
  'commitId',
  'earlierCommits',
  'scrubbedRevision',
  'scrubPending',
  'archivePending',
  'archiveAt',
  'archived',
  'hasInput',
  'purgeAt',
  'trace',
  'steps',
  'signals',
  'spent',
  'models',
  'lastModel',
  'uncounted',
  'segments',
  'payloadKey',
  'trail',
  'effect',
  'continuation',
  'pins',
  'blocked',
  'sending',
  'orphans',
  'acts',
  'errors',
  'files',
  'origin',
  'webhooks',
] as const satisfies readonly (keyof RunFrame)[];

/** What a run has whatever its status. A key that is not listed does not compile. */
export function frameOf(run: RunFrame): RunFrame {
  // Of the fields that a run can have it has half, and each commit comes here.
  const frame: Record<string, unknown> = {};
  for (const key in run) if (isOfFrame(key) && run[key] !== undefined) frame[key] = run[key];
  return frame as Pick<RunFrame, (typeof FRAME_KEYS)[number]>;
}

const FRAME: ReadonlySet<string> = new Set(FRAME_KEYS);
const isOfFrame = (key: string): key is (typeof FRAME_KEYS)[number] => FRAME.has(key);
