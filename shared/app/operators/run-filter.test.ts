import { describe, expect, it } from 'vitest';
import {
  dependency,
  depending,
  ended,
  failed,
  frame,
  queued,
  running,
  waiting,
} from '../../../test/doubles/runs.ts';
import { NOTHING_SPENT } from '../../domain/budget.ts';
import type { Run } from '../../domain/run.ts';
import { isWanted, OPEN_STATUSES, type RunFilter, statusesOf } from './run-filter.ts';

const own: Run = { ...failed(), owner: 'ada', tenant: 'one', statusAt: 2_000 };
const costly: Run = { ...own, spent: { ...NOTHING_SPENT, cost: 7 } };
const unknownSend = depending({ dependency: { ...dependency, operation: null } });
const blocked = queued({ blocked: { since: 1, changes: [], digest: 'd' } });
const newer: Run = { ...frame, status: 'unknown', stored: 'newer' };

describe('the runs that an operator means', () => {
  it.each<[RunFilter, Run, boolean]>([
    [{}, own, true],
    [{ agent: 'agent' }, own, true],
    [{ agent: 'other' }, own, false],
    [{ context: 'context-1' }, own, true],
    [{ context: 'other' }, own, false],
    [{ caller: 'ada', tenant: 'one' }, own, true],
    [{ caller: 'ada' }, own, false],
    [{ caller: 'ada', tenant: 'two' }, own, false],
    [{ caller: 'ben', tenant: 'one' }, own, false],
    [{ tenant: 'two' }, own, true],
    [{ reason: 'AGENT_FAILED' }, own, true],
    [{ reason: 'WAIT_ENDED' }, own, false],
    [{ reason: 'AGENT_FAILED' }, ended('completed'), false],
    [{ since: 2_000 }, own, true],
    [{ since: 2_001 }, own, false],
    [{ until: 2_001 }, own, true],
    [{ until: 2_000 }, own, false],
    [{ startedSince: 1_000 }, own, true],
    [{ startedSince: 1_001 }, own, false],
    [{ startedUntil: 1_001 }, own, true],
    [{ startedUntil: 1_000 }, own, false],
    [{ minCost: 7 }, costly, true],
    [{ minCost: 8 }, costly, false],
    [{ waitingFor: 'unknown-send' }, unknownSend, true],
    [{ waitingFor: 'unknown-send' }, depending(), false],
    [{ waitingFor: 'unknown-send' }, queued(), false],
    [{ waitingFor: 'blocked' }, blocked, true],
    [{ waitingFor: 'blocked' }, queued(), false],
    [{ status: 'open' }, waiting(), true],
    [{ status: 'open' }, newer, true],
    [{ status: 'open' }, own, false],
    [{ status: 'ended' }, own, true],
    [{ status: 'ended' }, running(), false],
    [{ status: 'queued' }, queued(), true],
    [{ status: 'queued' }, running(), false],
    [{ status: 'queued' }, queued({ asleep: true }), true],
    [{ status: 'sleeping' }, queued({ asleep: true }), true],
    [{ status: 'sleeping' }, queued(), false],
    [{ status: 'sleeping' }, running(), false],
    [{ status: 'waiting_for_circuit' }, queued({ circuit: 'r' }), true],
    [{ status: 'waiting_for_circuit' }, queued(), false],
    [{ status: 'waiting_for_event' }, queued({ awaits: ['paid'] }), true],
    [{ status: 'waiting_for_event' }, queued(), false],
    [{ status: 'newer' }, newer, true],
    [{ status: 'unknown' }, newer, false],
    [{ agent: 'agent', status: 'failed', since: 2_001 }, own, false],
  ])('of %j', (filter, run, is) => {
    expect(isWanted(run, filter)).toBe(is);
  });

  it('are never those that are being removed', () => {
    expect(isWanted({ ...frame, status: 'purging' }, {})).toBe(false);
  });

  it('have one of the statuses that the filter names', () => {
    expect(statusesOf({})).toBeUndefined();
    expect(statusesOf({ status: 'newer' })).toEqual(['newer']);
    expect(statusesOf({ status: 'waiting_for_event' })).toEqual(['queued']);
    expect(statusesOf({ status: 'open' })).toEqual(OPEN_STATUSES);
    expect(statusesOf({ status: 'ended' })?.toSorted()).toEqual([
      'cancelled',
      'completed',
      'failed',
      'rejected',
    ]);
  });
});
