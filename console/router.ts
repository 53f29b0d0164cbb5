import { createStore } from './store.ts';

/** Where the page is, below `/console`. */
export interface Place {
  readonly path: string;
  readonly query: URLSearchParams;
}

const BASE = '/console';

export const place = createStore<Place>(here());
/** Counts the ways from page to page, so that each puts the focus on its heading. */
export const visits = createStore(0);

function here(): Place {
  const path = location.pathname.slice(BASE.length) || '/';
  return { path, query: new URLSearchParams(location.search) };
}

/** The address of a page: `link('/runs', id)`; each further part is one segment. */
export function link(page: string, ...parts: readonly string[]): string {
  return [`${BASE}${page}`, ...parts.map((part) => encodeURIComponent(part))].join('/');
}

/** Goes to another page. */
export function go(href: string): void {
  history.pushState(null, '', href);
  place.set(here());
  visits.set(visits.get() + 1);
  scrollTo(0, 0);
}

/** Changes the query of this page: a filter is no new place, and the focus stays. */
export function refine(query: URLSearchParams): void {
  const text = query.toString();
  history.replaceState(null, '', `${location.pathname}${text === '' ? '' : `?${text}`}`);
  place.set(here());
}

/** Follows the links of the page and the browser's own way back. */
export function startRouter(): void {
  addEventListener('popstate', () => {
    place.set(here());
    visits.set(visits.get() + 1);
  });
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const target = event.target instanceof Element ? event.target.closest('a') : null;
    const href = target?.getAttribute('href');
    if (target === null || !href?.startsWith(`${BASE}/`) || target.target !== '') return;
    event.preventDefault();
    go(href);
  });
}

/** The segments of a path behind a page's own: `/runs/abc` for `/runs` gives `abc`. */
export function below(page: string, path: string): string | undefined {
  if (!path.startsWith(`${page}/`)) return undefined;
  const rest = path.slice(page.length + 1);
  try {
    return rest === '' || rest.includes('/') ? undefined : decodeURIComponent(rest);
  } catch {
    return undefined;
  }
}
