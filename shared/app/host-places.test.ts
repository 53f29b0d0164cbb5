import { describe, expect, test } from 'vitest';
import { settled, VirtualClock } from '../../testing/virtual-clock.ts';
import { HostPlaces } from './host-places.ts';

const HOST = 'hooks.example';
const of = (pushHost: number) => ({ pushHost, pushSlow: 20 });

describe('the places at one host', () => {
  test('are so many, and each is given back', async () => {
    const places = new HostPlaces(new VirtualClock(), of(2));
    const one = await places.take(HOST);
    const two = await places.take(HOST);
    expect([one, two]).not.toContain(undefined);
    const third = places.take(HOST);
    two?.leave();
    expect(await third).toBeDefined();
    expect(await places.take('other.example')).toBeDefined();
  });

  test('are waited for in turn where the host answers', async () => {
    const clock = new VirtualClock();
    const places = new HostPlaces(clock, of(1));
    const order: number[] = [];
    const first = await places.take(HOST);
    const others = [1, 2, 3].map(async (each) => {
      const place = await places.take(HOST);
      order.push(each);
      place?.leave();
    });
    await clock.advance(500);
    first?.leave();
    await Promise.all(others);
    expect(order).toEqual([1, 2, 3]);
  });

  test('are not waited for where it does not', async () => {
    const clock = new VirtualClock();
    const places = new HostPlaces(clock, of(1));
    const first = await places.take(HOST);
    const early = places.take(HOST);
    await clock.advance(1_000);
    expect(await early).toBeUndefined();
    expect(await places.take(HOST)).toBeUndefined();
    first?.leave();
    expect(await places.take(HOST)).toBeDefined();
  });

  test('leave nothing behind: neither a place nor a timer', async () => {
    const clock = new VirtualClock();
    const places = new HostPlaces(clock, of(1));
    const first = await places.take(HOST);
    const second = places.take(HOST);
    await settled();
    first?.leave();
    (await second)?.leave();
    expect(clock.waiting).toBe(0);
  });

  test('of all hosts are few where they are slow: half of two hundred stall, and the others are told on time', async () => {
    const clock = new VirtualClock();
    const places = new HostPlaces(clock, of(16));
    const notifications = Array.from({ length: 200 }, (_, n) => n);
    const toldAt: number[] = [];
    const began = clock.now();
    const deliver = async () => {
      for (let n = notifications.shift(); n !== undefined; n = notifications.shift()) {
        const place = await places.take(`hooks-${n}.example`);
        if (place === undefined) throw new Error('a host of its own has a place');
        if (n % 2 === 0) await Promise.race([clock.sleep(15_000), aborted(place.givenUp)]);
        else await clock.sleep(50).then(() => toldAt.push(clock.now() - began));
        place.leave();
      }
    };
    // As many as an instance of the push function delivers at once.
    const working = Promise.all(Array.from({ length: 40 }, deliver));
    await clock.advance(5_000);
    expect(toldAt).toHaveLength(100);
    await clock.advance(30_000);
    await working;
    expect(clock.waiting).toBe(0);
  });

  test('of a host that answers late are kept, as long as few are slow', async () => {
    const clock = new VirtualClock();
    const places = new HostPlaces(clock, { pushHost: 16, pushSlow: 1 });
    const first = await places.take(HOST);
    const second = await places.take('other.example');
    await clock.advance(1_000);
    expect([first?.givenUp.aborted, second?.givenUp.aborted]).toEqual([false, true]);
    first?.leave();
    const third = await places.take('third.example');
    await clock.advance(14_000);
    expect(third?.givenUp.aborted).toBe(false);
  });
});

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve());
  });
