import type { Note } from '../table.ts';
import type { Turns } from '../turns.ts';
import { clipped, counted, lined, percent } from '../wording.ts';
import { type DayOrder, dayOrder, isSlashed, readDate } from './dates.ts';
import { codeOf, type DecimalStyle, hasDecimalComma, readNumber } from './read-number.ts';
import { fencesOf, type Read, summarizeNumbers } from './numbers.ts';
import { type Occurrence, recurring, type Tally, total } from './tally.ts';

export type Customs = { readonly decimal: DecimalStyle; readonly ambiguousOrder: DayOrder };

/**
 * What a column holds. Values that are not of its type count, but are left out of the summary and
 * warned about.
 */
export type ColumnProfile = Awaited<ReturnType<typeof profileColumn>>;

/**
 * Of a column that is not of one kind, the share that a kind needs to give its type; the rest is
 * warned about.
 */
const DOMINANT = 0.9;

/** Profiles one column from its tally, in turns. */
export async function profileColumn(name: string, tally: Tally, customs: Customs, turns: Turns) {
  const values = [...tally.values.values()];
  const count = total(values);
  const missing = total(tally.missing.values());
  const readings = await readValues(values, customs, turns);
  await turns.after(values.length);
  const dated = total(readings.dates) >= DOMINANT * count;
  const numeric = total(readings.numbers) >= DOMINANT * count;
  const type = count === 0 ? 'empty' : numeric ? 'number' : dated ? 'date' : 'text';
  const dates = type === 'date' ? readings.dates.map(({ reading }) => reading).toSorted() : [];
  const [first] = dates;
  const numbers = type === 'number' ? summarizeNumbers(readings.numbers) : undefined;
  await turns.after(values.length);
  const top = recurring(values, 5);
  await turns.after(values.length);
  return {
    name,
    type,
    /** Rows that have a value, rows that have none, and how the latter spell it. */
    count,
    missing,
    missingAs: [...tally.missing.keys()],
    distinct: values.length,
    examples: values.slice(0, 3).map(({ cell }) => clipped(cell, 80)),
    /** The values that recur, the most frequent first. */
    top,
    numbers: numbers ?? null,
    dates: first === undefined ? null : { earliest: first, latest: dates.at(-1) ?? first },
    warnings: [
      ...assumptions(readings),
      ...oddities(values, missing),
      ...mixture(readings),
      ...outliers(readings.numbers, numbers),
    ],
  } as const;
}

type Readings = Awaited<ReturnType<typeof readValues>>;

/** Each value read once, and what the reading rests on. */
async function readValues(values: readonly Occurrence[], customs: Customs, turns: Turns) {
  const cells = values.map(({ cell }) => cell);
  const order = dayOrder(cells);
  const known = order === 'day-first' || order === 'month-first' ? order : customs.ambiguousOrder;
  // Some value reads as a number only by dropping zeros or digits, so all are kept as text.
  const codes = cells.map(codeOf).find((code) => code !== undefined);
  await turns.after(cells.length);
  // Some value has a decimal comma where commas part thousands, so no comma is read as either.
  const commas = customs.decimal === 'point' && cells.some(hasDecimalComma);
  const numbers: Read<number>[] = [];
  const dates: Read<string>[] = [];
  const texts: Occurrence[] = [];
  await turns.visit(values, 1, (value) => {
    const { cell } = value;
    const number = codes === undefined ? readNumber(cell, customs.decimal) : undefined;
    // Read one by one, a column that needs both orders would turn some days into months unseen.
    const torn = order === 'conflict' && isSlashed(cell);
    const date = number === undefined && !torn ? readDate(cell, known) : undefined;
    if (number !== undefined && !(commas && cell.includes(','))) {
      numbers.push({ ...value, reading: number });
    } else if (date) dates.push({ ...value, reading: date });
    else texts.push(value);
  });
  return { numbers, dates, texts, order, known, codes, commas };
}

function assumptions({ codes, commas, known, numbers, order }: Readings): readonly Note[] {
  const read = known === 'day-first' ? 'day/month/year' : 'month/day/year';
  // With a fraction behind it a separator explains itself; 1,234 alone might be a decimal.
  const grouped = commas
    ? undefined
    : numbers.find(({ cell }) => /^\D?\d+(?:\D\d{3})+$/.test(cell));
  return [
    ...(codes ? [`Some values have ${codes}, so all were kept as text`] : []),
    ...(commas ? ['Values with a comma were kept as text: some look like decimals (1,5)'] : []),
    ...(grouped ? [`Thousands separators: ${grouped.cell} was read as ${grouped.reading}`] : []),
    ...(order === 'unknown' ? [`Nothing tells day and month apart; read as ${read}`] : []),
    ...(order === 'conflict' ? ['Some dates fit only day/month, others only month/day'] : []),
  ].map((message) => ({ message }));
}

function oddities(values: readonly Occurrence[], missing: number): readonly Note[] {
  const rows = total(values) + missing;
  const [only, second] = values;
  if (rows > 0 && missing >= rows / 2) {
    return [{ message: `${percent(missing, rows)} of the values are missing` }];
  }
  if (only === undefined || second !== undefined || missing > 0 || rows < 2) return [];
  return [{ message: `Every row has the same value: "${clipped(only.cell, 30)}"` }];
}

function mixture({ codes, dates, numbers, texts }: Readings): readonly Note[] {
  const kinds = [
    { noun: 'number', values: numbers },
    { noun: 'date', values: dates },
    { noun: 'text', values: texts },
  ].filter(({ values }) => values.length > 0);
  const [main, ...others] = kinds.toSorted((a, b) => total(b.values) - total(a.values));
  // Codes are kept as text, so their numbers are no mixture.
  if (codes !== undefined || main === undefined || others.length === 0) return [];
  const parts = others.map(({ noun, values }) => counted(total(values), noun));
  const example = clipped(others[0]?.values[0]?.cell ?? '', 30);
  const most = counted(total(main.values), main.noun);
  const message = `Mixed types: ${parts.join(' and ')} among ${most}, such as "${example}"`;
  return [
    lined(
      message,
      others.flatMap(({ values }) => values.slice(0, 6)),
    ),
  ];
}

function outliers(
  numbers: readonly Read<number>[],
  summary: ReturnType<typeof summarizeNumbers>,
): readonly Note[] {
  const { low, high } = fencesOf(summary);
  const beyond = numbers.filter(({ reading }) => reading < low || reading > high);
  const [first] = beyond;
  if (first === undefined) return [];
  const message = `${counted(total(beyond), 'value')} far from the middle half, such as ${first.cell}`;
  return [lined(message, beyond)];
}
