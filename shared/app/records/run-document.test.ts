import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  anyRun,
  dependency,
  depending,
  queued,
  running,
  waiting,
} from '../../../test/doubles/runs.ts';
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

  it('that waits for nothing that has a name is unreadable, not at rest', () => {
    expect(() => runCodec.decode({ ...OLDEST, status: 'waiting_for_dependency' }, path)).toThrow(
      /can't be read/,
    );
  });
});
