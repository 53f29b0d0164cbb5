import type { Part } from '../domain/message.ts';
import type { ModelEntry, ModelRequest } from '../models/model.ts';
import { tokensIn } from './tokens.ts';

/** What a file that is no text counts: some pages of a document, or a picture. */
const FILE = 2_000;

/** An entry of a transcript as one would read it out. */
export function spoken(entry: ModelEntry): string {
  switch (entry.role) {
    case 'user':
      return `Client: ${entry.message.parts.map(partWords).join('\n')}`;
    case 'notice':
      return `Notice: ${entry.text}`;
    case 'tool':
      return `Result of ${entry.name} (${entry.status}): ${JSON.stringify(entry.value)}`;
    case 'model': {
      const said = entry.text === undefined ? [] : [`Assistant: ${entry.text}`];
      const called = entry.calls.map(
        (call) => `Assistant calls ${call.name}: ${JSON.stringify(call.arguments)}`,
      );
      return [...said, ...called].join('\n');
    }
  }
}

function partWords(part: Part): string {
  if ('text' in part) return part.text;
  if ('data' in part) return JSON.stringify(part.data);
  if ('url' in part) return `[a link: ${part.url}]`;
  const { filename = 'a file', mediaType = 'of an unknown type', raw } = part;
  const named = `[${filename} (${mediaType}, ${raw.byteLength} bytes)]`;
  return isText(mediaType) ? `${named}\n${new TextDecoder().decode(raw)}` : named;
}

const isText = (mediaType: string): boolean => /^text\/|^application\/json\b/i.test(mediaType);

/** About how many tokens an entry is. */
export function entryTokens(entry: ModelEntry): number {
  const words = tokensIn(spoken(entry));
  if (entry.role === 'model')
    return words + (entry.state === undefined ? 0 : tokensIn(JSON.stringify(entry.state)));
  return words + filesIn(entry).length * FILE;
}

/** Those that a model may see, and that are no words of it. */
function filesIn(entry: ModelEntry): readonly Part[] {
  if (entry.role !== 'user' && entry.role !== 'tool') return [];
  const parts = entry.role === 'user' ? entry.message.parts : (entry.parts ?? []);
  return parts.filter((part) => 'raw' in part && !isText(part.mediaType ?? ''));
}

export const entriesTokens = (entries: readonly ModelEntry[]): number =>
  entries.reduce((sum, entry) => sum + entryTokens(entry), 0);

export function requestTokens({ instructions, memory = [], tools, transcript }: ModelRequest) {
  const fixed = tokensIn(instructions) + tokensIn(JSON.stringify(tools));
  return fixed + entriesTokens([...memory, ...transcript]);
}
