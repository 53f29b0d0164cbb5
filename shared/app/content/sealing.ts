import { createCipheriv, createDecipheriv, createHmac, type KeyObject } from 'node:crypto';
import { Unreadable } from '../../ports/faults.ts';
import type { SealingKey } from './sealing-key.ts';

/** 1 was bound to its place alone, by a version before the first release. */
const FORMAT = 2;
const NONCE = 12;
const TAG = 16;
const HEADER = 1 + NONCE;

/**
 * What an envelope is, beside whose: its use first, then where it lies and what stands beside it in
 * clear.
 */
export type Binding = readonly [use: string, ...rest: (string | number | boolean | null)[]];

/**
 * AES-256-GCM of what lies in a row. Whose it is and what it is are authenticated with it: an
 * envelope that is put elsewhere, given to another caller or set beside other fields does not open.
 * Layout: format byte, nonce, ciphertext, tag. `nonce`: 12 bytes of chance.
 */
export function seal(
  key: SealingKey,
  binding: Binding,
  nonce: Uint8Array,
  plain: Uint8Array,
): Uint8Array {
  return encrypt(key.keys.for('rows'), additionalData(key, binding), nonce, plain);
}

/** Throws Unreadable for a corrupt, foreign or moved envelope. */
export function unseal(key: SealingKey, binding: Binding, envelope: Uint8Array): Uint8Array {
  return decrypt(key.keys.for('rows'), additionalData(key, binding), envelope);
}

/**
 * The same for what lies in an object, under a nonce that depends on key, additional data and
 * content: equal content for one use seals to equal bytes, so that an object can be named by their
 * hash, and a repeated upload finds itself. Two envelopes share a nonce only by a collision of 96
 * bits, whatever they are.
 */
export function sealObject(key: SealingKey, binding: Binding, plain: Uint8Array): Uint8Array {
  const aad = additionalData(key, binding);
  // The additional data says how long it is, so no content can pass for a part of it.
  const hash = createHmac('sha256', key.keys.for('object nonces'))
    .update(`${aad.byteLength}:`)
    .update(aad)
    .update(plain);
  return encrypt(key.keys.for('objects'), aad, hash.digest().subarray(0, NONCE), plain);
}

/** Throws Unreadable. */
export function unsealObject(key: SealingKey, binding: Binding, envelope: Uint8Array): Uint8Array {
  return decrypt(key.keys.for('objects'), additionalData(key, binding), envelope);
}

/** Each field after its length: no two lists of fields have one text. */
function additionalData(key: SealingKey, binding: Binding): Buffer {
  const { agent, scope, taskId, work = false } = key;
  let text = '';
  for (const field of [taskId, scope, agent, work, ...binding]) {
    const value = String(field);
    text += `${value.length}:${value},`;
  }
  return Buffer.from(text);
}

function encrypt(
  key: KeyObject,
  aad: Uint8Array,
  nonce: Uint8Array,
  plain: Uint8Array,
): Uint8Array {
  const envelope = new Uint8Array(HEADER + plain.byteLength + TAG);
  envelope[0] = FORMAT;
  envelope.set(nonce, 1);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG });
  cipher.setAAD(aad);
  envelope.set(cipher.update(plain), HEADER);
  cipher.final();
  envelope.set(cipher.getAuthTag(), HEADER + plain.byteLength);
  return envelope;
}

function decrypt(key: KeyObject, aad: Uint8Array, envelope: Uint8Array): Uint8Array {
  if (envelope[0] !== FORMAT || envelope.byteLength < HEADER + TAG)
    throw new Unreadable('an envelope');
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, envelope.subarray(1, HEADER), {
      authTagLength: TAG,
    });
    decipher.setAAD(aad);
    decipher.setAuthTag(envelope.subarray(envelope.byteLength - TAG));
    const plain = decipher.update(envelope.subarray(HEADER, envelope.byteLength - TAG));
    decipher.final();
    return plain;
  } catch (cause) {
    throw new Unreadable('an envelope', cause);
  }
}
