import type { OperatorApi } from './client.ts';
import type { Confirmation } from './confirm.ts';

export interface Option {
  readonly name: string;
  /** Absent: a switch. */
  readonly value?: string;
  readonly help: string;
}

/** What a command works with. */
export interface Surroundings {
  readonly client: OperatorApi;
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
  readonly now: number;
  readonly json: boolean;
  /** For what is shown while a command goes on. */
  readonly show: (text: string) => void;
  /**
   * Resolves when a person has said yes to what is shown; `more` are the options that make the
   * command mean exactly that. Throws CliError.
   */
  readonly confirm: (
    about: Pick<Confirmation, 'shown' | 'question'>,
    ...more: readonly string[]
  ) => Promise<void>;
}

/** What a command found: as data, and in words. */
export interface Found {
  readonly data: unknown;
  readonly text: string;
}

export interface Command {
  readonly name: string;
  /** Its arguments, for the usage line. */
  readonly takes?: string;
  readonly summary: string;
  readonly options?: readonly Option[];
  /** It only reads, so it may be repeated. */
  readonly watchable?: boolean;
  run(around: Surroundings): Promise<Found>;
}
