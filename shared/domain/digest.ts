import { hash } from 'node:crypto';

/** Lower-case hexadecimal SHA-256. */
export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex');
}

/** One key for several strings, injective: no separator in a part can make two lists collide. */
export function compositeKey(...parts: readonly string[]): string {
  return sha256(JSON.stringify(parts)).slice(0, 40);
}
