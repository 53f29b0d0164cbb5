import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  anyRun,
  dependency,
  depending,
  failed,
  frame,
  queued,
  running,
  waiting,
} from '../../../test/doubles/runs.ts';
import { NOTHING_SPENT } from '../../domain/budget.ts';
import { revision } from '../../domain/ids.ts';
import type { Run } from '../../domain/run.ts';
import type { Fields } from '../../ports/backend.ts';
import { runCodec } from './run-document.ts';

const path = 'runs/00000000-0000-4000-8000-000000000001';

/**
 * A row as the first version wrote it, kept as it was: before ceilings, purging, steps and remote
 * agents.
 */
const OLDEST: Fields = {
  v: 1,
  taskId: '00000000-0000-4000-8000-000000000001',
  contextId: 'context-1',
  agent: 'agent',
  tenant: '',
  owner: '',
  scope: 'scope',
  status: 'running',
  revision: 2,
  projectedRevision: 1,
  fence: 1,
  attempts: 0,
  pauseGeneration: 0,
  inputRevision: 1,
  createdAt: 1_000,
  statusAt: 2_000,
  deadlineAt: 90_000,
  answerCeiling: 'full',
  auditCeiling: 'full',
  wrappedKey: new Uint8Array([1]),
  commitId: 'commit',
  claimToken: 'mine',
  claimUntil: 60_000,
  shard: 0,
  dueAt: 60_000,
};

describe('the row of a run', () => {
  it('is read as it was written, whatever its status', () => {
    fc.assert(
      fc.property(anyRun, (run) => {
        const fields = runCodec.encode(run);
        // What this version can't read it keeps as it is.
        const kept = run.status === 'unknown' ? { row: fields } : {};
        expect(runCodec.decode(fields, path)).toEqual({ ...run, ...kept });
      }),
    );
  });

  it('keeps what a suspended, a paused and a working run have besides', () => {
    const orphan = {
      remote: 'remote',
      sendId: 'send-1',
      operation: new Uint8Array([3]),
      at: 9_000,
      attempts: 1,
    };
    const times = { fence: running().fence, enqueued: 1, dispatched: 2, claimed: 3 };
    const spent = { rounds: 3, tokens: 400, cost: 5, delegations: 2, bytes: 600 };
    const tool = { kind: 'tool', name: 'pay', facets: { effect: 'once' } } as const;
    const change = { kind: 'tool', name: 'pay', facets: ['effect'], now: 'other' } as const;
    const blocked = { since: 5, digest: 'digest', changes: [change] };
    for (const run of [
      depending({ dependency: { ...dependency, operation: null, polls: 7 } }),
      waiting({ status: 'waiting_for_approval', digest: 'digest' }),
      running({ steps: 4, spent, effect: 'call', payloadKey: new Uint8Array([9]) }),
      queued({ continuation: { kind: 'decision', generation: 2 }, orphans: [orphan] }),
      running({ segments: [{ ...times, committed: 4 }, times] }),
      waiting({ pins: [{ callId: 'call-1', ...tool }] }),
      queued({ pins: [{ callId: 'call-1', ...tool }], blocked }),
      depending({ blocked: { ...blocked, accepted: true } }),
    ])
      expect(runCodec.decode(runCodec.encode(run), path)).toEqual(run);
  });

  it('keeps each thing that a row may have besides, and has no field for what it has not', () => {
    const bytes = new Uint8Array([5]);
    const use = {
      model: 'm',
      turns: 1,
      input: 2,
      output: 3,
      cached: 4,
      reasoning: 5,
      cost: 6,
      unpriced: 7,
    };
    const files = { repository: 'r', form: 'git' } as const;
    const commit = { id: 'c', tree: 't', count: 1, bytes: 2 };
    const all: readonly Run[] = [
      queued({ circuit: 'remote' }),
      queued({ asleep: true, awaits: ['paid', 'sent'] }),
      queued({ models: [use], lastModel: 'm', uncounted: [{ ...use, day: 9 }] }),
      queued({ earlierCommits: ['one', 'two'], archived: { revision: 1, generation: 'g' } }),
      queued({ trail: { level: 'full', key: bytes, until: 9, last: bytes } }),
      queued({ sending: { remote: 'r', sendId: 's' }, signals: 2, endedAt: 3 }),
      queued({ acts: [{ kind: 'retry', at: 1, task: 't', operator: bytes }] }),
      queued({ files }),
      queued({ files: { ...files, commit, dueAt: 8 } }),
      queued({ origin: { kind: 'fork', taskId: frame.taskId, steps: 2 } }),
      queued({ webhooks: { ids: ['a'], key: bytes, told: revision(1) } }),
      queued({ errors: [{ at: 1, where: 'agent', attempt: 1, fault: 'TypeError', words: bytes }] }),
      queued({
        orphans: [{ remote: 'remote', sendId: 'send-1', operation: null, at: 1, attempts: 1 }],
      }),
      waiting({ auth: true, expectsData: true }),
      { ...failed(), reason: 'WAIT_ENDED' },
    ];
    for (const run of all)
      expect(runCodec.decode(runCodec.encode(run), path)).toStrictEqual({ ...run });
    expect(Object.values(runCodec.encode(queued())).includes(undefined as never)).toBe(false);
  });

  it('says in fields of their own what lists and sweeps look for', () => {
    const asks = depending({ dependency: { ...dependency, operation: null } });
    const blocked = { since: 5, digest: 'digest', changes: [] };
    expect(runCodec.encode(asks)).toMatchObject({ attention: 'unknown-send' });
    expect(runCodec.encode(queued({ blocked }))).toMatchObject({ attention: 'blocked' });
    for (const run of [queued(), depending()])
      expect(runCodec.encode(run)).not.toHaveProperty('attention');
    expect(runCodec.encode(queued())).not.toHaveProperty('cost');
    expect(runCodec.encode(queued({ spent: { ...NOTHING_SPENT, cost: 5 } }))).toMatchObject({
      cost: 5,
    });
    expect(runCodec.encode(queued({ uncounted: [] }))).toMatchObject({ countAt: 1_000 });
    // Its worker would be in the way of the count until its claim is over.
    expect(runCodec.encode(running({ uncounted: [] }))).toMatchObject({ countAt: 61_000 });
    expect(runCodec.encode(queued())).not.toHaveProperty('countAt');
  });

  it('of the first version is read with nothing spent and no steps', () => {
    expect(runCodec.decode(OLDEST, path)).toMatchObject({
      status: 'running',
      steps: 0,
      spent: { rounds: 0, tokens: 0, cost: 0, delegations: 0, bytes: 0 },
      segments: [],
      archive: 'standard',
      hasInput: false,
      purgeAt: null,
    });
  });

  it('with a status of a newer version is open, and written back as it was', () => {
    const row = { ...OLDEST, status: 'waiting_for_the_moon', dueAt: 77, moon: { phase: 'new' } };
    const run = runCodec.decode(row, path);
    expect(run.status).toBe('unknown');
    expect(runCodec.encode({ ...run, wrappedKey: new Uint8Array([8]) })).toMatchObject({
      ...row,
      wrappedKey: new Uint8Array([8]),
    });
  });

  it('that lacks what every row has is unreadable', () => {
    const { scope, ...rest } = OLDEST;
    expect(scope).toBe('scope');
    expect(() => runCodec.decode(rest, path)).toThrow(/can't be read/);
  });

  it('that waits for nothing that has a name is unreadable, not at rest', () => {
    expect(() => runCodec.decode({ ...OLDEST, status: 'waiting_for_dependency' }, path)).toThrow(
      /can't be read/,
    );
  });
});
