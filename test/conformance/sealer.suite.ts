import { describe, expect, test } from 'vitest';
import type { Sealer } from '../../shared/ports/sealer.ts';

export interface OpenedSealer {
  readonly sealer: Sealer;
  /** The same key service, opened once more. */
  readonly again: Sealer;
  /** One with another key. */
  readonly foreign: Sealer;
}

/** Data keys. */
export function sealerSuite(name: string, open: () => Promise<OpenedSealer>): void {
  describe(`${name}: data keys`, () => {
    const unreadable = { name: 'Unreadable', advice: 'stop' };

    test('a new key has 32 bytes, and its wrapped form opens to it again, also elsewhere', async () => {
      const { sealer, again } = await open();
      const { plain, wrapped } = await sealer.newKey();
      expect(plain).toHaveLength(32);
      expect(await sealer.unwrap(wrapped)).toEqual(plain);
      expect(await again.unwrap(wrapped)).toEqual(plain);
    });

    test('no key is given twice, and none shows in its wrapped form', async () => {
      const { sealer } = await open();
      const keys = await Promise.all(Array.from({ length: 100 }, () => sealer.newKey()));
      expect(new Set(keys.map(({ plain }) => Buffer.from(plain).toString('hex'))).size).toBe(100);
      for (const { plain, wrapped } of keys) {
        expect(Buffer.from(wrapped).includes(Buffer.from(plain.subarray(0, 8)))).toBe(false);
      }
    });

    test('a key that another service wrapped is unreadable', async () => {
      const { sealer, foreign } = await open();
      const { wrapped } = await foreign.newKey();
      await expect(sealer.unwrap(wrapped)).rejects.toMatchObject(unreadable);
    });

    test('a key that is wrapped by the newest key needs no new wrapping', async () => {
      const { sealer, foreign } = await open();
      expect(await sealer.rewrap((await sealer.newKey()).wrapped)).toBeUndefined();
      const { wrapped } = await foreign.newKey();
      await expect(sealer.rewrap(wrapped)).rejects.toMatchObject(unreadable);
    });

    test('a wrapped key with one bit changed, cut short or grown is unreadable', async () => {
      const { sealer } = await open();
      const { wrapped } = await sealer.newKey();
      const damaged = Array.from(wrapped, (_, at) =>
        wrapped.map((byte, n) => (n === at ? byte ^ 1 : byte)),
      );
      const all = [...damaged, wrapped.subarray(1), wrapped.subarray(0, -1), new Uint8Array(0)];
      for (const each of [...all, Uint8Array.of(...wrapped, 0)]) {
        await expect(sealer.unwrap(each)).rejects.toMatchObject(unreadable);
      }
    });
  });
}
