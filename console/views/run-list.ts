import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { get, isPassing, type Refusal } from '../api.ts';
import { after } from '../browser.ts';
import { refusalOf } from '../asking.ts';
import { type Change, useChanges } from '../live.ts';
import type { RunPage, RunRow } from '../wire.ts';

interface Listed {
  readonly query: string;
  readonly rows: readonly RunRow[];
  readonly cursor: string | undefined;
  readonly error: Refusal | undefined;
  readonly loading: boolean;
}

export interface RunList extends Listed {
  readonly reload: () => void;
  readonly loadMore: () => void;
}

const PAGE = 100;
const CALM = 2_000;
/** After a fault that may pass. */
const RETRY = 3_000;

/**
 * The runs that a query of the API lists. What changes is changed in place; where the list can tell
 * itself what belongs on top, it comes there, and otherwise it asks anew.
 */
export function useRunList(query: string): RunList {
  const [state, setState] = useState<Listed>(emptyList(query));
  const newest = useRef(state);
  newest.current = state;
  const planned = useRef<(() => void) | undefined>(undefined);

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
            const rows = before.filter(({ id }) => !page.runs.some((run) => run.id === id));
            rows.push(...page.runs);
            return { query, rows, cursor: page.cursor, error: undefined, loading: false };
          }),
        )
        .catch((error: unknown) => {
          const refusal = refusalOf(error);
          setState((old) =>
            old.query === query ? { ...old, error: refusal, loading: false } : old,
          );
          if (isPassing(refusal) && cursor === undefined) plan(RETRY);
        });
      function plan(wait: number): void {
        planned.current ??= after(wait, () => {
          planned.current = undefined;
          load();
        });
      }
    },
    [query],
  );
  useEffect(() => {
    load();
    return () => {
      planned.current?.();
      planned.current = undefined;
    };
  }, [load]);

  useChanges((change: Change) => {
    const wanted = new URLSearchParams(query);
    if (change !== 'all') setState((old) => ({ ...old, rows: changed(old.rows, change, wanted) }));
    // What was read by scrolling stays; a list that began anew would jump under the eye.
    const long = newest.current.rows.length > PAGE;
    if ((change !== 'all' && knows(wanted)) || long || planned.current !== undefined) return;
    planned.current = after(CALM, () => {
      planned.current = undefined;
      load();
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

const KNOWN = ['status', 'agent', 'context', 'waitingFor', 'reason'];

/** The list can tell by a run alone whether it belongs in it, and where: on top. */
export function knows(query: URLSearchParams): boolean {
  const newestFirst =
    (query.get('sort') ?? 'changed') === 'changed' && query.get('order') !== 'asc';
  const filters = [...query.keys()].filter((key) => key !== 'sort' && key !== 'order');
  return newestFirst && filters.every((key) => KNOWN.includes(key));
}

/** The rows after runs have changed. */
export function changed(
  rows: readonly RunRow[],
  change: readonly RunRow[],
  query: URLSearchParams,
): readonly RunRow[] {
  const byId = new Map(change.map((run) => [run.id, run]));
  if (!knows(query)) return rows.map((row) => byId.get(row.id) ?? row);
  const rest = rows.filter(({ id }) => !byId.has(id));
  return [...change.filter((run) => fits(run, query)).toReversed(), ...rest];
}

/** As the server filters. */
function fits(run: RunRow, query: URLSearchParams): boolean {
  const is = (name: string, value: string | undefined): boolean =>
    query.get(name) === null || query.get(name) === value;
  return (
    fitsStatus(run, query.get('status')) &&
    is('agent', run.agent) &&
    is('context', run.context) &&
    is('reason', run.reason) &&
    fitsWait(run, query.get('waitingFor'))
  );
}

function fitsStatus({ open, status }: RunRow, wanted: string | null): boolean {
  if (wanted === 'open') return open;
  if (wanted === 'ended') return !open;
  if (wanted === 'queued') return status === wanted || QUEUED_WAITS.includes(status);
  return wanted === null || status === wanted;
}

/** What the server takes for queued, too. */
const QUEUED_WAITS = ['waiting_for_event', 'waiting_for_circuit', 'sleeping'];

function fitsWait({ blocked, waitsFor }: RunRow, wanted: string | null): boolean {
  if (wanted === 'blocked') return blocked !== undefined;
  return wanted !== 'unknown-send' || waitsFor?.kind === 'unknown-send';
}
