import { wrapped } from './width.ts';

const WIDTH = 80;
/** A name longer than this has its words below it. */
const NAME = 24;

interface Entry {
  readonly name: string;
  readonly words: string;
}

/** Names with their words beside them, no line over 80 columns. */
export function entries(all: readonly Entry[]): string {
  const column = Math.min(NAME, Math.max(...all.map(({ name }) => name.length)));
  const space = ' '.repeat(column + 4);
  return all
    .map(({ name, words }) => {
      const lines = wrapped(words, WIDTH - space.length);
      if (name.length > column)
        return [`  ${name}`, ...lines.map((line) => space + line)].join('\n');
      const [first = '', ...rest] = lines;
      return [`  ${name.padEnd(column)}  ${first}`, ...rest.map((line) => space + line)].join('\n');
    })
    .join('\n');
}

/** Words in lines of no more than 80 columns. */
export const paragraph = (text: string): string => wrapped(text, WIDTH).join('\n');
