import type { OperatorApi } from './client.ts';
import type { Confirmation } from './confirm.ts';
import type { Column, View } from './screen/view.ts';
import type { Terminal } from './terminal.ts';

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
  readonly environment: Terminal['environment'];
  readonly now: number;
  readonly terminal: Pick<Terminal, 'ended' | 'error' | 'now' | 'pause'>;
  /** Shows something and puts a question below it; undefined where no person can be asked. */
  readonly ask: ((shown: Shown, question: string) => Promise<string>) | undefined;
  readonly json: boolean;
  /** For what is shown while a command goes on. */
  readonly show: (text: Shown) => void;
  /**
   * Resolves when a person has said yes to what is shown; `more` are the options that make the
   * command mean exactly that. Throws CliError.
   */
  readonly confirm: (
    about: { readonly shown: Shown } & Pick<Confirmation, 'question' | 'expects'>,
    ...more: readonly string[]
  ) => Promise<void>;
}

/** A view, or lines that are shown as they are. */
export type Shown = View | string;

/** What a command found: as data, and in words. */
export interface Found {
  readonly data: unknown;
  readonly text: Shown;
  /** What the command ends with, if not with 0. */
  readonly exit?: number;
}

export interface Command {
  readonly name: string;
  /** Its arguments, for the usage line. */
  readonly takes?: string;
  readonly summary: string;
  readonly options?: readonly Option[];
  /** It only reads, so it may be repeated. */
  readonly watchable?: boolean;
  /** Its answer is one table, of these: `--columns` and `--sort` choose from it. */
  readonly columns?: readonly Column[];
  /** Command lines that show what it is for, without `holdfast`. */
  readonly examples?: readonly string[];
  /** What it ends with beside what each command ends with, as a sentence. */
  readonly ends?: string;
  run(around: Surroundings): Promise<Found>;
}
