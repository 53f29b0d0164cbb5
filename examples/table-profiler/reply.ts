import type { Message } from '../../shared/agent/index.ts';

export const WHAT_I_DO =
  "I profile tables. Send me a CSV or TSV file, or paste its lines, and I answer with the type, the missing values, the statistics and the oddities of each column: as JSON, as a Markdown report and as an SVG chart. I find out the delimiter, the encoding and the header by myself, tell what I guessed, and ask where I can't be sure. I read at most 10 MiB, 500 columns, 200,000 rows and 2 million cells.";

/** Whether a message only greets or asks what the agent does, so that it needs no task. */
export function isGreeting({ parts }: Message): boolean {
  const [only, ...others] = parts;
  if (only === undefined || others.length > 0 || !('text' in only)) return false;
  return GREETINGS.has(
    only.text
      .toLowerCase()
      .replace(/[^a-z ]/g, '')
      .trim(),
  );
}

const GREETINGS: ReadonlySet<string> = new Set([
  'help',
  'hello',
  'hi',
  'hey',
  'what can you do',
  'what do you do',
]);
