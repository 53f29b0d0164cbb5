import { useEffect } from 'preact/hooks';
import { announce } from '../parts/announce.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { ShortId } from '../parts/id.tsx';
import { Empty, Page, Problem } from '../parts/page.tsx';
import { Status } from '../parts/status.tsx';
import { Ago } from '../parts/time.tsx';
import { countWords } from '../parts/words.ts';
import { link, place, refine } from '../router.ts';
import { useStore } from '../store.ts';
import type { RunRow } from '../wire.ts';
import { RunFilters } from './run-filters.tsx';
import { useRunList } from './run-list.ts';
import { costWords, Now } from './run-now.tsx';

/** What a table of runs has. */
export const COLUMNS: readonly Column<RunRow>[] = [
  { key: 'id', title: 'Run', cell: (run) => <ShortId id={run.id} href={link('/runs', run.id)} /> },
  { key: 'agent', title: 'Agent', cell: ({ agent }) => agent },
  {
    key: 'status',
    title: 'Status',
    cell: ({ blocked, status }) => <Status status={blocked === undefined ? status : 'blocked'} />,
  },
  { key: 'now', title: 'Now', secondary: true, cell: (run) => <Now run={run} /> },
  {
    key: 'context',
    title: 'Context',
    secondary: true,
    cell: ({ context }) => <ShortId id={context} href={link('/contexts', context)} />,
  },
  {
    key: 'cost',
    title: 'Cost',
    secondary: true,
    numeric: true,
    cell: ({ used }) => costWords(used),
  },
  {
    key: 'started',
    title: 'Started',
    secondary: true,
    numeric: true,
    cell: ({ createdAt }) => <Ago at={createdAt} />,
  },
  {
    key: 'changed',
    title: 'Changed',
    numeric: true,
    cell: ({ statusAt }) => <Ago at={statusAt} />,
  },
];

const SORTABLE = ['status', 'cost', 'started', 'changed'];

/** Runs by filter and order; they change under the eye as they go on. */
export function Runs() {
  const { query } = useStore(place);
  const list = useRunList(query.toString());
  const { error, loading, rows } = list;
  const more = list.cursor !== undefined;
  useEffect(() => {
    if (!loading) announce(countWords(rows.length, 'run') + (more ? ' so far' : ''));
  }, [loading, query]);
  const sort = query.get('sort') ?? 'changed';
  const descending = query.get('order') !== 'asc';
  const order = (key: string): void => {
    const next = new URLSearchParams(query);
    next.delete('order');
    if (key === 'changed') next.delete('sort');
    else next.set('sort', key);
    if (key === sort && descending) next.set('order', 'asc');
    refine(next);
  };
  return (
    <Page title="Runs">
      <RunFilters query={query} onChange={refine} />
      {error !== undefined && <Problem error={error} retry={list.reload} />}
      {rows.length > 0 && (
        <>
          <DataTable
            caption="Runs"
            columns={COLUMNS}
            rows={rows}
            keyOf={({ id }) => id}
            sort={{ key: sort, descending }}
            sortable={SORTABLE}
            onSort={order}
            onEnd={list.loadMore}
          />
          <p class="note count">
            {countWords(rows.length, 'run')}
            {more ? ' so far; scroll for more' : ''}
          </p>
        </>
      )}
      {rows.length === 0 && error === undefined && (
        <Nothing loading={loading} filtered={query.size > 0} more={more} onMore={list.loadMore} />
      )}
    </Page>
  );
}

interface NothingProps {
  readonly filtered: boolean;
  readonly loading: boolean;
  /** A page may be empty and not be the last. */
  readonly more: boolean;
  readonly onMore: () => void;
}

function Nothing({ filtered, loading, more, onMore }: NothingProps) {
  if (loading) return <p role="status">Loading…</p>;
  if (more)
    return (
      <Empty title="None among the rows that were looked at.">
        <button type="button" onClick={onMore}>
          Look further
        </button>
      </Empty>
    );
  if (filtered)
    return (
      <Empty title="No run fits these filters.">
        <p>
          <a href={link('/runs')}>Show all runs</a>
        </p>
      </Empty>
    );
  return (
    <Empty title="No run yet.">
      <p>Send a message to an agent; its run is shown here as it happens.</p>
    </Empty>
  );
}
