import fc from 'fast-check';
import { NOTHING_SPENT } from '../../shared/domain/budget.ts';
import type { Dependency } from '../../shared/domain/dependency.ts';
import {
  type AgentName,
  type ContextId,
  fence,
  revision,
  type Scope,
  type TaskId,
} from '../../shared/domain/ids.ts';
import {
  RUN_STATUSES,
  type ClaimToken,
  type Ended,
  type Failed,
  type Queued,
  type Run,
  type RunFrame,
  type Running,
  type WaitingForDependency,
  type WaitingForPerson,
} from '../../shared/domain/run.ts';

export const frame: RunFrame = {
  taskId: '00000000-0000-4000-8000-000000000001' as TaskId,
  contextId: 'context-1' as ContextId,
  agent: 'agent' as AgentName,
  tenant: '',
  owner: '',
  scope: 'scope' as Scope,
  shard: 0,
  listShard: 0,
  revision: revision(1),
  projectedRevision: revision(0),
  fence: fence(0),
  attempts: 0,
  pauseGeneration: 0,
  inputRevision: revision(1),
  createdAt: 1_000,
  statusAt: 1_000,
  deadlineAt: 1_000_000,
  answerCeiling: 'full',
  auditCeiling: 'full',
  archive: 'standard',
  wrappedKey: new Uint8Array([1]),
  commitId: 'commit-1',
  scrubbedRevision: revision(0),
  scrubPending: false,
  hasInput: false,
  purgeAt: null,
  steps: 0,
  spent: NOTHING_SPENT,
  segments: [],
};

export const dependency: Dependency = {
  remote: 'remote',
  sendId: 'send-1',
  operation: new Uint8Array([2]),
  nextPollAt: 20_000,
  deadlineAt: 500_000,
  polls: 0,
  failures: 0,
};
export const depending = (over: Partial<WaitingForDependency> = {}): WaitingForDependency => ({
  ...frame,
  fence: fence(1),
  pausedAt: 2_000,
  pauseGeneration: 1,
  dependency,
  ...over,
  status: 'waiting_for_dependency',
});

export const token = (name: string): ClaimToken => name as ClaimToken;

export const queued = (over: Partial<Queued> = {}): Queued => ({
  ...frame,
  notBefore: 1_000,
  ...over,
  status: 'queued',
});
export const running = (over: Partial<Running> = {}): Running => ({
  ...frame,
  fence: fence(1),
  claim: { token: token('mine'), until: 61_000 },
  ...over,
  status: 'running',
});
export const waiting = (over: Partial<WaitingForPerson> = {}): WaitingForPerson => ({
  ...frame,
  fence: fence(1),
  pausedAt: 2_000,
  expectsData: false,
  pauseGeneration: 1,
  status: 'waiting_for_input',
  ...over,
});
export const ended = (status: Ended['status']): Ended => ({ ...frame, fence: fence(1), status });
export const failed = (): Failed => ({
  ...frame,
  fence: fence(1),
  status: 'failed',
  reason: 'AGENT_FAILED',
});

/** Any run that the code can build. */
export const anyRun: fc.Arbitrary<Run> = fc
  .record({
    revision: fc.integer({ min: 1, max: 50 }),
    lag: fc.integer({ min: 0, max: 50 }),
    fence: fc.integer({ min: 0, max: 5 }),
    attempts: fc.integer({ min: 0, max: 3 }),
    statusAt: fc.integer({ min: 0, max: 100_000 }),
    deadlineAt: fc.integer({ min: 0, max: 200_000 }),
    due: fc.integer({ min: 0, max: 200_000 }),
    /** How far its webhooks were told; undefined: it has none. */
    told: fc.option(fc.integer({ min: 0, max: 50 }), { nil: undefined }),
    status: fc.constantFrom<Run['status']>(...RUN_STATUSES, 'purging', 'unknown'),
  })
  .map((drawn): Run => {
    const base: RunFrame = {
      ...frame,
      revision: revision(drawn.revision),
      projectedRevision: revision(Math.max(0, drawn.revision - drawn.lag)),
      // Whatever is not in its first queue was claimed before.
      fence: fence(drawn.status === 'queued' ? drawn.fence : Math.max(1, drawn.fence)),
      attempts: drawn.attempts,
      statusAt: drawn.statusAt,
      deadlineAt: drawn.deadlineAt,
      ...(drawn.told !== undefined && {
        webhooks: { ids: ['a', 'b'], key: new Uint8Array([3]), told: revision(drawn.told) },
      }),
    };
    switch (drawn.status) {
      case 'queued':
        return { ...base, status: 'queued', notBefore: drawn.due };
      case 'running':
        return { ...base, status: 'running', claim: { token: token('mine'), until: drawn.due } };
      case 'waiting_for_input':
      case 'waiting_for_approval':
        return { ...base, status: drawn.status, pausedAt: drawn.statusAt, expectsData: false };
      case 'waiting_for_dependency':
        return { ...base, status: drawn.status, pausedAt: drawn.statusAt, dependency };
      case 'failed':
        return { ...base, status: 'failed', reason: 'AGENT_FAILED' };
      case 'unknown':
        return { ...base, status: 'unknown', stored: 'waiting_for_the_moon' };
      case 'purging':
      case 'completed':
      case 'cancelled':
      case 'rejected':
        return { ...base, status: drawn.status };
    }
  });
