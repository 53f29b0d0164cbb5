import type { Millis } from '../../domain/brand.ts';
import type { App } from '../app.ts';
import { viewDoc } from '../records/documents.ts';

/** Each look is one read for each open stream. */
const LOOK: Millis = 60_000;

/** A signal that ends with its parent, and `stop` for a holder that needs it no more. */
export interface UntilGone {
  readonly signal: AbortSignal;
  stop(): void;
}

/**
 * Aborts when the task does not exist any more: its journal brings no news then, not even of that,
 * and a stream over it would be open for nothing.
 */
export function untilGone(app: App, taskId: string, signal: AbortSignal): UntilGone {
  const gone = new AbortController();
  const stop = (): void => {
    cancel();
    signal.removeEventListener('abort', end);
  };
  const end = (): void => {
    stop();
    gone.abort();
  };
  const later = (): (() => void) => app.clock.after(LOOK, () => void look());
  let cancel = later();
  signal.addEventListener('abort', end);
  if (signal.aborted) end();

  async function look(): Promise<void> {
    // What can't be asked now can be asked later.
    const view = await app.store.get(viewDoc(taskId)).catch(() => 'unknown' as const);
    if (view === undefined) end();
    else if (!gone.signal.aborted) cancel = later();
  }
  return { signal: gone.signal, stop };
}
