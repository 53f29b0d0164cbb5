import type { Place } from '../shared/ports/queue.ts';

/** So many places; what is done in one belongs to the call that took it. */
export function places(count: number): () => Place | undefined {
  let taken = 0;
  return () => {
    if (taken === count) return undefined;
    taken += 1;
    const free = (): void => {
      taken -= 1;
    };
    return { free, use: (work) => void Promise.resolve().then(work).finally(free) };
  };
}
