import { sha256 } from './digest.ts';

/**
 * A hash in the form of a UUID of version 8 (RFC 9562): an id that follows from what it is for, so
 * that doing it again leads to the same document.
 */
export function derivedUuid(name: string): string {
  const hex = sha256(name);
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) % 4) + 8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
