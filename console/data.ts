import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Refusal } from './api.ts';
import { Asking, type Heard } from './asking.ts';
import { after as later } from './browser.ts';
import { type Change, useChanges } from './live.ts';
import { session } from './session.ts';
import { useStore } from './store.ts';

/** What a view has of the server: shown from the first answer on, also while it is asked again. */
export interface Data<T> {
  readonly value: T | undefined;
  readonly error: Refusal | undefined;
  readonly loading: boolean;
  readonly reload: () => void;
}

type Known<T> = Omit<Data<T>, 'reload'> & { readonly path: string };

const CALM = 1_000;

/**
 * What the server answers at `path`, asked again when something changed that `concerns` the view
 * (default: anything), at most once in `calm` milliseconds; `every` so many also by itself, for
 * what is no change of a run.
 */
export function useData<T>(
  path: string,
  concerns: (change: Change) => boolean = () => true,
  calm = CALM,
  every?: number,
): Data<T> {
  const [state, setState] = useState<Known<T>>(() => nothing(path));
  const token = useStore(session);
  const asking = useRef<Asking<T>>(undefined);
  useEffect(() => {
    const begun = new Asking<T>(path, calm, (heard) =>
      setState((old) => after(old.path === path ? old : nothing(path), heard)),
    );
    asking.current = begun;
    begun.now();
    return () => begun.stop();
  }, [path, calm, token]);
  useChanges((change) => {
    if (concerns(change)) asking.current?.later();
  });
  useEffect(() => {
    if (every === undefined) return undefined;
    let cancel = (): void => undefined;
    const wait = (): void => {
      cancel = later(every, () => {
        asking.current?.later();
        wait();
      });
    };
    wait();
    return () => cancel();
  }, [every]);
  const reload = useCallback(() => asking.current?.now(), []);
  return { ...(state.path === path ? state : nothing<T>(path)), reload };
}

const nothing = <T>(path: string): Known<T> => ({
  path,
  value: undefined,
  error: undefined,
  loading: true,
});

function after<T>(old: Known<T>, heard: Heard<T>): Known<T> {
  switch (heard.kind) {
    case 'asked':
      return { ...old, loading: true };
    case 'answered':
      return { ...old, value: heard.value, error: undefined, loading: false };
    case 'refused':
      return { ...old, error: heard.error, loading: false };
  }
}
