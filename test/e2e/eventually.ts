import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual, inspect } from 'node:util';

/**
 * Reads what another process does until it is as wanted. Unlike expect.poll it also serves tests
 * that go on at one time.
 */
export async function eventually<T>(
  read: () => Promise<T> | T,
  wanted: T | ((value: T) => boolean),
  within = 30_000,
): Promise<T> {
  const fits = (value: T): boolean =>
    wanted instanceof Function ? wanted(value) : isDeepStrictEqual(value, wanted);
  const end = performance.now() + within;
  for (;;) {
    const value = await read();
    if (fits(value)) return value;
    if (performance.now() > end)
      throw new Error(`after ${within} ms it is ${inspect(value)}, not ${inspect(wanted)}`);
    await wait(30);
  }
}
