import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { get, type Refusal } from '../api.ts';
import { refusalOf } from '../data.ts';
import { useChanges } from '../live.ts';
import { announce } from '../parts/announce.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { ShortId } from '../parts/id.tsx';
import { Empty, Page, Problem } from '../parts/page.tsx';
import { Status } from '../parts/status.tsx';
import { Ago, Since, Until } from '../parts/time.tsx';
import { countWords } from '../parts/words.ts';
import { link, place, refine } from '../router.ts';
import { useStore } from '../store.ts';
import type { RunPage, RunRow } from '../wire.ts';
import { RunFilters } from './run-filters.tsx';

const COLUMNS: readonly Column<RunRow>[] = [
  { key: 'id', title: 'Run', cell: (run) => <ShortId id={run.id} href={link('/runs', run.id)} /> },
  { key: 'agent', title: 'Agent', cell: ({ agent }) => agent },
  { key: 'status', title: 'Status', cell: ({ status }) => <Status status={status} /> },
  { key: 'waits', title: 'Why', secondary: true, cell: (run) => <Why run={run} /> },
  {
    key: 'context',
    title: 'Context',
    secondary: true,
    cell: ({ context }) => (
      <ShortId id={context} href={`${link('/runs')}?context=${encodeURIComponent(context)}`} />
    ),
  },
  {
    key: 'changed',
    title: 'Changed',
    numeric: true,
    cell: ({ statusAt }) => <Ago at={statusAt} />,
  },
];

/** What a run waits for, or why it failed. */
function Why({ run }: { readonly run: RunRow }) {
  const { reason, waitsFor } = run;
  if (run.blocked !== undefined) return <>blocked: what it waited for is gone or changed</>;
  if (reason !== undefined) return <code>{reason}</code>;
  if (waitsFor === undefined) return null;
  return (
    <>
      {waitsFor.remote !== undefined && `${waitsFor.remote}, `}for <Since at={waitsFor.since} />
      {waitsFor.until !== undefined && (
        <>
          , <Until at={waitsFor.until} />
        </>
      )}
    </>
  );
}

interface Listed {
  readonly query: string;
  readonly rows: readonly RunRow[];
  readonly cursor: string | undefined;
  readonly error: Refusal | undefined;
  readonly loading: boolean;
}

const PAGE = 100;

/** Runs by filter, the newest change first; they change under the eye as they go on. */
export function Runs() {
  const { query } = useStore(place);
  const list = useRuns(query.toString());
  const { error, loading, rows } = list;
  const more = list.cursor !== undefined;
  useEffect(() => {
    if (!loading) announce(countWords(rows.length, 'run') + (more ? ' so far' : ''));
  }, [loading, query]);
  return (
    <Page title="Runs">
      <RunFilters query={query} onChange={refine} />
      {error !== undefined && <Problem error={error} retry={list.reload} />}
      {rows.length > 0 && (
        <>
          <DataTable
            caption="Runs, newest change first"
            columns={COLUMNS}
            rows={rows}
            keyOf={({ id }) => id}
            onEnd={list.loadMore}
          />
          <p class="note">
            {countWords(rows.length, 'run')}
            {more ? ' so far; scroll for more' : ''}
          </p>
        </>
      )}
      {rows.length === 0 && error === undefined && (
        <Nothing loading={loading} filtered={query.size > 0} />
      )}
    </Page>
  );
}

function Nothing({ filtered, loading }: { readonly filtered: boolean; readonly loading: boolean }) {
  if (loading) return <p role="status">Loading…</p>;
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

function useRuns(
  query: string,
): Listed & { readonly reload: () => void; readonly loadMore: () => void } {
  const [state, setState] = useState<Listed>(emptyList(query));
  const newest = useRef(state);
  newest.current = state;
  const load = useCallback(
    (cursor?: string) => {
      const asked = new URLSearchParams(query);
      asked.set('limit', String(PAGE));
      if (cursor !== undefined) asked.set('cursor', cursor);
      setState((old) => ({ ...(old.query === query ? old : emptyList(query)), loading: true }));
      get<RunPage>(`/runs?${asked.toString()}`)
        .then((page) =>
          setState((old) => {
            if (old.query !== query) return old;
            const before = cursor === undefined ? [] : old.rows;
            const rows = withRuns(before, page.runs, 'below');
            return { query, rows, cursor: page.cursor, error: undefined, loading: false };
          }),
        )
        .catch((error: unknown) =>
          setState((old) => ({ ...old, error: refusalOf(error), loading: false })),
        );
    },
    [query],
  );
  useEffect(() => load(), [load]);
  useChanges((change) => {
    if (change === 'all') return load();
    const wanted = new URLSearchParams(query);
    setState((old) => {
      const fitting = change.filter((run) => fits(run, wanted));
      const gone = new Set(change.filter((run) => !fits(run, wanted)).map(({ id }) => id));
      const rows = old.rows.filter(({ id }) => !gone.has(id));
      return { ...old, rows: withRuns(rows, fitting.toReversed(), 'above') };
    });
  });
  const loadMore = useCallback(() => {
    const { cursor, loading } = newest.current;
    if (cursor !== undefined && !loading) load(cursor);
  }, [load]);
  return { ...state, reload: () => load(), loadMore };
}

const emptyList = (query: string): Listed => ({
  query,
  rows: [],
  cursor: undefined,
  error: undefined,
  loading: true,
});

/** Each run once, as it is now, where the newer list has it. */
function withRuns(
  old: readonly RunRow[],
  added: readonly RunRow[],
  where: 'above' | 'below',
): readonly RunRow[] {
  const ids = new Set(added.map(({ id }) => id));
  const rest = old.filter(({ id }) => !ids.has(id));
  return where === 'above' ? [...added, ...rest] : [...rest, ...added];
}

/** As the server filters; of a filter that it alone knows, what comes live is left to it. */
function fits(run: RunRow, query: URLSearchParams): boolean {
  const status = query.get('status');
  const agent = query.get('agent');
  const context = query.get('context');
  const waitingFor = query.get('waitingFor');
  if (
    status === 'open'
      ? !run.open
      : status === 'ended'
        ? run.open
        : status !== null && run.status !== status
  )
    return false;
  if (waitingFor === 'blocked' && run.blocked === undefined) return false;
  if (waitingFor === 'unknown-send' && run.waitsFor?.kind !== 'unknown-send') return false;
  return (agent === null || run.agent === agent) && (context === null || run.context === context);
}
