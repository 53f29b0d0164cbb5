import type { LanguageModelV4FilePart, LanguageModelV4TextPart } from '@ai-sdk/provider';
import { type Message, type Part, type RawPart, type UrlPart } from '../../domain/message.ts';

export type UserPart = LanguageModelV4TextPart | LanguageModelV4FilePart;

/** URLs that a provider fetches itself, by patterns of media types. */
export type SupportedUrls = Readonly<Record<string, readonly RegExp[]>>;

/** What a model takes besides text. */
export interface Abilities {
  /** It takes files at all. */
  readonly files: boolean;
  readonly urls: SupportedUrls;
  /** Media types of files that it takes in the results of tools. Absent: none. */
  readonly results?: (mediaType: string) => boolean;
}

/**
 * A client's message as a model reads it. Text files are read out; other files are handed over if
 * the model takes files; of what it does not take it is told that it is there. A URL is handed over
 * if the provider fetches such ones itself; nothing is fetched here.
 */
export function userContent({ parts }: Pick<Message, 'parts'>, abilities: Abilities): UserPart[] {
  const content = parts.map((part) => userPart(part, abilities));
  // A message without parts can't be sent; the clients that do say nothing.
  return content.length === 0 ? [text('')] : content;
}

function userPart(part: Part, abilities: Abilities): UserPart {
  if ('text' in part) return text(part.text);
  if ('data' in part) return text(JSON.stringify(part.data));
  if ('raw' in part) return rawPart(part, abilities);
  return urlPart(part, abilities);
}

/** A file, to who can't see it. */
export function toldOf({ filename, mediaType = 'application/octet-stream', raw }: RawPart): string {
  return `${filename ?? 'a file'} (${mediaType}, ${raw.byteLength} bytes)`;
}

function rawPart(part: RawPart, { files }: Abilities): UserPart {
  const { filename, mediaType = 'application/octet-stream', raw } = part;
  const told = toldOf(part);
  if (isText(mediaType)) return text(`${told}:\n${new TextDecoder().decode(raw)}`);
  if (!files) return text(`[${told}: it can't be shown to you]`);
  const data = { type: 'data', data: raw } as const;
  return { type: 'file', mediaType, data, ...(filename !== undefined && { filename }) };
}

function urlPart({ filename, mediaType, url }: UrlPart, { files, urls }: Abilities): UserPart {
  const link = text(`[a link${mediaType === undefined ? '' : ` to ${mediaType}`}: ${url}]`);
  if (!files || mediaType === undefined || !URL.canParse(url)) return link;
  if (!isSupported(urls, mediaType, url)) return link;
  const data = { type: 'url', url: new URL(url) } as const;
  return { type: 'file', mediaType, data, ...(filename !== undefined && { filename }) };
}

/** As the specification has it: patterns match the URL in lower case. */
function isSupported(urls: SupportedUrls, mediaType: string, url: string): boolean {
  const [top = ''] = mediaType.split('/');
  const patterns = [mediaType, `${top}/*`, '*/*', '*'].flatMap((key) => urls[key] ?? []);
  return patterns.some((pattern) => pattern.test(url.toLowerCase()));
}

function isText(mediaType: string): boolean {
  const [type = ''] = mediaType.toLowerCase().split(';');
  return /^text\/|^application\/(?:.*\+)?(?:json|xml|yaml)$/.test(type.trim());
}

export const text = (words: string): LanguageModelV4TextPart => ({ type: 'text', text: words });
