import type { Note } from '../table.ts';
import { clipped, counted, percent } from '../wording.ts';
import type { TypedColumn } from './column-type.ts';
import type { NumberSummary } from './number-summary.ts';
import { outlierWarning } from './outliers.ts';
import { type Occurrence, total } from './tally.ts';

export type Observed = {
  readonly name: string;
  readonly rows: number;
  readonly values: readonly Occurrence[];
  readonly missing: readonly Occurrence[];
  readonly padded: number;
  readonly column: TypedColumn;
  readonly numbers: NumberSummary | undefined;
};

/** What a reader should check in a column, in a fixed order: what is absent, what is mixed, what was assumed, what is odd. */
export function warningsOf(seen: Observed): readonly Note[] {
  const identifier = likelyIdentifier(seen);
  return [
    missingWarning(seen),
    namibiaWarning(seen),
    mixedWarning(seen.column),
    codesWarning(seen.column),
    commaWarning(seen.column),
    constantWarning(seen),
    variantsWarning(seen),
    paddedWarning(seen),
    identifier,
    seen.numbers && identifier === undefined
      ? outlierWarning(seen.column.numbers, seen.numbers)
      : undefined,
  ].filter((warning) => warning !== undefined);
}

function missingWarning({ rows, missing }: Observed): Note | undefined {
  const count = total(missing);
  if (rows === 0 || count < rows / 2) return undefined;
  if (count === rows) return { code: 'all-missing', message: 'No row has a value.' };
  const message = `${percent(count, rows)} of the values are missing.`;
  return { code: 'mostly-missing', message };
}

/** NA is the code of Namibia, and of North America. */
function namibiaWarning({ values, missing }: Observed): Note | undefined {
  const na = missing.find(({ cell }) => cell === 'NA');
  if (na === undefined || values.length < 2) return undefined;
  if (!values.every(({ cell }) => /^[A-Z]{2}$/.test(cell))) return undefined;
  const message = `"NA" counts as missing (${counted(na.count, 'row')}), but may be a two-letter code like the others.`;
  return { code: 'na-may-be-code', message, lines: [na.line] };
}

function mixedWarning({ type, numbers, dates, texts, codes }: TypedColumn): Note | undefined {
  if (type === 'boolean') return undefined;
  const kinds = [
    { noun: 'number', values: numbers },
    { noun: 'date', values: dates },
    { noun: 'text', values: texts },
  ]
    .map((kind) => ({ ...kind, count: total(kind.values) }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count);
  // Codes are kept as text, so their numbers are no mixture.
  const [main, ...others] = kinds;
  if (main === undefined || others.length === 0 || codes !== undefined) return undefined;
  const lines = others.flatMap(({ values }) => values.map(({ line }) => line));
  const parts = others.map(({ noun, count }) => counted(count, noun));
  const example = clipped(others[0]?.values[0]?.cell ?? '', 30);
  return {
    code: 'mixed-types',
    message: `Mixed types: ${parts.join(' and ')} among ${counted(main.count, main.noun)}, such as "${example}".`,
    lines: lines.toSorted((a, b) => a - b).slice(0, 5),
  };
}

function codesWarning({ codes }: TypedColumn): Note | undefined {
  if (codes === undefined) return undefined;
  const what = codes === 'leading-zeros' ? 'leading zeros' : 'more than 15 digits';
  return { code: codes, message: `Some values have ${what}, so all were kept as text.` };
}

function commaWarning({ commas, numbers }: TypedColumn): Note | undefined {
  if (commas) {
    const message =
      'Some values look like decimal commas (1,5), so those with a comma were kept as text.';
    return { code: 'decimal-comma', message };
  }
  // With a fraction behind it a separator explains itself; 1,234 alone might be a decimal.
  const example = numbers.find(({ reading }) => reading.grouped && reading.integer);
  if (example === undefined) return undefined;
  const message = `Thousands separators: ${example.cell} was read as ${example.reading.value}.`;
  return { code: 'thousands-separators', message, lines: [example.line] };
}

function constantWarning({ rows, values, missing }: Observed): Note | undefined {
  const only = values[0];
  if (only === undefined || values.length > 1 || missing.length > 0 || rows < 2) return undefined;
  return {
    code: 'constant',
    message: `Every row has the same value: "${clipped(only.cell, 30)}".`,
  };
}

function variantsWarning({ values, column }: Observed): Note | undefined {
  if (column.type !== 'text') return undefined;
  const seen = new Map<string, Occurrence>();
  for (const value of values) {
    const plain = value.cell.toLowerCase().replace(/\s+/g, ' ');
    const other = seen.get(plain);
    if (other === undefined) seen.set(plain, value);
    else {
      const message = `Values that differ only in case or spaces, such as "${clipped(other.cell, 30)}" and "${clipped(value.cell, 30)}".`;
      return { code: 'spelling-variants', message, lines: [other.line, value.line] };
    }
  }
  return undefined;
}

function paddedWarning({ padded }: Observed): Note | undefined {
  if (padded === 0) return undefined;
  return {
    code: 'padded',
    message: `${counted(padded, 'value')} with spaces around: read without.`,
  };
}

/** Ten rows, lest each short table be full of identifiers; of numbers only a name or a gapless run tells. */
function likelyIdentifier({ name, rows, values, column, numbers }: Observed): Note | undefined {
  if (rows < 10 || values.length !== rows) return undefined;
  const run = numbers !== undefined && numbers.max - numbers.min + 1 === rows;
  const named =
    /(?:^|[^a-z])(?:id|uuid|guid|key|code|nr|no|number)$/i.test(name) || /[a-z]I[dD]$/.test(name);
  const plain = column.texts.every(({ cell }) => cell.length <= 64 && !/\s/.test(cell));
  const likely = column.type === 'text' ? plain : column.type === 'integer' && (run || named);
  if (!likely) return undefined;
  return { code: 'likely-identifier', message: 'Likely an identifier: no value occurs twice.' };
}
