import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

/**
 * The key service of one machine: a key in a file, made at first use, that nobody but its owner may read. A wrapped key is
 * format, id of the file's key, nonce, ciphertext and tag; the first two are authenticated with it.
 */
export function openKeyFile(file: string): Sealer {
  const master = readOrCreate(file);
  const id = createHash('sha256').update('holdfast key id').update(master).digest();
  const head = Buffer.concat([Buffer.of(FORMAT), id.subarray(0, KEY_ID)]);
  return {
    async newKey() {
      const plain = new Uint8Array(randomBytes(KEY));
      const iv = randomBytes(IV);
      const cipher = createCipheriv('aes-256-gcm', master, iv).setAAD(head);
      const sealed = [cipher.update(plain), cipher.final(), cipher.getAuthTag()];
      return { plain, wrapped: new Uint8Array(Buffer.concat([head, iv, ...sealed])) };
    },
    async unwrap(wrapped) {
      const bytes = Buffer.from(wrapped);
      if (bytes.length !== WRAPPED || !bytes.subarray(0, HEAD).equals(head)) {
        throw new Unreadable('a data key of another key file');
      }
      const iv = bytes.subarray(HEAD, HEAD + IV);
      try {
        const decipher = createDecipheriv('aes-256-gcm', master, iv, { authTagLength: TAG });
        decipher.setAAD(head).setAuthTag(bytes.subarray(WRAPPED - TAG));
        const plain = decipher.update(bytes.subarray(HEAD + IV, WRAPPED - TAG));
        return new Uint8Array(Buffer.concat([plain, decipher.final()]));
      } catch (error) {
        throw new Unreadable('a data key', error);
      }
    },
  };
}

function readOrCreate(file: string): Buffer {
  const key = read(file) ?? create(file);
  if (key.length !== KEY) throw new Unreadable('the key file');
  return key;
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
