import { type Series, StackedBars } from '../parts/stacked-bars.tsx';
import { numberWords } from '../parts/words.ts';
import type { Costs } from '../wire.ts';
import { moneyWords } from './run-now.tsx';

export const COST_PARTS = ['day', 'agent', 'model', 'caller'] as const;
export type CostPart = (typeof COST_PARTS)[number];

type Row = Costs['rows'][number];

/** So many are told apart by colour; the rest is one. */
const TOLD = 5;
const DAY = 86_400_000;
const OTHERS = 'others';

/** What models cost on each day. */
export function CostChart({ by, costs }: { readonly by: CostPart; readonly costs: Costs }) {
  const { from, rows, to, total } = costs;
  const { measure, what, words } = measureOf(total);
  const sums = sumsOf(rows, (row) => nameOf(row, by), measure);
  const names = by === 'day' ? [] : [...sums.keys()];
  const told = names.toSorted((a, b) => (sums.get(b) ?? 0) - (sums.get(a) ?? 0)).slice(0, TOLD);
  const seriesOf = (row: Row): string => {
    const name = nameOf(row, by);
    return by === 'day' ? 'all' : told.includes(name) ? name : OTHERS;
  };
  const series: Series[] = told.map((name, at) => ({ key: name, title: name, tone: `c${at + 1}` }));
  if (by === 'day') series.push({ key: 'all', title: what, tone: 'c1' });
  else if (names.length > told.length) series.push({ key: OTHERS, title: OTHERS, tone: 'idle' });
  return (
    <div class="card">
      <p class="note">{what} by day</p>
      <StackedBars
        caption={`${what} by day${by === 'day' ? '' : ` and ${by}`}`}
        series={series}
        words={words}
        end={to}
        columns={daysOf(from, to).map((day) => ({
          name: day,
          values: Object.fromEntries(
            sumsOf(
              rows.filter((row) => row.day === day),
              seriesOf,
              measure,
            ),
          ),
        }))}
      />
    </div>
  );
}

/** Where no model has a price its tokens are counted; where none tells its tokens, its turns. */
function measureOf({ cost, input, output }: Costs['total']) {
  if (cost > 0) return { what: 'cost', words: moneyWords, measure: (row: Row) => row.cost };
  if (input + output > 0)
    return { what: 'tokens', words: numberWords, measure: (row: Row) => row.input + row.output };
  return { what: 'turns', words: numberWords, measure: (row: Row) => row.turns };
}

function sumsOf(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  measure: (row: Row) => number,
): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const row of rows) sums.set(keyOf(row), (sums.get(keyOf(row)) ?? 0) + measure(row));
  return sums;
}

function daysOf(from: string, to: string): readonly string[] {
  const [first, last] = [Date.parse(from), Date.parse(to)];
  const count = Math.round((last - first) / DAY) + 1;
  return Array.from({ length: count }, (_, at) =>
    new Date(first + at * DAY).toISOString().slice(0, 10),
  );
}

/** What a row is of. */
export function nameOf(row: Row, by: CostPart): string {
  if (by !== 'caller') return row[by] ?? '';
  if (row.caller === '') return 'anonymous';
  const whose = row.owner ?? row.caller ?? 'not yours to see';
  return row.tenant === undefined || row.tenant === '' ? whose : `${whose} of ${row.tenant}`;
}
