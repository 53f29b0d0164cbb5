import {
  type DateReading,
  type DayOrder,
  dayOrder,
  dependsOnOrder,
  readDate,
} from '../values/dates.ts';
import {
  type DecimalStyle,
  hasDecimalComma,
  hasLeadingZero,
  hasManyDigits,
  type NumberReading,
  readNumber,
} from '../values/numbers.ts';
import { type Occurrence, total } from './tally.ts';

export type ColumnType = 'integer' | 'decimal' | 'boolean' | 'date' | 'datetime' | 'text' | 'empty';

export type Read<T> = Occurrence & { readonly reading: T };

/** The values of a column, each read once, by kind. */
export type Readings = {
  readonly numbers: readonly Read<NumberReading>[];
  readonly dates: readonly Read<DateReading>[];
  readonly texts: readonly Occurrence[];
};

export type TypedColumn = Readings & {
  readonly type: ColumnType;
  /** What was found about `03/04/2024`, where the column has such dates. */
  readonly order: ReturnType<typeof dayOrder>;
  /** Some value reads as a number only by dropping zeros or digits, so all values were kept as text. */
  readonly codes: 'leading-zeros' | 'many-digits' | undefined;
  /** Some value has a decimal comma where commas part thousands, so no comma was read as either. */
  readonly commas: boolean;
};

/** Of a column that is not of one kind, the share that a kind needs to give its type; the rest is warned about. */
const DOMINANT = 0.9;

/** Finds the type of a column from its distinct values that are not missing. */
export function typeColumn(
  values: readonly Occurrence[],
  style: DecimalStyle,
  ambiguousOrder: DayOrder,
): TypedColumn {
  const cells = values.map(({ cell }) => cell);
  const order = dayOrder(cells);
  const codes = codesIn(cells);
  const commas = style === 'point' && cells.some(hasDecimalComma);
  const known = order === 'day-first' || order === 'month-first' ? order : ambiguousOrder;
  const readings = read(values, (cell) => {
    const number = codes === undefined ? readNumber(cell, style) : undefined;
    if (number !== undefined) return commas && cell.includes(',') ? undefined : { number };
    // Read one by one, a column that needs both orders would turn some days into months unseen.
    if (order === 'conflict' && dependsOnOrder(cell) !== undefined) return undefined;
    const date = readDate(cell, known);
    return date && { date };
  });
  return { ...readings, type: typeOf(values, readings), order, codes, commas };
}

function typeOf(values: readonly Occurrence[], { numbers, dates }: Readings): ColumnType {
  const all = total(values);
  if (all === 0) return 'empty';
  // One cell alone can't tell: NO is Norway in a column of countries. So a boolean is a matter of the whole column.
  if (isBoolean(values)) return 'boolean';
  if (total(numbers) >= DOMINANT * all) {
    return numbers.every(({ reading }) => reading.integer) ? 'integer' : 'decimal';
  }
  if (total(dates) >= DOMINANT * all) {
    return dates.some(({ reading }) => reading.time) ? 'datetime' : 'date';
  }
  return 'text';
}

function isBoolean(values: readonly Occurrence[]): boolean {
  const words = new Set(values.map(({ cell }) => cell.toLowerCase()));
  return BOOLEANS.some((pair) => [...words].every((word) => pair.includes(word)));
}

const BOOLEANS = [
  ['true', 'false'],
  ['yes', 'no'],
  ['y', 'n'],
  ['ja', 'nein'],
  ['oui', 'non'],
];

function codesIn(cells: readonly string[]): TypedColumn['codes'] {
  if (cells.some(hasLeadingZero)) return 'leading-zeros';
  return cells.some(hasManyDigits) ? 'many-digits' : undefined;
}

function read(
  values: readonly Occurrence[],
  readCell: (
    cell: string,
  ) => { readonly number: NumberReading } | { readonly date: DateReading } | undefined,
): Readings {
  const numbers: Read<NumberReading>[] = [];
  const dates: Read<DateReading>[] = [];
  const texts: Occurrence[] = [];
  for (const value of values) {
    const found = readCell(value.cell);
    if (found === undefined) texts.push(value);
    else if ('number' in found) numbers.push({ ...value, reading: found.number });
    else dates.push({ ...value, reading: found.date });
  }
  return { numbers, dates, texts };
}
