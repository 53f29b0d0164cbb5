import { canonicalJson, type Json, type JsonObject } from '../domain/json.ts';
import type { Part } from '../domain/message.ts';
import type { ToolCallOutcome, ToolContent } from '../ports/tool-servers.ts';
import { FILES, ToolParts } from './tool-parts.ts';

export type Answered = Extract<ToolCallOutcome, { kind: 'answered' }>;
type Bytes = Extract<ToolContent, { kind: 'bytes' }>;

/**
 * A text where that is all; otherwise text, data and what else there is: files by media type and
 * size, links and text resources as they are.
 */
export function toldAnswer({ content, structured }: Answered): Json {
  const text = textOf(content);
  const others = content.flatMap(described);
  if (structured === undefined && others.length === 0) return text;
  return {
    // Servers write data as text, too, for clients that do not read it.
    ...(text !== '' && !says(text, structured) && { text }),
    ...(structured !== undefined && { data: structured }),
    ...(others.length > 0 && { content: others }),
  };
}

/** The same with its files, where there are some that a result may hold. */
export function wholeAnswer(answered: Answered): Json | ToolParts {
  const { content, structured } = answered;
  const told = toldAnswer(answered);
  const files = content.filter(isFile);
  const bytes = files.reduce((sum, { raw }) => sum + raw.byteLength, 0);
  if (files.length === 0 || bytes > FILES) return told;
  const repeats = says(textOf(content), structured);
  const parts = content.flatMap((each): readonly Part[] => {
    if (isFile(each)) return fileParts(each);
    if (each.kind !== 'text') return described(each).map((data) => ({ data }));
    return repeats || each.text === '' ? [] : [{ text: each.text }];
  });
  return new ToolParts(structured === undefined ? parts : [{ data: structured }, ...parts], told);
}

const textOf = (content: readonly ToolContent[]): string =>
  content.flatMap((each) => (each.kind === 'text' ? [each.text] : [])).join('\n\n');

function says(text: string, data: JsonObject | undefined): boolean {
  if (data === undefined) return false;
  try {
    return canonicalJson(JSON.parse(text) as Json) === canonicalJson(data);
  } catch {
    return false;
  }
}

function described(content: ToolContent): readonly JsonObject[] {
  switch (content.kind) {
    case 'text':
      return [];
    case 'bytes': {
      const { mediaType, raw, uri } = content;
      return [{ ...(uri !== undefined && { uri }), mediaType, bytes: raw.length }];
    }
    case 'link': {
      const { description, mediaType, name, uri } = content;
      return [
        {
          uri,
          ...(name !== undefined && { name }),
          ...(mediaType !== undefined && { mediaType }),
          ...(description !== undefined && { description }),
        },
      ];
    }
    case 'resource':
      return [{ uri: content.uri, text: content.text }];
  }
}

/** How files begin that providers take; for one that does not, they refuse the whole request. */
const BEGINNINGS: ReadonlyMap<string, RegExp> = new Map([
  ['image/png', /^\x89PNG\r\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[^]{4}WEBP/],
  ['application/pdf', /^%PDF-/],
]);

/** Bytes that are what the server says they are, as far as their beginning tells. */
function isFile(content: ToolContent): content is Bytes {
  if (content.kind !== 'bytes' || content.raw.byteLength === 0) return false;
  const beginning = Buffer.from(content.raw.subarray(0, 16)).toString('latin1');
  return BEGINNINGS.get(content.mediaType)?.test(beginning) ?? true;
}

/** A resource is told, too: parts have no place for its address. */
function fileParts(file: Bytes): readonly Part[] {
  const { mediaType, raw, uri } = file;
  if (uri === undefined) return [{ raw, mediaType }];
  const filename = uri.slice(uri.lastIndexOf('/') + 1);
  const part = { raw, mediaType, ...(filename !== '' && { filename }) };
  return [...described(file).map((data) => ({ data })), part];
}
