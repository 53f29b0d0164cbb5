import { wrapped } from './screen/width.ts';
import { plain } from './table.ts';

/** What a command can end with, besides 0. */
export const EXIT = {
  /** The API said no, or could not do it. */
  refused: 1,
  /** The command line is not understood, or has to say more. */
  usage: 2,
  /** The API can't be reached, or does not know the caller. */
  access: 3,
} as const;

/** The same for the help. */
export const EXIT_WORDS =
  'Exit codes: 0 done, 1 refused or failed, 2 not understood, 3 not reached or not known.';

/** Ends a command with words for a person: what is wrong, and what to do next. */
export class CliError extends Error {
  readonly exit: number;
  /** Lines below the message, as they are to be printed. */
  readonly detail: string | undefined;
  /** The API's word for what it refused. */
  readonly code: string | undefined;

  constructor(exit: number, message: string, detail?: string, code?: string) {
    super(message);
    this.name = 'CliError';
    this.exit = exit;
    this.detail = detail;
    this.code = code;
  }
}

export const usage = (message: string): CliError => new CliError(EXIT.usage, message);

/** What is said of an error, at words as wide as the terminal; and what belongs below it. */
export function wordsOf({ detail, message }: CliError, columns?: number): string {
  const words = `holdfast: ${plain(message)}`;
  const lines = columns === undefined ? [words] : wrapped(words, columns);
  return `${lines.join('\n')}\n${detail === undefined ? '' : `${detail}\n`}`;
}
