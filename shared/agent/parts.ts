import type { Json } from '../domain/json.ts';
import type { Part } from '../domain/message.ts';

/** What an agent says: a text, or parts. */
export type Words = string | readonly Part[];

/**
 * The words as parts of our own: copied, so that an agent that goes on changing its arrays changes
 * nothing that was shown, and checked, so that a mistake is reported at the author's line. Throws
 * TypeError.
 */
export function toParts(words: Words, what: string): readonly Part[] {
  if (typeof words === 'string') return words === '' ? [] : [{ text: words }];
  if (!Array.isArray(words)) throw new TypeError(`${what} must be a string or an array of parts`);
  return words.map((part: unknown, at) => toPart(part, `${what}[${at}]`));
}

function toPart(part: unknown, what: string): Part {
  if (typeof part !== 'object' || part === null) throw new TypeError(`${what} must be a part`);
  const { text, data, raw, url, mediaType, filename, metadata } = part as Record<string, unknown>;
  const given = ['text', 'data', 'raw', 'url'].filter((key) => key in part);
  if (given.length !== 1)
    throw new TypeError(`${what} needs exactly one of text, data, raw or url`);
  const frame = {
    ...optional('mediaType', mediaType, what),
    ...optional('filename', filename, what),
    ...(metadata !== undefined && {
      metadata: toJson(metadata, `${what}.metadata`) as { readonly [key: string]: Json },
    }),
  };
  if ('data' in part) return { ...frame, data: toJson(data, `${what}.data`) };
  if (raw instanceof Uint8Array) return { ...frame, raw: raw.slice() };
  if (typeof text === 'string') return { ...frame, text };
  if (typeof url === 'string') return { ...frame, url };
  throw new TypeError(`${what}.${given[0] ?? ''} has the wrong type`);
}

function optional(
  key: 'mediaType' | 'filename',
  value: unknown,
  what: string,
): { readonly [K in typeof key]?: string } {
  if (value === undefined || value === '') return {};
  if (typeof value !== 'string') throw new TypeError(`${what}.${key} must be a string`);
  return { [key]: value };
}

/**
 * A copy of a JSON value. Throws TypeError with the path of what JSON can't hold; undefined members
 * are left out.
 */
export function toJson(value: unknown, what: string): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map((member, at) => toJson(member, `${what}[${at}]`));
  if (typeof value === 'object') {
    const entries = Object.entries(value).filter(([, member]) => member !== undefined);
    return Object.fromEntries(
      entries.map(([key, member]) => [key, toJson(member, `${what}.${key}`)]),
    );
  }
  const kind = typeof value === 'number' ? String(value) : `a ${typeof value}`;
  throw new TypeError(`${what} is ${kind}, which JSON can't hold`);
}
