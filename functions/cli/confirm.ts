import { createInterface } from 'node:readline';
import { CliError, EXIT } from './cli-error.ts';
import { plain } from './table.ts';

/** For each command that can't be taken back. */
export const YES = { name: 'yes', help: 'does it without a question, whatever it finds' } as const;

/** What the help of such a command says. */
export const YES_WORDS =
  'It shows what it would do, and asks first. Without a terminal it does nothing, prints the command that does exactly that, and ends with 2.';

/** Puts a question to the person at the terminal; an empty answer where the input has ended. */
export type Ask = (question: string) => Promise<string>;

/** What can't be taken back, before it is done. */
export interface Confirmation {
  /** `--yes` was given. */
  readonly yes: boolean;
  /** Undefined without a terminal. */
  readonly ask: Ask | undefined;
  /** What would be done, and to what: lines, written so that a person can judge them. */
  readonly shown: string;
  /** Without its question mark. */
  readonly question: string;
  /** The command that does exactly this, without a question. */
  readonly paste: string;
  /** What is to be typed, where a yes is too little. */
  readonly expects?: string;
}

/**
 * Resolves when a person said yes to what was shown, or `--yes` did beforehand. Throws CliError
 * otherwise; without a terminal it holds the command to paste.
 */
export async function confirm(given: Confirmation): Promise<void> {
  const { ask, expects, paste, question, shown, yes } = given;
  if (yes) return;
  if (ask === undefined)
    throw new CliError(
      EXIT.usage,
      'nothing was done: this needs a yes, and there is no terminal to ask for it',
      `${shown}\n\nif that is what you want:\n  ${paste}`,
    );
  const asked = expects === undefined ? '[y/N]' : `Type ${expects} to say so:`;
  const answer = await ask(`${shown}\n${question}? ${asked} `);
  const isYes = expects === undefined ? /^\s*y(es)?\s*$/i.test(answer) : answer.trim() === expects;
  if (isYes) return;
  throw new CliError(EXIT.refused, 'nothing was done');
}

type Stream<S> = S & { readonly isTTY?: boolean };

/** Where a question is put, and answered. */
export interface Console {
  readonly input: Stream<NodeJS.ReadableStream>;
  readonly output: Stream<NodeJS.WritableStream>;
}

/**
 * Asks on stderr, so that stdout stays what the command answers. Undefined unless a person is there
 * to read it and to answer.
 */
export function askAtTerminal(
  signal?: AbortSignal,
  { input, output }: Console = { input: process.stdin, output: process.stderr },
): Ask | undefined {
  if (input.isTTY !== true || output.isTTY !== true) return undefined;
  return (question) =>
    new Promise((resolve) => {
      // Not as a terminal: the line stays with the system, and so does Ctrl-C.
      const lines = createInterface({ input, terminal: false });
      output.write(question);
      const end = (): void => lines.close();
      signal?.addEventListener('abort', end, { once: true });
      lines.once('line', (line) => {
        resolve(line);
        lines.close();
      });
      lines.once('close', () => {
        signal?.removeEventListener('abort', end);
        resolve('');
      });
    });
}

/** A word of a shell's command line. */
const word = (text: string): string =>
  /^[\w./:@=+,-]+$/.test(text) ? text : `'${plain(text).replaceAll("'", `'\\''`)}'`;

/** The command line that was given, with more to it. A token is left for its author to put in. */
export function sameCommand(args: readonly string[], ...more: readonly string[]): string {
  const given = args.map((each, at) => (args[at - 1] === '--token' ? 'TOKEN' : each));
  const shown = given.map((each) => (each.startsWith('--token=') ? '--token=TOKEN' : each));
  return ['npx', '--no', 'holdfast', ...shown, ...more].map(word).join(' ');
}
