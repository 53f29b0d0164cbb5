import { useMemo } from 'preact/hooks';
import { now } from '../browser.ts';
import { useData } from '../data.ts';
import { Choice } from '../parts/choice.tsx';
import { Empty, Loaded, Page } from '../parts/page.tsx';
import { Text } from '../parts/text.tsx';
import { numberWords } from '../parts/words.ts';
import { place, refine } from '../router.ts';
import { useStore } from '../store.ts';
import type { Costs } from '../wire.ts';
import { COST_PARTS, CostChart, type CostPart, nameOf } from './cost-chart.tsx';
import { costWords } from './run-now.tsx';

type Use = Costs['total'];

const SPANS = [
  ['7', 'last 7 days'],
  ['30', 'last 30 days'],
  ['90', 'last 90 days'],
] as const;
const DAY = 86_400_000;
/** Counters are written with the runs; what they say is not looked at with each change. */
const CALM = 15_000;

/** The counters of so many days up to today, by day and by another part. */
export function useCosts(by: CostPart, days: number) {
  const path = useMemo(() => {
    const from = new Date(now() - (days - 1) * DAY).toISOString().slice(0, 10);
    return `/costs?${new URLSearchParams({ from, by: by === 'day' ? by : `day,${by}` }).toString()}`;
  }, [by, days]);
  return useData<Costs>(path, () => true, CALM);
}

/** What models used and cost, by day, agent, model or caller. */
export function CostsPage() {
  const { query } = useStore(place);
  const by = COST_PARTS.find((part) => part === query.get('by')) ?? 'day';
  const days = SPANS.find(([value]) => value === query.get('days'))?.[0] ?? '7';
  const data = useCosts(by, Number(days));
  const choose = (name: string, value: string): void => {
    const next = new URLSearchParams(query);
    next.set(name, value);
    refine(next);
  };
  const choices = (
    <>
      <Choice
        label="by"
        value={by}
        values={COST_PARTS.map((part) => [part, part])}
        choose={(value) => choose('by', value)}
      />
      <Choice
        label="Span"
        quiet
        value={days}
        values={SPANS}
        choose={(value) => choose('days', value)}
      />
    </>
  );
  return (
    <Page title="Costs" acts={choices}>
      <Loaded data={data}>
        {(costs) =>
          costs.rows.length === 0 ? (
            <Empty title={`No model was used from ${costs.from} to ${costs.to}.`} />
          ) : (
            <>
              <p class="note lead">
                {costs.from} to {costs.to}; costs in the currency of the prices, ? where a model has
                no price.
                {costs.stoppedAfter !== undefined &&
                  ` Only ${numberWords(costs.stoppedAfter)} counters were read.`}
              </p>
              <CostChart costs={costs} by={by} />
              <CostTable costs={costs} by={by} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

function CostTable({ by, costs }: { readonly costs: Costs; readonly by: CostPart }) {
  const rows = summed(costs, by);
  return (
    <div class="table-box plain spaced" role="region" aria-label="Costs" tabIndex={0}>
      <table>
        <caption class="hidden">{`Costs and tokens by ${by}`}</caption>
        <thead>
          <tr>
            <th scope="col">{by}</th>
            <th scope="col" class="numeric">
              Turns
            </th>
            <th scope="col" class="numeric secondary">
              Tokens in
            </th>
            <th scope="col" class="numeric secondary">
              of these cached
            </th>
            <th scope="col" class="numeric secondary">
              Tokens out
            </th>
            <th scope="col" class="numeric">
              Cost
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, use]) => (
            <CostRow key={name} name={name} use={use} />
          ))}
          {rows.length > 1 && <CostRow name="all" use={costs.total} />}
        </tbody>
      </table>
    </div>
  );
}

/** Days in their order; of all else the dearest first. */
function summed({ rows }: Costs, by: CostPart): readonly (readonly [string, Use])[] {
  const sums = new Map<string, Use>();
  for (const row of rows) {
    const name = nameOf(row, by);
    const sum = sums.get(name);
    sums.set(name, sum === undefined ? row : plus(sum, row));
  }
  const weight = ({ cost, input, output }: Use): number => cost * 1e6 + input + output;
  return by === 'day' ? [...sums] : [...sums].toSorted(([, a], [, b]) => weight(b) - weight(a));
}

const plus = (a: Use, b: Use): Use => ({
  turns: a.turns + b.turns,
  input: a.input + b.input,
  output: a.output + b.output,
  cached: a.cached + b.cached,
  reasoning: a.reasoning + b.reasoning,
  cost: a.cost + b.cost,
  unpriced: a.unpriced + b.unpriced,
});

function CostRow({ name, use }: { readonly name: string; readonly use: Use }) {
  return (
    <tr>
      <th scope="row">
        <Text>{name}</Text>
      </th>
      <td class="numeric">{numberWords(use.turns)}</td>
      <td class="numeric secondary">{numberWords(use.input)}</td>
      <td class="numeric secondary">{numberWords(use.cached)}</td>
      <td class="numeric secondary">{numberWords(use.output)}</td>
      <td class="numeric">{costWords(use)}</td>
    </tr>
  );
}
