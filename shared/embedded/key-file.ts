import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  type KeyObject,
} from 'node:crypto';
import { KeyMissing, Unreadable } from '../ports/faults.ts';
import type { Ids } from '../ports/ids.ts';
import type { Sealer } from '../ports/sealer.ts';
import { systemIds } from '../system/system-ids.ts';
import { KEY, makeKeys, readKeys, versionOfKeys } from './key-bytes.ts';

/** 1 wrapped without an owner, by a version before the first release. 2 and 4 are Cloud KMS's. */
const FORMAT = 3;
const KEY_ID = 8;
const IV = 12;
const TAG = 16;
const HEAD = 1 + KEY_ID;
const BODY = HEAD + IV;
const WRAPPED = BODY + KEY + TAG;

interface MasterKey {
  readonly key: KeyObject;
  /** The key's public name; it reveals nothing of the key. */
  readonly name: string;
  /** Format and key id: in front of each wrapped key, and authenticated with it. */
  readonly head: Buffer;
}

/**
 * The key service of one machine: keys in a file that only its owner may read, the newest first. A
 * wrapped key is format, id of the file's key, nonce, ciphertext and tag. The file is made unless
 * `make` is false: then what was there before is missing, and nothing is wrapped until it is back.
 * Throws Unreadable for a file that holds no keys, Unavailable.
 */
export function openKeyFile(file: string, { make = true } = {}): Sealer {
  let version = '';
  let masters: readonly MasterKey[] = [];
  const chance = systemIds();

  /** Another process may have rotated the file, or a person have put it back. */
  function current(): readonly MasterKey[] {
    const found = versionOfKeys(file);
    if (found === undefined || found === version) return masters;
    const keys = readKeys(file);
    if (keys === undefined) return masters;
    masters = mastersOf(keys);
    version = found;
    return masters;
  }

  if (make) makeKeys(file);
  current();

  const newest = (): MasterKey => {
    const [first] = current();
    if (first === undefined) throw new KeyMissing(`the key file ${file}`);
    return first;
  };

  function masterOf(wrapped: Uint8Array): MasterKey {
    const head = Buffer.from(
      wrapped.buffer,
      wrapped.byteOffset,
      Math.min(HEAD, wrapped.byteLength),
    );
    const find = (known: readonly MasterKey[]) => known.find((each) => each.head.equals(head));
    const found = find(masters) ?? find(current());
    if (found === undefined) throw new KeyMissing(nameOfHead(head));
    return found;
  }

  const unwrap = (wrapped: Uint8Array, owner: string): Uint8Array =>
    open(masterOf(wrapped), wrapped, owner);

  return {
    keyNames: async () => current().map(({ name }) => name),
    async newKey(owner) {
      const plain = chance.bytes(KEY);
      return { plain, wrapped: wrap(newest(), plain, owner, chance) };
    },
    unwrap: async (wrapped, owner) => unwrap(wrapped, owner),
    async rewrap(wrapped, owner) {
      const plain = unwrap(wrapped, owner);
      const master = newest();
      if (master.head.equals(wrapped.subarray(0, HEAD))) return { kind: 'current' };
      return { kind: 'rewrapped', wrapped: wrap(master, plain, owner, chance) };
    },
  };
}

function wrap(
  { key, head }: MasterKey,
  plain: Uint8Array,
  owner: string,
  chance: Pick<Ids, 'bytes'>,
): Uint8Array {
  const wrapped = new Uint8Array(WRAPPED);
  const iv = chance.bytes(IV);
  wrapped.set(head);
  wrapped.set(iv, HEAD);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  cipher.setAAD(bound(head, owner));
  wrapped.set(cipher.update(plain), BODY);
  cipher.final();
  wrapped.set(cipher.getAuthTag(), BODY + KEY);
  return wrapped;
}

function open({ key, head }: MasterKey, wrapped: Uint8Array, owner: string): Uint8Array {
  if (wrapped.byteLength !== WRAPPED) throw new Unreadable('a data key');
  try {
    const iv = wrapped.subarray(HEAD, BODY);
    const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG });
    decipher.setAAD(bound(head, owner)).setAuthTag(wrapped.subarray(BODY + KEY));
    const plain = new Uint8Array(decipher.update(wrapped.subarray(BODY, BODY + KEY)));
    decipher.final();
    return plain;
  } catch (error) {
    throw new Unreadable('a data key', error);
  }
}

/** The head has a fixed length, so nothing of an owner can pass for it. */
const bound = (head: Buffer, owner: string): Buffer => Buffer.concat([head, Buffer.from(owner)]);

function mastersOf(keys: Buffer): readonly MasterKey[] {
  return Array.from({ length: keys.length / KEY }, (_, at) => {
    const bytes = keys.subarray(at * KEY, (at + 1) * KEY);
    const head = Buffer.concat([Buffer.of(FORMAT), idOf(bytes)]);
    return { key: createSecretKey(bytes), head, name: nameOfHead(head) };
  });
}

function idOf(key: Buffer): Buffer {
  return createHash('sha256').update('holdfast key id').update(key).digest().subarray(0, KEY_ID);
}

function nameOfHead(head: Buffer): string {
  const ours = head[0] === FORMAT && head.length === HEAD;
  return ours ? `key ${head.toString('hex', 1)} of a key file` : 'a key of another key service';
}
