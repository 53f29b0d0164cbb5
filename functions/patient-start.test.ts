import { expect, test } from 'vitest';
import { Unavailable } from '../shared/ports/faults.ts';
import { VirtualClock } from '../testing/virtual-clock.ts';
import { patiently } from './patient-start.ts';
import { BadConfiguration } from './settings.ts';

test('a start waits for a store that is away for a moment', async () => {
  const clock = new VirtualClock();
  const faults = [new Unavailable('Firestore'), new Unavailable('Firestore')];
  const starting = patiently(() => {
    const [fault] = faults.splice(0, 1);
    return fault === undefined ? Promise.resolve('serves') : Promise.reject(fault);
  }, clock);
  await clock.advance(2_000);
  expect(await starting).toBe('serves');
});

test('a start ends at once where waiting can not help, and after a while where it could have', async () => {
  const clock = new VirtualClock();
  const wrong = patiently(() => Promise.reject(new BadConfiguration('no key')), clock);
  await expect(wrong).rejects.toThrow('no key');
  const away = expect(
    patiently(() => Promise.reject(new Unavailable('Firestore')), clock),
  ).rejects.toThrow('unavailable');
  await clock.advance(10_000);
  await away;
});
