import { describe, expect, it } from 'vitest';
import {
  depending,
  ended,
  failed,
  frame,
  queued,
  running,
  waiting,
} from '../../test/doubles/runs.ts';
import type { Blocked } from './blocked.ts';
import { fence } from './ids.ts';
import { isBlocked, isEnded, type Run, stateOf, tryOf, unblocked, waitsForPerson } from './run.ts';
import { isSettled, isTerminal } from './status.ts';

const blocked: Blocked = { since: 1, changes: [], digest: 'd' };
const accepted: Blocked = { ...blocked, accepted: true };

describe('the state that a caller sees', () => {
  it.each<[Run, string, 'open' | 'asks' | 'over']>([
    [queued(), 'SUBMITTED', 'open'],
    [queued({ fence: fence(1) }), 'WORKING', 'open'],
    [running(), 'WORKING', 'open'],
    [depending(), 'WORKING', 'open'],
    [{ ...frame, status: 'unknown', stored: 'newer' }, 'WORKING', 'open'],
    [waiting(), 'INPUT_REQUIRED', 'asks'],
    [waiting({ auth: true }), 'AUTH_REQUIRED', 'asks'],
    [waiting({ status: 'waiting_for_approval' }), 'AUTH_REQUIRED', 'asks'],
    [ended('completed'), 'COMPLETED', 'over'],
    [ended('cancelled'), 'CANCELED', 'over'],
    [ended('rejected'), 'REJECTED', 'over'],
    [failed(), 'FAILED', 'over'],
    [{ ...frame, status: 'purging' }, 'FAILED', 'over'],
  ])(
    'of a run in $status is one of A2A’s, which says whether it is over or asks',
    (run, state, is) => {
      expect(stateOf(run)).toBe(state);
      expect(isTerminal(state)).toBe(is === 'over');
      expect(isSettled(state)).toBe(is !== 'open');
      expect(waitsForPerson(run)).toBe(is === 'asks');
      expect(isEnded(run)).toBe(is === 'over' && run.status !== 'purging');
    },
  );
});

describe('a run that is blocked', () => {
  it.each<[Run, boolean]>([
    [queued({ blocked }), true],
    [depending({ blocked }), true],
    [running({ blocked }), false],
    [waiting({ blocked }), false],
    [queued({ blocked: accepted }), false],
    [queued(), false],
  ])('waits in the queue or for a remote, until an operator accepts what changed', (run, is) => {
    expect(isBlocked(run)).toBe(is);
  });

  it('goes on without the block, unless an operator accepted it: that counts until its turn is over', () => {
    expect(unblocked(queued({ blocked }))).toEqual(queued());
    expect(unblocked(queued({ blocked: accepted })).blocked).toEqual(accepted);
    expect(unblocked(queued())).toEqual(queued());
  });
});

it('a try is the first, and one more for each attempt and each repeat before it', () => {
  expect(tryOf({ attempts: 0 })).toBe(1);
  expect(tryOf({ attempts: 2, repeats: 3 })).toBe(6);
});
