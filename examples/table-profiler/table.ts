/**
 * What a reader should know about how a table was read, or what it holds. Lines are lines of the
 * file, from 1.
 */
export type Note = { readonly message: string; readonly lines?: readonly number[] };

export type Row = { readonly line: number; readonly cells: readonly string[] };

export type Table = {
  readonly columns: readonly string[];
  /** Each row has exactly as many cells as there are columns. */
  readonly rows: readonly Row[];
  /** The file goes on behind these rows: more are not read. */
  readonly more: boolean;
  /** A name of DELIMITERS, another single character, or `none`: a table of one column. */
  readonly delimiter: string;
  /** The WHATWG name of the encoding, such as `windows-1252`. */
  readonly encoding: string;
  readonly hasHeader: boolean;
  /** Each row had as many cells in the file, too. */
  readonly regular: boolean;
  /** What was left out, mended or guessed; each is told in the answer. */
  readonly notes: readonly Note[];
};

/**
 * What is asked when no table could be read without a bold guess; `shape` when it may be one, but
 * its cells can't be told apart.
 */
export type Question = {
  readonly kind: 'question';
  readonly about: 'format' | 'shape';
  readonly question: string;
};

/**
 * What the sender said of a table beside sending it: in the media type, or as the answer to a
 * question.
 */
export type Said = {
  readonly delimiter?: string;
  readonly encoding?: string;
  readonly header?: boolean;
  /** Which columns have no name when the header is narrower than the rows. */
  readonly unnamed?: 'first' | 'last';
  readonly quotes?: 'text';
};

/** Rarest in ordinary values first: a tab in every line means more than a comma in every line. */
export const DELIMITERS: Readonly<Record<string, string>> = {
  tab: '\t',
  semicolon: ';',
  pipe: '|',
  caret: '^',
  comma: ',',
};

/**
 * Rows and cells beyond are left out, and the answer says so; more bytes or columns are a question.
 */
export const LIMITS = { bytes: 10 * 1024 * 1024, rows: 200_000, cells: 2_000_000, columns: 500 };

export type Limits = typeof LIMITS;

export function ask(about: 'format' | 'shape', question: string): Question {
  return { kind: 'question', about, question };
}
