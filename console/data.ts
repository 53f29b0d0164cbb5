import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { get, Refusal } from './api.ts';
import { after } from './browser.ts';
import { type Change, useChanges } from './live.ts';
import { forget, session } from './session.ts';
import { useStore } from './store.ts';

/** What a view has of the server: shown from the first answer on, also while it is asked again. */
export interface Data<T> {
  readonly value: T | undefined;
  readonly error: Refusal | undefined;
  readonly loading: boolean;
  readonly reload: () => void;
}

const CALM = 1_000;

/**
 * What the server answers at `path`, asked again when something changed that `concerns` the view
 * (default: anything), at most once in `calm` milliseconds.
 */
export function useData<T>(
  path: string,
  concerns: (change: Change) => boolean = () => true,
  calm = CALM,
): Data<T> {
  const [state, setState] = useState<Omit<Data<T>, 'reload'> & { readonly path: string }>({
    path,
    value: undefined,
    error: undefined,
    loading: true,
  });
  const token = useStore(session);
  const asking = useRef<AbortController>(undefined);
  const planned = useRef<(() => void) | undefined>(undefined);

  const load = useCallback(() => {
    asking.current?.abort();
    const controller = new AbortController();
    asking.current = controller;
    setState((old) => ({ ...old, loading: true }));
    get<T>(path, controller.signal)
      .then((value) => setState({ path, value, error: undefined, loading: false }))
      .catch((error: unknown) => {
        if (controller.signal.aborted) return;
        if (isOver(error)) forget();
        setState((old) => ({ ...old, path, error: refusalOf(error), loading: false }));
      });
  }, [path]);

  useEffect(() => {
    load();
    return () => {
      asking.current?.abort();
      planned.current?.();
      planned.current = undefined;
    };
  }, [load, token]);

  useChanges((change) => {
    if (!concerns(change) || planned.current !== undefined) return;
    planned.current = after(calm, () => {
      planned.current = undefined;
      load();
    });
  });

  const current = state.path === path;
  return {
    value: current ? state.value : undefined,
    error: current ? state.error : undefined,
    loading: !current || state.loading,
    reload: load,
  };
}

/** The token is not known, or no longer. */
function isOver(error: unknown): boolean {
  return error instanceof Refusal && error.status === 401;
}

export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const words = error instanceof Error ? error.message : String(error);
  return new Refusal(0, 'FAILED', `The page failed: ${words}`);
}
