import { createCipheriv, createDecipheriv, createHmac, type KeyObject } from 'node:crypto';
import { Unreadable } from '../../ports/faults.ts';

const FORMAT = 1;
const NONCE = 12;
const TAG = 16;
const HEADER = 1 + NONCE;

/**
 * AES-256-GCM. `aad` (additional authenticated data) names the document and field (or object kind) and is authenticated with the content: an envelope moved
 * elsewhere can not be unsealed. Layout: format byte, nonce, ciphertext, tag.
 */
export function seal(
  key: KeyObject,
  aad: string,
  nonce: Uint8Array,
  plain: Uint8Array,
): Uint8Array {
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG });
  cipher.setAAD(Buffer.from(aad));
  return Buffer.concat([
    Buffer.of(FORMAT),
    nonce,
    cipher.update(plain),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
}

/** Throws Unreadable for a corrupt, foreign or moved envelope. */
export function unseal(key: KeyObject, aad: string, envelope: Uint8Array): Uint8Array {
  if (envelope[0] !== FORMAT || envelope.byteLength < HEADER + TAG) throw new Unreadable(aad);
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, envelope.subarray(1, HEADER), {
      authTagLength: TAG,
    });
    decipher.setAAD(Buffer.from(aad));
    decipher.setAuthTag(envelope.subarray(envelope.byteLength - TAG));
    const body = envelope.subarray(HEADER, envelope.byteLength - TAG);
    return Buffer.concat([decipher.update(body), decipher.final()]);
  } catch (cause) {
    throw new Unreadable(aad, cause);
  }
}

/**
 * A nonce that depends on key and content alone: equal content of one run seals to equal bytes, so the object's name can be
 * the hash of what is stored and a repeated upload finds itself. Two contents share a nonce only by a 96-bit collision.
 */
export function contentNonce(key: KeyObject, plain: Uint8Array): Uint8Array {
  return createHmac('sha256', key)
    .update('holdfast content nonce')
    .update(plain)
    .digest()
    .subarray(0, NONCE);
}
