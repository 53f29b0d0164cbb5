import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { Unreadable } from '../../ports/faults.ts';
import type { Sealer } from '../../ports/sealer.ts';
import { repeatedCall } from '../repeated-call.ts';
import { KmsClient } from './client.ts';
import { crc32c } from './crc32c.ts';
import { DamagedOnTheWay, faultOf, unwrapFaultOf } from './outcome.ts';

export interface KmsSealerOptions {
  /** `projects/P/locations/L/keyRings/R/cryptoKeys/K`; its primary version wraps. */
  readonly keyName: string;
  /** Keys that wrapped before this one did, and still open what they wrapped. */
  readonly formerKeyNames?: readonly string[];
  readonly endpoint?: string;
  /** A call that has no answer after this many milliseconds is given up. */
  readonly deadline?: number;
}

/** 1 is a key file's. */
const FORMAT = 2;
const KEY = 32;
const HEAD = 9;
/** Of the deadline, for the first attempt: a call takes some tens of milliseconds. */
const FIRST = 0.3;

const checksum = z.coerce.number();
const encrypted = z.object({
  name: z.string(),
  ciphertext: z.base64(),
  ciphertextCrc32c: checksum,
  verifiedPlaintextCrc32c: z.literal(true),
  verifiedAdditionalAuthenticatedDataCrc32c: z.literal(true),
});
const decrypted = z.object({
  plaintext: z.base64(),
  plaintextCrc32c: checksum,
  /** Left out when it is false, as ProtoJSON does. */
  usedPrimary: z.boolean().default(false),
});

/**
 * Data keys wrapped by Cloud KMS. A wrapped key is format, id of the key, and KMS's ciphertext, which names the key's version
 * itself: after a rotation old ones open as before. Format and id are authenticated with it.
 */
export function createKmsSealer(options: KmsSealerOptions): Sealer {
  const { keyName, formerKeyNames = [], deadline = 5_000 } = options;
  const endpoint = options.endpoint ?? 'https://cloudkms.googleapis.com';
  const client = new KmsClient({ endpoint });
  const calling = { what: 'Cloud KMS', deadline, first: deadline * FIRST };
  const names = new Map([keyName, ...formerKeyNames].map((name) => [headOf(name), name]));

  async function wrap(plain: Uint8Array): Promise<Uint8Array> {
    const head = headOf(keyName);
    const request = {
      ...field('plaintext', plain),
      ...field('additionalAuthenticatedData', Buffer.from(head, 'hex')),
    };
    const ciphertext = await repeatedCall({ ...calling, faultOf }, async (allowed) => {
      const answer = encrypted.safeParse(await client.call(keyName, 'encrypt', request, allowed));
      // Another key's version, or bytes that KMS did not find to be those that were sent.
      if (!answer.success || !answer.data.name.startsWith(`${keyName}/cryptoKeyVersions/`)) {
        throw new DamagedOnTheWay();
      }
      return verified(answer.data.ciphertext, answer.data.ciphertextCrc32c);
    });
    return new Uint8Array(Buffer.concat([Buffer.from(head, 'hex'), ciphertext]));
  }

  /** The key, and whether it is wrapped by the version that wraps today. */
  async function unwrap(
    wrapped: Uint8Array,
  ): Promise<{ readonly plain: Uint8Array; readonly current: boolean }> {
    const head = Buffer.from(wrapped.subarray(0, HEAD));
    const name = names.get(head.toString('hex'));
    if (name === undefined) throw new Unreadable('a data key of another key service');
    const request = {
      ...field('ciphertext', wrapped.subarray(HEAD)),
      ...field('additionalAuthenticatedData', head),
    };
    let current = false;
    const plain = await repeatedCall({ ...calling, faultOf: unwrapFaultOf }, async (allowed) => {
      const answer = decrypted.safeParse(await client.call(name, 'decrypt', request, allowed));
      if (!answer.success) throw new DamagedOnTheWay();
      current = name === keyName && answer.data.usedPrimary;
      return verified(answer.data.plaintext, answer.data.plaintextCrc32c);
    });
    if (plain.length !== KEY) throw new Unreadable('a data key');
    return { plain: new Uint8Array(plain), current };
  }

  return {
    async newKey() {
      const plain = new Uint8Array(randomBytes(KEY));
      return { plain, wrapped: await wrap(plain) };
    },
    unwrap: async (wrapped) => (await unwrap(wrapped)).plain,
    async rewrap(wrapped) {
      const { plain, current } = await unwrap(wrapped);
      return current ? undefined : wrap(plain);
    },
  };
}

function headOf(keyName: string): string {
  const id = createHash('sha256').update('holdfast key name').update(keyName).digest();
  return Buffer.concat([Buffer.of(FORMAT), id.subarray(0, HEAD - 1)]).toString('hex');
}

/** A field and its checksum; numbers of 64 bits are strings in JSON. */
function field(name: string, bytes: Uint8Array): Record<string, string> {
  const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  return { [name]: base64, [`${name}Crc32c`]: String(crc32c(bytes)) };
}

function verified(base64: string, expected: number): Buffer {
  const bytes = Buffer.from(base64, 'base64');
  if (crc32c(bytes) !== expected) throw new DamagedOnTheWay();
  return bytes;
}
