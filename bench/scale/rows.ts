import { NOTHING_SPENT } from '../../shared/domain/budget.ts';
import { type ClaimToken, type Queued, type Run, type Running } from '../../shared/domain/run.ts';
import {
  type AgentName,
  type ContextId,
  fence,
  revision,
  type Scope,
  type TaskId,
} from '../../shared/domain/ids.ts';
import { obligations } from '../../shared/domain/obligations.ts';
import { defaults } from '../../shared/domain/settings.ts';
import { claim, complete, projected } from '../../shared/domain/transitions.ts';
import { ROUTES, shardOf } from '../../shared/gcp/tasks/route.ts';

const KEY = new Uint8Array(0);

/** A row as accept-message makes it; what no transition looks at is left empty. */
export function acceptedRow(taskId: string, now: number): Queued {
  return {
    status: 'queued',
    taskId: taskId as TaskId,
    contextId: taskId as ContextId,
    agent: 'agent' as AgentName,
    tenant: '',
    owner: '',
    scope: '' as Scope,
    shard: 0,
    listShard: 0,
    revision: revision(1),
    projectedRevision: revision(0),
    fence: fence(0),
    attempts: 0,
    pauseGeneration: 0,
    inputRevision: revision(1),
    createdAt: now,
    statusAt: now,
    notBefore: now,
    deadlineAt: now + defaults.runDeadline,
    answerCeiling: 'full',
    auditCeiling: 'full',
    archive: 'standard',
    wrappedKey: KEY,
    commitId: '',
    scrubbedRevision: revision(0),
    scrubPending: false,
    hasInput: false,
    purgeAt: null,
    steps: 0,
    spent: NOTHING_SPENT,
    segments: [],
  };
}

/** The shard of the queue that the row's wake-up goes to; undefined when the row asks for none. */
export function queueOf(row: Run, shards: number): number | undefined {
  const due = obligations(row).find(({ kind }) => kind === 'run' && ROUTES[kind] === 'runs');
  return due && shardOf(row, shards);
}

const TOKEN = 'held' as ClaimToken;

export function claimedRow(row: Run, now: number): Running | undefined {
  return claim(
    row,
    { token: TOKEN, until: now + defaults.lease },
    { due: now, dispatched: now },
    now,
  );
}

/** Completed, with the time of its removal, as change-run settles it. */
export function completedRow(row: Run, now: number): Run | undefined {
  const ended = complete(row, TOKEN, now);
  return ended && { ...ended, purgeAt: ended.statusAt + defaults.retention };
}

/** With the note that everything is projected, which leaves only the removal due. */
export const notedRow = (row: Run): Run => projected(row, row.revision);

const DAY = 86_400_000;

/**
 * The end of the index of due rows that a write goes to when it moves what is due from one time to
 * another: rows due about now and rows due in a month lie far apart, and each of the two places is
 * a sequence of its own. Undefined when the entry stays.
 */
export function indexEnd(
  before: number | null,
  after: number | null,
  now: number,
): 'now' | 'later' | undefined {
  if (after === null || before === after) return undefined;
  return after > now + DAY ? 'later' : 'now';
}
