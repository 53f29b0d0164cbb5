import type { Millis } from '../../domain/brand.ts';
import { NOTHING_SPENT } from '../../domain/budget.ts';
import { type ContextId, fence, revision, type TaskId } from '../../domain/ids.ts';
import type { StoredEvent } from '../../domain/item.ts';
import type { Archived, Ended, Failed, RunFrame } from '../../domain/run.ts';
import { isTerminal } from '../../domain/status.ts';
import { applyItems, type StoredSnapshot, type Task } from '../../domain/task.ts';
import type { App } from '../app.ts';
import { adoptRun } from '../change/adopt-run.ts';
import { agentMessage, failureWords, isFailureReason } from '../change/end-run.ts';
import { projectionDocs } from '../change/projection.ts';
import { projectRun } from '../change/project-run.ts';
import { itemToJson, pack } from '../content/content.ts';
import type { SealingKey } from '../content/sealing-key.ts';
import { packSnapshot } from '../content/snapshot.ts';
import { snapshotOf } from '../content/snapshot-of.ts';
import type { Ceilings } from '../privacy/policy.ts';
import { placeIn } from '../records/shards.ts';
import { projectSoon } from '../wake-up.ts';
import type { Whose } from './whose.ts';

/** A task from elsewhere, and what is to become of it here. */
export interface Adoption {
  readonly task: Task;
  readonly whose: Whose;
  readonly ceilings: Ceilings;
  /** Its newest revision elsewhere. */
  readonly revision: number;
  readonly scrubbed: number;
  readonly createdAt: Millis;
  /** From when its retention counts. */
  readonly keptFrom: Millis;
  /** The copy in this installation's own archive; undefined: one is to be written. */
  readonly archived: Archived | undefined;
}

/**
 * Makes rows of a task: under a key of its own, with one revision, which is shown. A task that was
 * not over can't go on, for all that it worked with is missing: it is FAILED with `WORK_LOST`.
 * False: the database has it, and nothing changed. Throws Unreadable, Unavailable, Contention,
 * TooLarge.
 */
export async function adoptTask(app: App, adoption: Adoption): Promise<boolean> {
  const { task, whose, ceilings } = adoption;
  const { wrapped, keys } = await app.keys.create(task.taskId);
  const redacted = ceilings.answerCeiling === 'redacted';
  // A copy in clear may hold more than may be kept now: it is deleted, and written anew.
  const scrubbed = redacted ? adoption.revision : adoption.scrubbed;
  const { agent, scope } = whose;
  const runKey: SealingKey = {
    taskId: task.taskId,
    contextId: task.contextId,
    scope,
    agent,
    keys,
    scrubbedRevision: scrubbed,
  };
  const taken = await snapshotOf(app, runKey, task, redacted);
  const over = isTerminal(task.status.state);
  const snapshot = over ? taken : interrupted(app, taken);
  const run = await runOf(app, adoption, { wrapped, snapshot, scrubbed, redacted });
  const events = eventsOf(snapshot);
  const last = { revision: run.revision, state: snapshot.status.state, at: run.statusAt };
  const docs = projectionDocs(app, runKey, run, {
    before: undefined,
    projection: { last: { ...last, items: [] }, snapshot, events },
    packed: {
      head: await packSnapshot(app, runKey, [], snapshot),
      journal: await pack(app, runKey, { events: events.map(itemToJson) }),
      own: { commitId: run.commitId, fromSeq: 1, announces: true },
    },
  });
  if (!(await adoptRun(app, run, docs))) return false;
  if (run.archivePending || run.scrubPending)
    await projectSoon(app, run, () => projectRun(app, run.taskId));
  return true;
}

function interrupted(app: App, snapshot: StoredSnapshot): StoredSnapshot {
  const reason = 'WORK_LOST';
  const message = agentMessage(app, [{ text: failureWords(reason) }]);
  const at = Math.max(app.clock.now(), snapshot.status.at);
  return applyItems(snapshot, [
    { kind: 'status', state: 'FAILED', at, message, metadata: { reason } },
  ]);
}

interface Made {
  readonly wrapped: Uint8Array;
  readonly snapshot: StoredSnapshot;
  readonly scrubbed: number;
  readonly redacted: boolean;
}

async function runOf(
  app: App,
  { archived, ceilings, createdAt, keptFrom, task, whose, ...adoption }: Adoption,
  { redacted, scrubbed, snapshot, wrapped }: Made,
): Promise<Ended | Failed> {
  const { status, metadata } = snapshot;
  const over = isTerminal(task.status.state);
  const newest = revision(over ? adoption.revision : adoption.revision + 1);
  const pending = ceilings.archive !== 'off' && (archived === undefined || !over);
  const frame: RunFrame = {
    // Both were checked against their grammar when the task was read.
    taskId: task.taskId as TaskId,
    contextId: task.contextId as ContextId,
    tenant: '',
    owner: '',
    ...whose,
    ...placeIn(await app.shards.toWrite(), task.taskId),
    revision: newest,
    projectedRevision: newest,
    fence: fence(1),
    attempts: 0,
    pauseGeneration: 0,
    inputRevision: newest,
    createdAt: Math.min(createdAt, status.at),
    statusAt: status.at,
    deadlineAt: status.at,
    ...ceilings,
    wrappedKey: wrapped,
    commitId: app.ids.token(),
    scrubbedRevision: revision(scrubbed),
    scrubPending: redacted,
    ...(pending && { archivePending: true }),
    ...(archived && { archived }),
    hasInput: false,
    purgeAt: (over ? keptFrom : status.at) + app.settings.retention,
    steps: 0,
    spent: NOTHING_SPENT,
    segments: [],
  };
  switch (status.state) {
    case 'COMPLETED':
      return { ...frame, status: 'completed' };
    case 'CANCELED':
      return { ...frame, status: 'cancelled' };
    case 'REJECTED':
      return { ...frame, status: 'rejected' };
    default: {
      const said = metadata?.['reason'];
      return { ...frame, status: 'failed', reason: isFailureReason(said) ? said : 'AGENT_FAILED' };
    }
  }
}

/** What a stream of it tells: what it made, then how it ended. */
function eventsOf({ artifacts, status, metadata }: StoredSnapshot): readonly StoredEvent[] {
  const end = { kind: 'status', ...status, ...(metadata && { metadata }) } as const;
  return [...artifacts, end].map((item, at) => ({ ...item, seq: at + 1 }));
}
