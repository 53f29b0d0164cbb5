import { NOTHING_SPENT } from '../../domain/budget.ts';
import {
  type ContextId,
  fence,
  type Principal,
  revision,
  type Scope,
  type TaskId,
} from '../../domain/ids.ts';
import { type Refused, refused } from '../../domain/refusal.ts';
import type { Queued, Run } from '../../domain/run.ts';
import type { App } from '../app.ts';
import { firstArchive } from '../change/archive-due.ts';
import type { Ceilings } from '../privacy/policy.ts';
import { type ContextDoc, SCHEMA_VERSION } from '../records/documents.ts';
import type { SendRequest } from '../service.ts';

/** The one task of a context that is not finished (G19). */
export const activeTask = (context: ContextDoc | undefined): string | null =>
  context?.activeTask ?? null;

/** Where a new run is, and which key it gets. */
export interface First {
  readonly taskId: TaskId;
  readonly context: ContextId;
  readonly scope: Scope;
  readonly place: Pick<Run, 'shard' | 'listShard'>;
  readonly wrapped: Uint8Array;
}

/** The row of a run that is about to be accepted. */
export function firstRun(
  app: App,
  principal: Principal,
  first: First,
  ceilings: Ceilings,
  { beside }: Pick<SendRequest, 'beside'>,
): Queued {
  const { taskId, context, scope, place, wrapped } = first;
  const now = app.clock.now();
  return {
    status: 'queued',
    taskId,
    contextId: context,
    agent: principal.agent,
    tenant: principal.tenant,
    owner: principal.owner,
    scope,
    ...place,
    revision: revision(1),
    projectedRevision: revision(0),
    fence: fence(0),
    attempts: 0,
    pauseGeneration: 0,
    inputRevision: revision(1),
    createdAt: now,
    statusAt: now,
    notBefore: now,
    deadlineAt: now + app.settings.runDeadline,
    ...ceilings,
    wrappedKey: wrapped,
    commitId: app.ids.token(),
    scrubbedRevision: revision(0),
    scrubPending: false,
    // What is published is redacted, and the agent needs the message as it came.
    hasInput: ceilings.answerCeiling !== 'full' || beside !== undefined,
    purgeAt: null,
    steps: 0,
    spent: NOTHING_SPENT,
    segments: [],
    ...firstArchive(app, { archive: ceilings.archive, agent: principal.agent, createdAt: now }),
    ...(app.trace !== undefined && { trace: app.trace }),
  };
}

export function busyContext(activeTask: string): Refused {
  return refused(
    'CONTEXT_BUSY',
    'another task of this context is not finished; wait for it, continue it, or use another context',
    {
      metadata: { activeTaskId: activeTask },
    },
  );
}

/** The context of a run that was accepted. */
export function takenContext(
  present: ContextDoc | undefined,
  run: Run,
  parallel: boolean,
): ContextDoc {
  return {
    v: SCHEMA_VERSION,
    scope: run.scope,
    lastCompleted: present?.lastCompleted ?? null,
    activeTask: parallel ? null : run.taskId,
    updatedAt: run.createdAt,
  };
}
