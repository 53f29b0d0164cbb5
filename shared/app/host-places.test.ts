import { describe, expect, test } from 'vitest';
import { settled, VirtualClock } from '../../testing/virtual-clock.ts';
import { HostPlaces } from './host-places.ts';

const HOST = 'hooks.example';

describe('the places at one host', () => {
  test('are so many, and each is given back', async () => {
    const places = new HostPlaces(new VirtualClock(), 2);
    const one = await places.take(HOST);
    const two = await places.take(HOST);
    expect([one, two].every((each) => typeof each === 'function')).toBe(true);
    const third = places.take(HOST);
    two?.();
    expect(await third).toBeTypeOf('function');
    expect(await places.take('other.example')).toBeTypeOf('function');
  });

  test('are waited for in turn where the host answers', async () => {
    const clock = new VirtualClock();
    const places = new HostPlaces(clock, 1);
    const order: number[] = [];
    const first = await places.take(HOST);
    const others = [1, 2, 3].map(async (each) => {
      const leave = await places.take(HOST);
      order.push(each);
      leave?.();
    });
    await clock.advance(500);
    first?.();
    await Promise.all(others);
    expect(order).toEqual([1, 2, 3]);
  });

  test('are not waited for where it does not', async () => {
    const clock = new VirtualClock();
    const places = new HostPlaces(clock, 1);
    const first = await places.take(HOST);
    const early = places.take(HOST);
    await clock.advance(1_000);
    expect(await early).toBeUndefined();
    expect(await places.take(HOST)).toBeUndefined();
    first?.();
    expect(await places.take(HOST)).toBeTypeOf('function');
  });

  test('leave nothing behind: neither a place nor a timer', async () => {
    const clock = new VirtualClock();
    const places = new HostPlaces(clock, 1);
    const first = await places.take(HOST);
    const second = places.take(HOST);
    await settled();
    first?.();
    (await second)?.();
    expect(clock.waiting).toBe(0);
  });
});
