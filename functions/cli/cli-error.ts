/** What a command can end with, besides 0. */
export const EXIT = {
  /** The API said no, or could not do it. */
  refused: 1,
  /** The command line is not understood. */
  usage: 2,
  /** The API can't be reached, or does not know the caller. */
  access: 3,
} as const;

/** Ends a command with words for a person: what is wrong, and what to do next. */
export class CliError extends Error {
  readonly exit: number;

  constructor(exit: number, message: string) {
    super(message);
    this.name = 'CliError';
    this.exit = exit;
  }
}

export const usage = (message: string): CliError => new CliError(EXIT.usage, message);
