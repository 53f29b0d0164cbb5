import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Unavailable, Unreadable } from '../ports/faults.ts';
import type { Sealer } from '../ports/sealer.ts';

const FORMAT = 1;
const KEY = 32;
const KEY_ID = 8;
const IV = 12;
const TAG = 16;
const HEAD = 1 + KEY_ID;
const WRAPPED = HEAD + IV + KEY + TAG;

interface MasterKey {
  readonly key: Buffer;
  /** Format and key id: in front of each wrapped key, and authenticated with it. */
  readonly head: Buffer;
}

/**
 * The key service of one machine: keys in a file, the newest first, made at first use, that nobody but its owner may read. A
 * wrapped key is format, id of the file's key, nonce, ciphertext and tag.
 */
export function openKeyFile(file: string): Sealer {
  let masters = readOrCreate(file);

  /** Another process may have rotated the file since it was read. */
  function masterOf(wrapped: Buffer): MasterKey {
    const find = () => masters.find(({ head }) => wrapped.subarray(0, HEAD).equals(head));
    const known = find();
    if (known !== undefined) return known;
    masters = readOrCreate(file);
    const found = find();
    if (found === undefined) throw new Unreadable('a data key of another key file');
    return found;
  }

  const newest = (): MasterKey => {
    const [first] = masters;
    if (first === undefined) throw new Unreadable('the key file');
    return first;
  };

  function unwrap(wrapped: Uint8Array): Uint8Array {
    const bytes = Buffer.from(wrapped);
    if (bytes.length !== WRAPPED) throw new Unreadable('a data key of another key file');
    return open(masterOf(bytes), bytes);
  }

  return {
    async newKey() {
      const plain = new Uint8Array(randomBytes(KEY));
      return { plain, wrapped: wrap(newest(), plain) };
    },
    unwrap: async (wrapped) => unwrap(wrapped),
    async rewrap(wrapped) {
      const plain = unwrap(wrapped);
      const current = Buffer.from(wrapped).subarray(0, HEAD).equals(newest().head);
      return current ? undefined : wrap(newest(), plain);
    },
  };
}

/** Puts a fresh key in front; the older ones stay for what they wrapped, until that is wrapped anew. */
export function rotateKeyFile(file: string): void {
  const older = read(file) ?? Buffer.alloc(0);
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(draft, Buffer.concat([randomBytes(KEY), older]), {
      flag: 'wx',
      mode: 0o600,
      flush: true,
    });
    renameSync(draft, file);
  } catch (error) {
    throw new Unavailable('the key file', error);
  } finally {
    rmSync(draft, { force: true });
  }
}

function wrap({ key, head }: MasterKey, plain: Uint8Array): Uint8Array {
  const iv = randomBytes(IV);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(head);
  const sealed = [cipher.update(plain), cipher.final(), cipher.getAuthTag()];
  return new Uint8Array(Buffer.concat([head, iv, ...sealed]));
}

function open({ key, head }: MasterKey, wrapped: Buffer): Uint8Array {
  const iv = wrapped.subarray(HEAD, HEAD + IV);
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG });
    decipher.setAAD(head).setAuthTag(wrapped.subarray(WRAPPED - TAG));
    const plain = decipher.update(wrapped.subarray(HEAD + IV, WRAPPED - TAG));
    return new Uint8Array(Buffer.concat([plain, decipher.final()]));
  } catch (error) {
    throw new Unreadable('a data key', error);
  }
}

function readOrCreate(file: string): readonly MasterKey[] {
  const keys = read(file) ?? create(file);
  if (keys.length === 0 || keys.length % KEY !== 0) throw new Unreadable('the key file');
  return Array.from({ length: keys.length / KEY }, (_, at) => {
    const key = keys.subarray(at * KEY, (at + 1) * KEY);
    const id = createHash('sha256').update('holdfast key id').update(key).digest();
    return { key, head: Buffer.concat([Buffer.of(FORMAT), id.subarray(0, KEY_ID)]) };
  });
}

function read(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw new Unavailable('the key file', error);
  }
}

/** The link takes the whole key or fails: of two processes that start at once, both go on with the first one's key. */
function create(file: string): Buffer {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(draft, randomBytes(KEY), { flag: 'wx', mode: 0o600, flush: true });
    try {
      linkSync(draft, file);
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error;
    }
    return readFileSync(file);
  } catch (error) {
    throw new Unavailable('the key file', error);
  } finally {
    rmSync(draft, { force: true });
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
