import type { Message } from 'holdfast/agent';

export const WHAT_I_DO =
  "I profile tables. Send me a CSV or TSV file, or paste its lines, and I answer with the type, the missing values, the statistics and the oddities of each column: as JSON, as a Markdown report and as an SVG chart. I find out the delimiter, the encoding and the header by myself, tell what I guessed, and ask where I can't be sure. I read at most 10 MiB, 500 columns, 200,000 rows and 2 million cells.";

const GREETING = /^\W*(?:help|hello|hi|hey|what (?:can you|do you) do)\W*$/i;

/** Whether a message only greets or asks what the agent does, so that it needs no task. */
export function isGreeting({ parts }: Message): boolean {
  const [only, ...others] = parts;
  return only !== undefined && others.length === 0 && 'text' in only && GREETING.test(only.text);
}
