import { useData } from '../data.ts';
import { Choice } from '../parts/choice.tsx';
import { Empty, Loaded, Page } from '../parts/page.tsx';
import { Text } from '../parts/text.tsx';
import { numberWords } from '../parts/words.ts';
import { place, refine } from '../router.ts';
import { useStore } from '../store.ts';
import type { Costs } from '../wire.ts';
import { costWords } from './run-now.tsx';

const PARTS = ['day', 'agent', 'model', 'caller'] as const;
/** Counters are written with the runs; what they say is not looked at with each change. */
const CALM = 15_000;

/** What models used and cost, by day, agent, model or caller. */
export function CostsPage() {
  const { query } = useStore(place);
  const by = PARTS.find((part) => part === query.get('by')) ?? 'day';
  const data = useData<Costs>(`/costs?by=${by}`, () => true, CALM);
  const choice = (
    <Choice
      label="by"
      value={by}
      values={PARTS.map((part) => [part, part])}
      choose={(value) => refine(new URLSearchParams({ by: value }))}
    />
  );
  return (
    <Page title="Costs" acts={choice}>
      <Loaded data={data}>
        {(costs) =>
          costs.rows.length === 0 ? (
            <Empty title={`No model was used from ${costs.from} to ${costs.to}.`} />
          ) : (
            <CostTable costs={costs} by={by} />
          )
        }
      </Loaded>
    </Page>
  );
}

function CostTable({ by, costs }: { readonly costs: Costs; readonly by: (typeof PARTS)[number] }) {
  const { from, rows, stoppedAfter, to, total } = costs;
  return (
    <>
      <p class="note lead">
        {from} to {to}; costs in the currency of the prices, ? where a model has no price.
        {stoppedAfter !== undefined && ` Only ${numberWords(stoppedAfter)} counters were read.`}
      </p>
      <div class="table-box plain" role="region" aria-label="Costs" tabIndex={0}>
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
            {rows.map((row) => (
              <CostRow key={nameOf(row, by)} name={nameOf(row, by)} use={row} />
            ))}
            {rows.length > 1 && <CostRow name="all" use={total} />}
          </tbody>
        </table>
      </div>
    </>
  );
}

function CostRow({ name, use }: { readonly name: string; readonly use: Costs['total'] }) {
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

function nameOf(row: Costs['rows'][number], by: (typeof PARTS)[number]): string {
  if (by !== 'caller') return row[by] ?? '';
  if (row.caller === '') return 'anonymous';
  const whose = row.owner ?? row.caller ?? 'not yours to see';
  return row.tenant === undefined || row.tenant === '' ? whose : `${whose} of ${row.tenant}`;
}
