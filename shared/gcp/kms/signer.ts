import { createHash, createPublicKey } from 'node:crypto';
import { z } from 'zod';
import type { PublicJwk } from '../../domain/jws.ts';
import { ServiceRefused } from '../../ports/faults.ts';
import type { Signer } from '../../ports/signer.ts';
import { repeatedCall } from '../repeated-call.ts';
import { KmsClient } from './client.ts';
import { crc32c } from './crc32c.ts';
import { DamagedOnTheWay, faultOf } from './outcome.ts';

export interface KmsSignerOptions {
  /** `projects/P/locations/L/keyRings/R/cryptoKeys/K/cryptoKeyVersions/1`. */
  readonly keyVersion: string;
  readonly endpoint?: string;
  /** A call that has no answer after this many milliseconds is given up. */
  readonly deadline?: number;
}

const ALGORITHM = 'EC_SIGN_P256_SHA256';
/** Of r and of s, each (RFC 7518 section 3.4). */
const HALF = 32;

const checksum = z.coerce.number();
const published = z.object({ pem: z.string(), algorithm: z.string(), pemCrc32c: checksum });
const made = z.object({
  signature: z.base64(),
  signatureCrc32c: checksum,
  verifiedDigestCrc32c: z.literal(true),
});

/** A version of an asymmetric key of Cloud KMS, which never leaves it. */
export function createKmsSigner({ keyVersion, ...options }: KmsSignerOptions): Signer {
  const { deadline = 5_000, endpoint = 'https://cloudkms.googleapis.com' } = options;
  const client = new KmsClient({ endpoint });
  const calling = { what: 'Cloud KMS', deadline, faultOf };
  return {
    publicKey: () =>
      repeatedCall(calling, async (allowed) => {
        const answer = published.safeParse(await client.read(`${keyVersion}/publicKey`, allowed));
        if (!answer.success) throw new DamagedOnTheWay();
        const { algorithm, pem, pemCrc32c } = answer.data;
        if (crc32c(Buffer.from(pem)) !== pemCrc32c) throw new DamagedOnTheWay();
        if (algorithm !== ALGORITHM) {
          const wrong = new Error(`${keyVersion} is for ${algorithm}; it must be ${ALGORITHM}`);
          throw new ServiceRefused('KeysRefused', 'Cloud KMS', wrong);
        }
        return jwkOf(pem);
      }),
    sign: (input) =>
      repeatedCall(calling, async (allowed) => {
        const digest = createHash('sha256').update(input).digest();
        const request = {
          digest: { sha256: digest.toString('base64') },
          digestCrc32c: String(crc32c(digest)),
        };
        const called = await client.call(keyVersion, 'asymmetricSign', request, allowed);
        const answer = made.safeParse(called);
        if (!answer.success) throw new DamagedOnTheWay();
        const signature = Buffer.from(answer.data.signature, 'base64');
        if (crc32c(signature) !== answer.data.signatureCrc32c) throw new DamagedOnTheWay();
        return joined(signature);
      }),
  };
}

function jwkOf(pem: string): PublicJwk {
  const { kty = '', crv = '', x = '', y = '' } = createPublicKey(pem).export({ format: 'jwk' });
  return { kty, crv, x, y };
}

/** KMS answers in DER, a sequence of two integers; JWS has them side by side at full length. */
function joined(der: Buffer): Uint8Array {
  const [r, next] = integerAt(der, 2);
  const [s, end] = integerAt(der, next);
  if (der[0] !== 0x30 || end !== der.length) throw new DamagedOnTheWay();
  return Buffer.concat([r, s]);
}

function integerAt(der: Buffer, at: number): readonly [Buffer, number] {
  const end = at + 2 + (der[at + 1] ?? 0);
  const bytes = der.subarray(at + 2, end);
  const digits = bytes.subarray(Math.max(0, bytes.length - HALF));
  const surplus = bytes.subarray(0, Math.max(0, bytes.length - HALF));
  if (der[at] !== 2 || surplus.some((byte) => byte !== 0)) throw new DamagedOnTheWay();
  return [Buffer.concat([Buffer.alloc(HALF - digits.length), digits]), end];
}
