import { usage } from '../cli-error.ts';
import type { Cell, Column, Part, Table, View } from './view.ts';

/** What an operator wants to see of a table, and in which order. */
export interface Choice {
  readonly columns?: string;
  readonly sort?: string;
  readonly order?: string;
}

/** The same view with other columns, or its rows in another order. Throws CliError. */
export function chosen(view: View, choice: Choice): View {
  return view.map((part): Part => {
    if (part.kind === 'apart')
      return { ...part, views: part.views.map((each) => chosen(each, choice)) };
    return part.kind === 'table' ? shownIn(sorted(part, choice), choice) : part;
  });
}

function shownIn(table: Table, { columns }: Choice): Table {
  if (columns === undefined) return table;
  const wanted = columns.split(',').map((name) => indexOf('columns', table.columns, name.trim()));
  return {
    ...table,
    columns: wanted.map((at) => asked(table.columns[at])),
    rows: table.rows.map((row) => wanted.map((at) => row[at] ?? '')),
  };
}

/** With its own name over it: the one that was asked for. */
const asked = ({ fixed, name, right }: Column = { name: '' }): Column => ({
  name,
  ...(fixed && { fixed }),
  ...(right && { right }),
});

function sorted(table: Table, { order = 'asc', sort }: Choice): Table {
  if (order !== 'asc' && order !== 'desc')
    throw usage(`--order is ${JSON.stringify(order)}; it must be asc or desc`);
  if (sort === undefined) return table;
  const at = indexOf('sort', table.columns, sort);
  const sign = order === 'asc' ? 1 : -1;
  const places = table.rows
    .map((_, place) => place)
    .toSorted((a, b) => sign * compared(table.rows[a]?.[at] ?? '', table.rows[b]?.[at] ?? ''));
  return {
    ...table,
    rows: places.map((place) => table.rows[place] ?? []),
    ...(table.below !== undefined && { below: places.map((place) => table.below?.[place]) }),
  };
}

function compared(a: Cell, b: Cell): number {
  const [x, y] = [valueOf(a), valueOf(b)];
  if (typeof x === 'number' && typeof y === 'number') return x - y;
  return String(x).localeCompare(String(y), 'en', { numeric: true });
}

function valueOf(cell: Cell): string | number {
  if (typeof cell === 'string') return cell;
  if ('id' in cell) return cell.id;
  return 'at' in cell ? cell.at : (cell.sort ?? cell.text);
}

/** Throws CliError for a name that no column has. */
export function indexOf(option: string, columns: readonly Column[], name: string): number {
  const at = columns.findIndex((column) => column.name === name);
  if (at >= 0) return at;
  const known = columns.map((column) => column.name).join(', ');
  throw usage(`--${option}: ${JSON.stringify(name)} is no column; there are ${known}`);
}
