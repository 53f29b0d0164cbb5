import { createSecretKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { expand, Subkeys } from './subkeys.ts';

test('a key for a use is what RFC 5869 derives (appendix A.1, its first 32 bytes)', () => {
  const prk = '077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5';
  const key = createSecretKey(Buffer.from(prk, 'hex'));
  expect(expand(key, Buffer.from('f0f1f2f3f4f5f6f7f8f9', 'hex')).toString('hex')).toBe(
    '3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf',
  );
});

test('each use has a key of its own, the same for the same data key, and the bytes are wiped', () => {
  const bytes = new Uint8Array(32).fill(7);
  const keys = new Subkeys(bytes);
  expect(bytes).toEqual(new Uint8Array(32));
  const again = new Subkeys(new Uint8Array(32).fill(7));
  const uses = [
    'rows',
    'objects',
    'object nonces',
    'decisions',
    'held turns',
    'receipts',
    'summaries',
  ] as const;
  const exported = uses.map((use) => keys.for(use).export().toString('hex'));
  expect(new Set(exported).size).toBe(uses.length);
  expect(uses.map((use) => again.for(use).export().toString('hex'))).toEqual(exported);
  expect(exported).not.toContain(Buffer.alloc(32, 7).toString('hex'));
});
