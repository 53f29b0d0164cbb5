import { expect, it } from 'vitest';
import { token } from '../../test/doubles/runs.ts';
import { afterFailure, type Delivery, deliveryDueAt, taken, unparked } from './delivery.ts';

const claim = { token: token('mine'), until: 9_000 };
const waits: Delivery = { status: 'waiting', nextAt: 5_000, failures: 2, reason: 'timeout' };
const held: Delivery = { status: 'delivering', claim: { ...claim, until: 5_000 }, failures: 1 };
const parked: Delivery = { status: 'parked', parkedAt: 1, failures: 8, reason: 'http 502' };

it.each<[Delivery, number | null, number | undefined]>([
  [{ status: 'idle' }, null, 0],
  [waits, 5_000, 2],
  [held, 5_000, 1],
  [parked, null, undefined],
])(
  'a delivery that is $status is taken when it is due, with the failures so far',
  (delivery, at, failures) => {
    expect(deliveryDueAt(delivery)).toBe(at);
    const next = taken(delivery, claim, 5_000);
    expect(next).toEqual(
      failures === undefined ? undefined : { status: 'delivering', claim, failures },
    );
    expect(taken(delivery, claim, 4_999) === undefined).toBe(delivery.status !== 'idle');
  },
);

it('an attempt that failed waits for its pause, the last one parks the delivery', () => {
  const failure = { now: 6_000, reason: 'timeout', pause: (so: number) => so * 100, attempts: 3 };
  const again = { status: 'waiting', nextAt: 6_200, failures: 2, reason: 'timeout' };
  expect(afterFailure(held, failure)).toEqual(again);
  const last = { status: 'parked', parkedAt: 6_000, failures: 2, reason: 'timeout' };
  expect(afterFailure(held, { ...failure, attempts: 2 })).toEqual(last);
});

it('only a parked delivery begins again, at once and without its failures', () => {
  const again = { status: 'waiting', nextAt: 7_000, failures: 0, reason: 'http 502' };
  expect(unparked(parked, 7_000)).toEqual(again);
  expect(unparked(waits, 7_000)).toBeUndefined();
});
