import type { Clock } from '../ports/clock.ts';

/** A longer timer rings at once (32 bits); such a span is waited for in parts. */
const LONGEST = 2 ** 31 - 1;

/** The machine's clock. Its timers keep no process alive: the server does that. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: startTimer,
  sleep: (span, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const end = () => {
        cancel();
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const cancel = startTimer(span, end);
      signal?.addEventListener('abort', end);
    }),
};

function startTimer(span: number, callback: () => void): () => void {
  // Almost all; thousands may wait at a time, so they hold nothing more than they must.
  if (span <= LONGEST) {
    const timer = setTimeout(callback, Math.max(0, span)).unref();
    return () => clearTimeout(timer);
  }
  return startLongTimer(span, callback);
}

function startLongTimer(span: number, callback: () => void): () => void {
  let timer: NodeJS.Timeout;
  const wait = (rest: number) => {
    const part = Math.min(rest, LONGEST);
    timer = setTimeout(() => (rest > part ? wait(rest - part) : callback()), part);
    timer.unref();
  };
  wait(span);
  return () => clearTimeout(timer);
}
