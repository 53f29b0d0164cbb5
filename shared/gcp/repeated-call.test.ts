import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { Fault, isFault, Unavailable } from '../ports/faults.ts';
import { repeatedCall } from './repeated-call.ts';

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
});

const options = {
  what: 'the service',
  deadline: 5_000,
  first: 1_500,
  faultOf: (error: unknown) =>
    isFault(error) ? error : new Fault('Refused', 'stop', 'refused', error),
};

test('a first attempt without an answer leaves time for a second one', async () => {
  const allowed: number[] = [];
  const call = repeatedCall(options, async (deadline) => {
    allowed.push(deadline);
    return allowed.length === 1 ? new Promise<never>(() => {}) : 'well';
  });
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await call).toBe('well');
  expect(allowed[0]).toBe(1_500);
  expect(allowed[1]).toBeGreaterThan(2_900);
});

test('all attempts together end at the deadline', async () => {
  const outcome = expect(repeatedCall(options, () => new Promise<never>(() => {}))).rejects.toThrow(
    Unavailable,
  );
  await vi.advanceTimersByTimeAsync(5_000);
  await outcome;
});

test('a passing fault is tried four times, a refusal once', async () => {
  const passing = vi.fn(async () => Promise.reject(new Unavailable('it')));
  const outcome = expect(repeatedCall(options, passing)).rejects.toThrow(Unavailable);
  await vi.advanceTimersByTimeAsync(5_000);
  await outcome;
  expect(passing).toHaveBeenCalledTimes(4);
  const refused = vi.fn(async () => Promise.reject(new Error('no')));
  await expect(repeatedCall(options, refused)).rejects.toThrow('refused');
  expect(refused).toHaveBeenCalledTimes(1);
});
