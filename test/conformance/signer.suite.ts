import { createPublicKey, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Signer } from '../../shared/ports/signer.ts';

export interface OpenedSigner {
  readonly signer: Signer;
  /** The same key, opened once more. */
  readonly again: Signer;
  /** Another key. */
  readonly foreign: Signer;
}

/** Keys that sign. */
export function signerSuite(name: string, open: () => Promise<OpenedSigner>): void {
  const holds = async (signer: Signer, input: Uint8Array, signature: Uint8Array) => {
    const jwk = await signer.publicKey();
    const key = createPublicKey({ key: { ...jwk }, format: 'jwk' });
    return verify('sha256', input, { key, dsaEncoding: 'ieee-p1363' }, signature);
  };

  test(`${name}: each signature has 64 bytes and holds by the public key, which has nothing of the private one`, async () => {
    const { signer, again, foreign } = await open();
    expect(Object.keys(await signer.publicKey()).sort()).toEqual(['crv', 'kty', 'x', 'y']);
    expect(await again.publicKey()).toEqual(await signer.publicKey());
    // So many that r and s begin with zeros, and with ones, now and then.
    for (let n = 0; n < 40; n += 1) {
      const input = new Uint8Array(Buffer.from(`input ${n}`.repeat(n)));
      const signature = await signer.sign(input);
      expect(signature).toHaveLength(64);
      expect(await holds(again, input, signature)).toBe(true);
      expect(await holds(foreign, input, signature)).toBe(false);
      expect(await holds(again, Buffer.from('other'), signature)).toBe(false);
    }
  });
}
