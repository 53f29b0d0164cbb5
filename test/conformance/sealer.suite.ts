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
    const missing = { name: 'KeyMissing', advice: 'wait' };
    const owner = 'runs/r';

    test('a new key has 32 bytes, and its wrapped form opens to it again, also elsewhere', async () => {
      const { sealer, again } = await open();
      const { plain, wrapped } = await sealer.newKey(owner);
      expect(plain).toHaveLength(32);
      expect(await sealer.unwrap(wrapped, owner)).toEqual(plain);
      expect(await again.unwrap(wrapped, owner)).toEqual(plain);
    });

    test('no key is given twice, and none shows in its wrapped form', async () => {
      const { sealer } = await open();
      const keys = await Promise.all(Array.from({ length: 100 }, () => sealer.newKey(owner)));
      expect(new Set(keys.map(({ plain }) => Buffer.from(plain).toString('hex'))).size).toBe(100);
      for (const { plain, wrapped } of keys) {
        expect(Buffer.from(wrapped).includes(Buffer.from(plain.subarray(0, 8)))).toBe(false);
      }
    });

    test("a key in another's row is unreadable, for `unwrap` and `rewrap` alike", async () => {
      const { sealer } = await open();
      const { wrapped } = await sealer.newKey(owner);
      for (const other of ['runs/s', 'runs/r ', '', 'r']) {
        await expect(sealer.unwrap(wrapped, other)).rejects.toMatchObject(unreadable);
        await expect(sealer.rewrap(wrapped, other)).rejects.toMatchObject(unreadable);
      }
    });

    test('a key that another service wrapped is missing, never gone: its service may come back', async () => {
      const { sealer, foreign } = await open();
      const { wrapped } = await foreign.newKey(owner);
      await expect(sealer.unwrap(wrapped, owner)).rejects.toMatchObject(missing);
      await expect(sealer.rewrap(wrapped, owner)).rejects.toMatchObject(missing);
    });

    test('a key that is wrapped by the newest key needs no new wrapping', async () => {
      const { sealer } = await open();
      const { wrapped } = await sealer.newKey(owner);
      expect(await sealer.rewrap(wrapped, owner)).toEqual({ kind: 'current' });
    });

    test('the keys at hand have names, and another service has others', async () => {
      const { sealer, again, foreign } = await open();
      const names = await sealer.keyNames();
      expect(names).toHaveLength(1);
      expect(await again.keyNames()).toEqual(names);
      expect(await foreign.keyNames()).not.toEqual(names);
    });

    test('a wrapped key with one bit changed, cut short or grown does not open', async () => {
      const { sealer } = await open();
      const { plain, wrapped } = await sealer.newKey(owner);
      const damaged = Array.from(wrapped, (_, at) =>
        wrapped.map((byte, n) => (n === at ? byte ^ 1 : byte)),
      );
      const all = [...damaged, wrapped.subarray(1), wrapped.subarray(0, -1), new Uint8Array(0)];
      const names: (string | undefined)[] = [];
      for (const each of [...all, Uint8Array.of(...wrapped, 0)]) {
        const outcome = await sealer.unwrap(each, owner).catch((error: unknown) => error);
        names.push(outcome instanceof Error ? outcome.name : undefined);
        // The number of a version is for `rewrap`, and opens nothing.
        if (!(outcome instanceof Error)) expect(outcome).toEqual(plain);
      }
      expect(names.filter((name) => name === undefined).length).toBeLessThanOrEqual(4);
      // Format and id say which key: changed, they name one that is not at hand. Behind them
      // nothing is forgiven.
      expect(names.slice(0, 9)).toEqual(Array.from({ length: 9 }, () => 'KeyMissing'));
      expect(names.slice(13, wrapped.byteLength)).toEqual(
        Array.from({ length: wrapped.byteLength - 13 }, () => 'Unreadable'),
      );
    });
  });
}
