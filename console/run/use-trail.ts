import { useState } from 'preact/hooks';
import { get, type Refusal } from '../api.ts';
import { refusalOf } from '../asking.ts';
import { useData } from '../data.ts';
import type { Change } from '../live.ts';
import type { Timeline, Trail } from '../wire.ts';
import { lastOf, withPages } from './trail-pages.ts';

const PAGE = 200;

interface Pages {
  readonly path: string;
  readonly more: readonly Trail[];
  readonly error?: Refusal;
}

/** Steps of a run as far as they were asked for; `more` asks for the next, if there are. */
export function useTrail(path: string, concerns: (change: Change) => boolean, run?: Timeline) {
  const first = useData<Trail>(`${path}/trail?limit=${PAGE}`, concerns);
  const [pages, setPages] = useState<Pages>({ path, more: [] });
  const { error, more }: Pages = pages.path === path ? pages : { path, more: [] };
  const trail = first.value && withPages(first.value, more);
  const last = lastOf(trail);
  const isMore =
    trail?.next !== undefined || (last >= PAGE && (run?.steps.at(-1)?.step ?? 0) > last);
  const ask = async (): Promise<void> => {
    try {
      const page = await get<Trail>(`${path}/trail?limit=${PAGE}&from=${trail?.next ?? last + 1}`);
      setPages({ path, more: [...more, page] });
    } catch (thrown) {
      setPages({ path, more, error: refusalOf(thrown) });
    }
  };
  return { trail, last, error, ...(isMore && { more: () => void ask() }) };
}
