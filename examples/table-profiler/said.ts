import { MIMEType } from 'node:util';
import type { Part } from 'holdfast/agent';
import { DELIMITERS, type Said } from './table.ts';

/**
 * What a short message answers: `semicolon`, `^`, `one column`, `first`, `no header`,
 * `quotes are text`, `windows-1251`.
 */
export function saidIn(text: string): Said {
  const words = text
    .trim()
    .toLowerCase()
    .replace(/(?<=\w)\.$/, '');
  const name = words.replace(/s$/, '');
  if (/^[^\w\s"]$/.test(words) || DELIMITERS[name] !== undefined) return { delimiter: name };
  if (words === 'one column') return { delimiter: 'none' };
  if (words === 'first' || words === 'last') return { unnamed: words };
  if (words === 'header' || words === 'no header') return { header: words === 'header' };
  if (words === 'quotes are text') return { quotes: 'text' };
  const encoding = encodingOf(words);
  return encoding === undefined ? {} : { encoding };
}

/** What the media type of a part says by its parameters: RFC 4180 has `charset` and `header`. */
export function saidOf(part: Part): Said {
  const parameters = mediaTypeOf(part)?.params;
  const header = parameters?.get('header')?.toLowerCase();
  const encoding = parameters?.get('charset');
  return {
    ...((header === 'absent' || header === 'present') && { header: header === 'present' }),
    ...(encoding && { encoding }),
  };
}

/** The media type of a part; undefined when there is none, or none that can be read. */
export function mediaTypeOf({ mediaType }: Part): MIMEType | undefined {
  try {
    return mediaType === undefined ? undefined : new MIMEType(mediaType);
  } catch {
    return undefined;
  }
}

/**
 * The name that TextDecoder has for a label such as `latin1`; undefined for one that it does not
 * know.
 */
export function encodingOf(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}
