/** What is shown of a thing, whatever it is shown on. */
export type Look = 'good' | 'bad' | 'waits' | 'busy' | 'dim' | 'strong';

/** Words; what others wrote among them may hold anything. */
export interface Words {
  readonly text: string;
  readonly look?: Look;
  /** What rows are sorted by, if not the text. */
  readonly sort?: number;
}

/** An instant in milliseconds: how long ago, or when exactly. */
export interface Moment {
  readonly at: number;
  /** Always exactly, on every screen; `both` has how long ago, too. */
  readonly iso?: true;
  readonly both?: true;
}

/** A name that people type: on a screen as much of it as tells it from the others there. */
export interface Id {
  readonly id: string;
}

export type Cell = string | Words | Moment | Id;

export interface Column {
  /** As it is asked for by `--columns`, and as its heading. */
  readonly name: string;
  readonly heading?: string;
  /** Shown only if it is asked for. */
  readonly hidden?: true;
  /** Never cut while another column can be. */
  readonly fixed?: true;
  /** Numbers. */
  readonly right?: true;
}

export interface Table {
  readonly kind: 'table';
  readonly columns: readonly Column[];
  /** A cell for each column, hidden ones included. */
  readonly rows: readonly (readonly Cell[])[];
  /** What stands below each row. */
  readonly below?: readonly (View | undefined)[];
  /** Words in place of a table without rows. */
  readonly none: string;
}

export type Part =
  | Table
  /** Names and values. One without a value is left out. */
  | { readonly kind: 'facts'; readonly pairs: readonly Fact[] }
  /** Cells one after the other, broken at spaces where they must be. */
  | { readonly kind: 'line'; readonly cells: readonly Cell[] }
  /** What others wrote, in several lines. */
  | { readonly kind: 'quoted'; readonly text: string }
  | { readonly kind: 'json'; readonly value: unknown; readonly before?: string }
  | { readonly kind: 'indented'; readonly view: View }
  /** Views with an empty line between each two. */
  | { readonly kind: 'apart'; readonly views: readonly View[] };

const isList = (value: Cell | readonly Cell[]): value is readonly Cell[] => Array.isArray(value);

export const cellsOf = (value: Cell | readonly Cell[]): readonly Cell[] =>
  isList(value) ? value : [value];

export type Fact = readonly [name: string | Words, value: Cell | readonly Cell[] | undefined];
export type View = readonly Part[];

export const facts = (pairs: readonly Fact[]): Part => ({ kind: 'facts', pairs });
export const line = (...cells: readonly Cell[]): Part => ({ kind: 'line', cells });
export const quote = (text: string): Part => ({ kind: 'quoted', text });
export const json = (value: unknown, before = ''): Part => ({ kind: 'json', value, before });
export const indent = (...view: View): Part => ({ kind: 'indented', view });
export const apart = (...views: readonly View[]): Part => ({ kind: 'apart', views });

/** A heading, and what stands under it. */
export const section = (name: string, ...view: View): View => [
  line({ text: name, look: 'strong' }),
  indent(...view),
];

/** Columns that need no more than their names. */
export const columns = (...names: readonly string[]): readonly Column[] =>
  names.map((name) => ({ name }));

export const table = (given: Omit<Table, 'kind' | 'none'> & { readonly none?: string }): Table => ({
  kind: 'table',
  none: 'none',
  ...given,
});
