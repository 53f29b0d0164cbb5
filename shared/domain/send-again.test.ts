import { describe, expect, it } from 'vitest';
import { dependency, depending, waiting } from '../../test/doubles/runs.ts';
import { sendAgain } from './waiting.ts';

const unknown = depending({
  dependency: { ...dependency, operation: null, polls: 7, failures: 2 },
});
const next = { sendId: 'send-2', nextPollAt: 30_000 };

describe('an operator who sends again', () => {
  it('makes the run wait for the new send, within the same deadline, and pays for it', () => {
    expect(sendAgain(unknown, 1, 'send-1', next, 100)).toEqual({
      ...unknown,
      spent: { ...unknown.spent, delegations: 1, bytes: 100 },
      dependency: { ...unknown.dependency, ...next, polls: 0, failures: 0 },
    });
  });

  it('pays nothing for what never left', () => {
    expect(sendAgain(unknown, 1, 'send-1', next, undefined)?.spent).toEqual(unknown.spent);
  });

  it.each([
    ['whose remote task is known', depending(), 1, 'send-1'],
    ['that waits for another send', unknown, 1, 'send-0'],
    ['of an earlier suspension', unknown, 2, 'send-1'],
    ['that waits for a person', waiting(), 1, 'send-1'],
  ])('changes nothing of a run %s', (_, run, generation, sendId) => {
    expect(sendAgain(run, generation, sendId, next, 100)).toBeUndefined();
  });
});
