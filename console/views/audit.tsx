import { useMemo } from 'preact/hooks';
import { now } from '../browser.ts';
import { useData } from '../data.ts';
import { Choice } from '../parts/choice.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { ShortId } from '../parts/id.tsx';
import { Empty, Loaded, Page } from '../parts/page.tsx';
import { Text } from '../parts/text.tsx';
import { At } from '../parts/time.tsx';
import { numberWords } from '../parts/words.ts';
import { link, place, refine } from '../router.ts';
import { useStore } from '../store.ts';
import type { AuditPage } from '../wire.ts';

type Entry = AuditPage['entries'][number];

const DAY = 86_400_000;
const SPANS = [
  ['1', 'last day'],
  ['7', 'last 7 days'],
  ['30', 'last 30 days'],
] as const;
const MOST = 1_000;
const CALM = 15_000;

const text = (value: string | undefined) => (value === undefined ? null : <Text>{value}</Text>);

const COLUMNS: readonly Column<Entry>[] = [
  { key: 'at', title: 'Time', cell: ({ at }) => <At at={at} /> },
  { key: 'act', title: 'Act', cell: ({ act }) => <code>{act}</code> },
  { key: 'operator', title: 'Operator', cell: ({ operator }) => text(operator) },
  {
    key: 'run',
    title: 'Run',
    secondary: true,
    cell: ({ run }) => run && <ShortId id={run} href={link('/runs', run)} />,
  },
  { key: 'agent', title: 'Agent', secondary: true, cell: ({ agent }) => text(agent) },
  { key: 'outcome', title: 'Outcome', secondary: true, cell: ({ outcome }) => text(outcome) },
];

/** What operators did, the newest first; it outlives the runs. */
export function Audit() {
  const { query } = useStore(place);
  const days = SPANS.find(([value]) => value === query.get('days'))?.[0] ?? '7';
  const path = useMemo(() => {
    const since = new Date(now() - Number(days) * DAY).toISOString();
    return `/audit?${new URLSearchParams({ since, limit: String(MOST) }).toString()}`;
  }, [days]);
  const data = useData<AuditPage>(path, () => true, CALM);
  const choose = (value: string): void => refine(new URLSearchParams({ days: value }));
  const choice = <Choice label="Span" quiet value={days} values={SPANS} choose={choose} />;
  return (
    <Page title="Audit" acts={choice}>
      <Loaded data={data}>
        {({ cursor, entries }) =>
          entries.length === 0 ? (
            <Empty title="No operator did anything in this span, of what you may see.">
              <p>It takes the right to audit.</p>
            </Empty>
          ) : (
            <>
              {cursor !== undefined && (
                <p class="note lead">
                  The first {numberWords(MOST)} of the span; take a shorter one for the newest.
                </p>
              )}
              <DataTable
                caption="What operators did, newest first"
                columns={COLUMNS}
                rows={entries.toReversed()}
                keyOf={({ id }) => id}
              />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}
