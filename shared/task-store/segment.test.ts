import fc from 'fast-check';
import { expect, test } from 'vitest';
import { segmentOf } from './segment.ts';

const id = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({
    unit: fc.constantFrom('/', '.', '%', '2', 'E', 'F', 'a', 'A', 'ä', '\0'),
    maxLength: 8,
  }),
);

test('two ids never share a segment, and each is one plain path segment (G21)', () => {
  fc.assert(
    fc.property(id, id, (a, b) => {
      const [of, other] = [segmentOf(a), segmentOf(b)];
      if (of === undefined) return;
      expect(of).toMatch(/^(?:[A-Za-z0-9_~@=+-]|%[0-9A-F]{2}){1,200}$/);
      expect(decodeURIComponent(of)).toBe(a);
      expect(of === other).toBe(a === b);
    }),
    { numRuns: 5_000 },
  );
});

test('a UUID is itself, and what is empty, too long or no Unicode has none', () => {
  const uuid = '5b0c9f0e-0c4b-4f3e-9a53-3d1f6b3f3c11';
  expect(segmentOf(uuid)).toBe(uuid);
  expect(segmentOf('x'.repeat(200))).toBe('x'.repeat(200));
  for (const bad of ['', 'x'.repeat(201), '.'.repeat(67), '\ud800', 'a\udc00b']) {
    expect(segmentOf(bad)).toBeUndefined();
  }
});
