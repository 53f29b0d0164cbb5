/** What the console takes from its browser: time, timers and requests, in this one place. */

export const now = (): number => Date.now();

/** A new id, for a request that may be said again. */
export const newId = (): string => crypto.randomUUID();

/** Calls back once after that many milliseconds; the answer cancels it. */
export function after(milliseconds: number, callback: () => void): () => void {
  const timer = setTimeout(callback, milliseconds);
  return () => clearTimeout(timer);
}

/** A request to this server; any other is refused by the page's own policy. */
export function request(path: string, init: RequestInit): Promise<Response> {
  return fetch(path, { ...init, credentials: 'same-origin', redirect: 'error', cache: 'no-store' });
}

/** Has the browser keep bytes as a file; nothing of them is shown. */
export function keepFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  after(60_000, () => URL.revokeObjectURL(url));
}
