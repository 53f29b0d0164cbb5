import { join } from 'node:path';
import { requireObjectName } from '../ports/object-name.ts';

/** File systems take 255 bytes a name; the rest is room for the mark of a part. */
const PART = 240;
const RESERVED_ON_WINDOWS = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?=\.|$)/i;

/**
 * Where an object's body lies under the root. Letters, digits and `._~@=+-` stand for themselves,
 * every other byte is `%XX`, and so is what Windows takes for a device or strips from an end. A
 * segment that grows too long is cut into folders, all but the last of which end in a bare `%`.
 * Each name has a place of its own, and none outside the root. On a disk that ignores case, names
 * that differ in nothing else share one.
 */
export function bodyPath(root: string, name: string): string {
  requireObjectName(name);
  return join(root, ...name.split('/').flatMap(segmentPath));
}

function segmentPath(segment: string): readonly string[] {
  const encoded = encode(segment);
  if (encoded.length <= PART) return [encoded];
  const tokens = encoded.match(/%..|[^%]/g) ?? [];
  const parts: string[] = [];
  let part = '';
  for (const token of tokens) {
    if (part.length + token.length > PART) {
      parts.push(`${part}%`);
      part = '';
    }
    part += token;
  }
  return [...parts, part];
}

function encode(segment: string): string {
  const encoded = segment.replace(/[^A-Za-z0-9._~@=+-]/gu, (text) =>
    Array.from(Buffer.from(text), percent).join(''),
  );
  const whole = RESERVED_ON_WINDOWS.test(encoded)
    ? percent(encoded.charCodeAt(0)) + encoded.slice(1)
    : encoded;
  return whole.endsWith('.') ? `${whole.slice(0, -1)}%2E` : whole;
}

function percent(byte: number): string {
  return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}
