import type { Note } from '../table.ts';
import type { DayOrder } from '../values/dates.ts';
import type { DecimalStyle } from '../values/numbers.ts';
import { clipped } from '../wording.ts';
import { type ColumnType, type TypedColumn, typeColumn } from './column-type.ts';
import { type DateSummary, summarizeDates } from './date-summary.ts';
import { dateWarnings } from './date-warnings.ts';
import { type NumberSummary, summarizeNumbers } from './number-summary.ts';
import { mostFrequent, type Occurrence, type Tally, total } from './tally.ts';
import {
  SHOWN_CHARACTERS,
  summarizeText,
  type TextSummary,
  type ValueCount,
  valueCount,
} from './text-summary.ts';
import { warningsOf } from './warnings.ts';

export type BooleanSummary = { readonly kind: 'booleans'; readonly top: readonly ValueCount[] };

/** What a column holds. Values that are not of its type count, but are left out of the summary and warned about. */
export type ColumnProfile = {
  readonly name: string;
  /** From 1, in the order of the file. */
  readonly position: number;
  readonly type: ColumnType;
  /** Rows that have a value, rows that have none, and how the latter spell it. */
  readonly count: number;
  readonly missing: number;
  readonly missingAs: readonly ValueCount[];
  readonly distinct: number;
  readonly examples: readonly string[];
  readonly summary: NumberSummary | DateSummary | TextSummary | BooleanSummary | null;
  readonly warnings: readonly Note[];
};

export type Customs = { readonly decimal: DecimalStyle; readonly ambiguousOrder: DayOrder };

/** Profiles one column from its tally. */
export function profileColumn(
  name: string,
  position: number,
  tally: Tally,
  { decimal, ambiguousOrder }: Customs,
): ColumnProfile {
  const values = tally.occurrences();
  const missing = [...tally.missing.values()];
  const count = total(values);
  const column = typeColumn(values, decimal, ambiguousOrder);
  const summary = summaryOf(column, values);
  const numbers = summary?.kind === 'numbers' ? summary : undefined;
  const rows = count + total(missing);
  return {
    name,
    position,
    type: column.type,
    count,
    missing: rows - count,
    missingAs: mostFrequent(missing, missing.length).map(valueCount),
    distinct: values.length,
    examples: values.slice(0, 3).map(({ cell }) => clipped(cell, SHOWN_CHARACTERS)),
    summary: summary ?? null,
    warnings: [
      ...warningsOf({ name, rows, values, missing, padded: tally.padded, column, numbers }),
      ...dateWarnings(column, ambiguousOrder),
    ],
  };
}

function summaryOf(
  column: TypedColumn,
  values: readonly Occurrence[],
): ColumnProfile['summary'] | undefined {
  switch (column.type) {
    case 'integer':
    case 'decimal':
      return summarizeNumbers(
        column.numbers.map(({ reading, count }) => ({ value: reading.value, count })),
      );
    case 'date':
    case 'datetime':
      return summarizeDates(
        column.dates.map(({ reading }) => reading),
        column.type === 'datetime',
      );
    case 'boolean':
      return { kind: 'booleans', top: mostFrequent(values, values.length).map(valueCount) };
    case 'text':
      return summarizeText(values);
    case 'empty':
      return undefined;
  }
}
