import type { Json } from '../domain/json.ts';
import type { Part } from '../domain/message.ts';
import { partBytes } from '../domain/stored-content.ts';
import { toParts, type Words } from './parts.ts';

/** Bytes of the files in one result. */
export const FILES = 4 * 1024 * 1024;

/** What a tool answers that is more than JSON. */
export class ToolParts {
  readonly words: Words;
  /** How they are told to a model that can't see the files; absent: part by part. */
  readonly told?: Json;

  constructor(words: Words, told?: Json) {
    this.words = words;
    if (told !== undefined) this.told = told;
  }
}

/**
 * A tool's result in parts, files among them. A model whose provider takes such files in results
 * sees them; any other is told their name, type and size.
 *
 * @example
 * run: async () => toolParts([{ text: 'The map.' }, { raw: await draw(), mediaType: 'image/png' }])
 */
export function toolParts(words: Words): ToolParts {
  return new ToolParts(words);
}

/** The parts, and how they are told to who can't see the files. Throws TypeError. */
export function partsOfResult({ told, words }: ToolParts): {
  readonly parts: readonly Part[];
  readonly value: Json;
} {
  const parts = toParts(words, 'result');
  const bytes = parts.reduce((sum, part) => sum + ('raw' in part ? partBytes(part) : 0), 0);
  if (bytes > FILES) throw new TypeError(`the files have ${bytes} bytes; the limit is ${FILES}`);
  return { parts, value: told ?? parts.map(toldPart) };
}

function toldPart(part: Part): Json {
  if ('text' in part) return part.text;
  if ('data' in part) return part.data;
  const { filename, mediaType } = part;
  const frame = {
    ...(filename !== undefined && { file: filename }),
    ...(mediaType !== undefined && { mediaType }),
  };
  return 'url' in part ? { ...frame, url: part.url } : { ...frame, bytes: part.raw.byteLength };
}
