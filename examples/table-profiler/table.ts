/** What a reader should know about how a table was read or what it holds. Lines are lines of the file, from 1. */
export type Note = {
  readonly code: string;
  readonly message: string;
  readonly lines?: readonly number[];
};

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** `none` is a table of one column. */
export type Delimiter = 'comma' | 'semicolon' | 'tab' | 'pipe' | 'none';

/** Rarest in ordinary values first: a tab in every line means more than a comma in every line. */
export const DELIMITERS: readonly { readonly name: Delimiter; readonly character: string }[] = [
  { name: 'tab', character: '\t' },
  { name: 'semicolon', character: ';' },
  { name: 'pipe', character: '|' },
  { name: 'comma', character: ',' },
];

export type Row = { readonly line: number; readonly cells: readonly string[] };

export type Table = {
  readonly columns: readonly string[];
  /** Each row has exactly as many cells as there are columns. */
  readonly rows: readonly Row[];
  readonly delimiter: Delimiter;
  readonly encoding: Encoding;
  readonly hasHeader: boolean;
  readonly notes: readonly Note[];
};

export type ProblemCode = 'not-text' | 'too-many-bytes' | 'too-many-columns' | 'cell-too-long';

/** Why no table could be read, in a sentence that the sender can act on. */
export type Problem = { readonly code: ProblemCode; readonly message: string };

export type Limits = {
  readonly bytes: number;
  /** Further rows are left out, and a note says so; every other limit is a problem. */
  readonly rows: number;
  readonly columns: number;
  readonly cellCharacters: number;
};

/** A request body is at most 10 MiB, and a spreadsheet's cell holds at most 32,767 characters. */
export const LIMITS: Limits = {
  bytes: 10 * 1024 * 1024,
  rows: 200_000,
  columns: 500,
  cellCharacters: 32_767,
};
