import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { KeyMissing, Unreadable } from '../../ports/faults.ts';
import type { Rewrapping, Sealer } from '../../ports/sealer.ts';
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

/** 2 wrapped without an owner, by a version before the first release. 1 and 3 are a key file's. */
const FORMAT = 4;
const KEY = 32;
const ID = 9;
const VERSION = 4;
const HEAD = ID + VERSION;
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
 * Data keys wrapped by Cloud KMS. A wrapped key is format, id of the key, number of its version,
 * and KMS's ciphertext, which names the version itself: after a rotation old ones unwrap as before,
 * and the number is for `rewrap` alone. Format, id and owner are authenticated with it.
 */
export function createKmsSealer(options: KmsSealerOptions): Sealer {
  const { keyName, formerKeyNames = [], deadline = 5_000 } = options;
  const endpoint = options.endpoint ?? 'https://cloudkms.googleapis.com';
  const client = new KmsClient({ endpoint });
  const calling = { what: 'Cloud KMS', deadline, first: deadline * FIRST };
  const names = new Map([keyName, ...formerKeyNames].map((name) => [idOf(name), name]));

  /** Wrapped by whichever version is the primary one today, or still is taken for it. */
  async function wrap(
    plain: Uint8Array,
    owner: string,
  ): Promise<{ readonly wrapped: Uint8Array; readonly version: number }> {
    const id = Buffer.from(idOf(keyName), 'hex');
    const request = {
      ...field('plaintext', plain),
      ...field('additionalAuthenticatedData', bound(id, owner)),
    };
    return repeatedCall({ ...calling, faultOf }, async (allowed) => {
      const answer = encrypted.safeParse(await client.call(keyName, 'encrypt', request, allowed));
      // Another key's version, or bytes that KMS did not find to be those that were sent.
      if (!answer.success) throw new DamagedOnTheWay();
      const { ciphertext, ciphertextCrc32c, name } = answer.data;
      const version = versionOf(name, keyName);
      const number = Buffer.alloc(VERSION);
      number.writeUInt32BE(version);
      const pieces = [id, number, verified(ciphertext, ciphertextCrc32c)];
      return { version, wrapped: new Uint8Array(Buffer.concat(pieces)) };
    });
  }

  /** The key, and whether it is wrapped by the version that wraps today. */
  async function unwrap(
    wrapped: Uint8Array,
    owner: string,
  ): Promise<{ readonly plain: Uint8Array; readonly current: boolean }> {
    const id = Buffer.from(wrapped.subarray(0, ID));
    const name = names.get(id.toString('hex'));
    if (name === undefined) {
      throw new KeyMissing(
        `the KMS key ${id.toString('hex', 1)} that is none of ${[...names.values()].join(', ')}`,
      );
    }
    const request = {
      ...field('ciphertext', wrapped.subarray(HEAD)),
      ...field('additionalAuthenticatedData', bound(id, owner)),
    };
    const opened = await repeatedCall({ ...calling, faultOf: unwrapFaultOf }, async (allowed) => {
      const answer = decrypted.safeParse(await client.call(name, 'decrypt', request, allowed));
      if (!answer.success) throw new DamagedOnTheWay();
      const { plaintext, plaintextCrc32c, usedPrimary } = answer.data;
      return { plain: verified(plaintext, plaintextCrc32c), usedPrimary };
    });
    if (opened.plain.length !== KEY) throw new Unreadable('a data key');
    const current = name === keyName && opened.usedPrimary;
    return { plain: new Uint8Array(opened.plain), current };
  }

  return {
    keyNames: () => Promise.resolve([...names.values()]),
    async newKey(owner) {
      const plain = new Uint8Array(randomBytes(KEY));
      return { plain, wrapped: (await wrap(plain, owner)).wrapped };
    },
    unwrap: async (wrapped, owner) => (await unwrap(wrapped, owner)).plain,
    async rewrap(wrapped, owner, atLeast): Promise<Rewrapping> {
      // Also if the number alone would do: a rewrap must know that every key unwraps.
      const { plain, current } = await unwrap(wrapped, owner);
      const head = Buffer.from(wrapped.subarray(0, HEAD));
      const ours = head.toString('hex', 0, ID) === idOf(keyName);
      const before = ours ? head.readUInt32BE(ID) : 0;
      if (atLeast === undefined ? current : before >= atLeast) return { kind: 'current' };
      const anew = await wrap(plain, owner);
      const newer = anew.version >= (atLeast ?? before + 1);
      return newer ? { kind: 'rewrapped', wrapped: anew.wrapped } : { kind: 'old' };
    },
  };
}

/**
 * Of `.../cryptoKeyVersions/3`. Another key's is an answer to another question. A project has an id
 * and a number, and the answer may say the other one than the configuration: so both are compared
 * from their location on.
 */
function versionOf(name: string, keyName: string): number {
  const [key = '', version = ''] = withoutProject(name).split('/cryptoKeyVersions/');
  const number = Number(version);
  if (key !== withoutProject(keyName) || !Number.isSafeInteger(number) || number < 1) {
    throw new DamagedOnTheWay();
  }
  return number;
}

const withoutProject = (name: string): string => name.replace(/^projects\/[^/]+\//, '');

/** The id has a fixed length, so nothing of an owner can pass for it. */
const bound = (id: Buffer, owner: string): Buffer => Buffer.concat([id, Buffer.from(owner)]);

function idOf(keyName: string): string {
  const id = createHash('sha256').update('holdfast key name').update(keyName).digest();
  return Buffer.concat([Buffer.of(FORMAT), id.subarray(0, ID - 1)]).toString('hex');
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
