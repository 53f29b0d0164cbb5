import { createCipheriv, createDecipheriv } from 'node:crypto';
import { z } from 'zod';
import { Unreadable } from '../ports/faults.ts';
import type { Ids } from '../ports/ids.ts';
import type { Sealer } from '../ports/sealer.ts';

const NONCE = 12;
const TAG = 16;
const base64 = z.base64();
const envelope = z.object({ sealed: z.object({ key: base64, nonce: base64, body: base64 }) });

/**
 * Text under a key of its own (AES-256-GCM), which the sealer wraps; bound to the object's name, so
 * that it does not open in another place. An envelope is JSON, too. Throws KeyMissing, Unavailable.
 */
export async function sealText(
  { sealer, ids }: { readonly sealer: Sealer; readonly ids: Ids },
  name: string,
  text: string,
): Promise<string> {
  const { plain, wrapped } = await sealer.newKey(name);
  const nonce = ids.bytes(NONCE);
  const cipher = createCipheriv('aes-256-gcm', plain, nonce);
  cipher.setAAD(Buffer.from(name));
  const body = Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()]);
  const coded = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
  return JSON.stringify({
    sealed: { key: coded(wrapped), nonce: coded(nonce), body: coded(body) },
  });
}

/**
 * Text that was stored without a sealer comes back as it is. Throws Unreadable for an envelope
 * without a sealer, or one that does not open; KeyMissing, Unavailable.
 */
export async function openText(
  sealer: Sealer | undefined,
  name: string,
  stored: string,
): Promise<string> {
  const found = envelope.safeParse(parsed(stored)).data?.sealed;
  if (found === undefined) return stored;
  if (sealer === undefined) throw new Unreadable(name, new TypeError('sealed, and no sealer'));
  const [key, nonce, body] = [found.key, found.nonce, found.body].map((text) =>
    Buffer.from(text, 'base64'),
  );
  if (key === undefined || nonce === undefined || body === undefined) throw new Unreadable(name);
  const plain = await sealer.unwrap(key, name);
  try {
    const decipher = createDecipheriv('aes-256-gcm', plain, nonce, { authTagLength: TAG });
    decipher.setAAD(Buffer.from(name));
    decipher.setAuthTag(body.subarray(-TAG));
    return Buffer.concat([decipher.update(body.subarray(0, -TAG)), decipher.final()]).toString();
  } catch (error) {
    throw new Unreadable(name, error);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
