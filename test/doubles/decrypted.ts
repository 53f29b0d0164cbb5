import { createDecipheriv } from 'node:crypto';
import type { Subkeys } from '../../shared/app/subkeys.ts';

const HEADER = 13;
const TAG = 16;

/**
 * The text of an envelope under any of these keys, whatever it is bound to: what an attacker who
 * has the key can read, tag or no tag. Undefined when no key makes text of it.
 */
export function decrypted(keys: readonly Subkeys[], envelope: Uint8Array): string | undefined {
  const body = envelope.subarray(HEADER, envelope.byteLength - TAG);
  // GCM counts from 2 for the content (NIST SP 800-38D, 7.1).
  const counter = Buffer.concat([envelope.subarray(1, HEADER), Buffer.of(0, 0, 0, 2)]);
  for (const key of keys) {
    for (const use of ['rows', 'objects'] as const) {
      try {
        const plain = createDecipheriv('aes-256-ctr', key.for(use), counter).update(body);
        return new TextDecoder('utf-8', { fatal: true }).decode(plain);
      } catch {
        // Noise, and so another key's.
      }
    }
  }
  return undefined;
}
