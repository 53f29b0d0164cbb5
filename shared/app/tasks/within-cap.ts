import type { App } from '../app.ts';

/** Waits for no longer than a caller may wait, and not after the signal aborts. */
export async function withinCap<T>(
  { clock, settings }: Pick<App, 'clock' | 'settings'>,
  signal: AbortSignal,
  wait: (until: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const end = (): void => over.abort('no more waiting');
  const cancel = clock.after(settings.blockingCap, end);
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  try {
    return await wait(over.signal);
  } finally {
    cancel();
    signal.removeEventListener('abort', end);
  }
}
