import type { Millis } from '../domain/brand.ts';
import type { Clock } from '../ports/clock.ts';

/** Ends one call: at its deadline, or when the caller gives up. */
export interface CallDeadline {
  readonly signal: AbortSignal;
  /** Why the signal was given. */
  readonly why: () => 'timeout' | 'aborted';
  /** The call is over. */
  readonly end: () => void;
}

export function callDeadline(
  clock: Pick<Clock, 'after'>,
  span: Millis,
  caller?: AbortSignal,
): CallDeadline {
  const controller = new AbortController();
  let reason: 'timeout' | 'aborted' = 'aborted';
  const giveUp = () => controller.abort();
  const cancel = clock.after(span, () => {
    reason = 'timeout';
    controller.abort();
  });
  if (caller?.aborted) controller.abort();
  else caller?.addEventListener('abort', giveUp, { once: true });
  return {
    signal: controller.signal,
    why: () => reason,
    end() {
      cancel();
      caller?.removeEventListener('abort', giveUp);
    },
  };
}
