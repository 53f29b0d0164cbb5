import { createStore } from './store.ts';

/**
 * The operator's token, where one is needed. It is kept for this tab alone and sent in a header:
 * a cookie of this machine would go to every other port of it, too. Another tab of this very page
 * may be handed it (docs/security.md#the-console).
 */
export const session = createStore<string | undefined>(undefined);

/** The token that was given is not known to the server. */
export const refused = createStore(false);

const KEY = 'holdfast-token';
const CHANNEL = 'holdfast-session';

type Word = { readonly kind: 'ask' } | { readonly kind: 'token'; readonly token: string };

/** Takes the token out of the address, where the history would keep it, or from this tab's past. */
export function openSession(): void {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const given = fragment.get('token');
  if (given !== null) history.replaceState(null, '', location.pathname + location.search);
  const kept = given ?? sessionStorage.getItem(KEY);
  if (kept !== null && kept !== '') signIn(kept);
  shareWithTabs();
}

export function signIn(token: string): void {
  sessionStorage.setItem(KEY, token);
  refused.set(false);
  session.set(token);
}

/**
 * The server does not know that token, or no longer. An answer to a request of before, without a
 * token or with another, says nothing of the one that was given since.
 */
export function forget(token: string | undefined): void {
  if (token === undefined || session.get() !== token) return;
  refused.set(true);
  signOut();
}

export function signOut(): void {
  sessionStorage.removeItem(KEY);
  session.set(undefined);
}

function shareWithTabs(): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', ({ data }: MessageEvent<Word>) => {
    const token = session.get();
    if (data.kind === 'ask' && token !== undefined) channel.postMessage({ kind: 'token', token });
    if (data.kind === 'token' && token === undefined) signIn(data.token);
  });
  if (session.get() === undefined) channel.postMessage({ kind: 'ask' });
}
