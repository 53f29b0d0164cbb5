import type { Blobs } from '../../shared/ports/blobs.ts';
import { Unavailable } from '../../shared/ports/faults.ts';

export interface FailingBlobs {
  readonly blobs: Blobs;
  /** How many calls there were. */
  calls(): number;
}

/**
 * A bucket whose call number `at` and all later ones fail: before they have an effect, or after it.
 * A process that dies there looks the same from outside.
 */
export function failingFrom(inner: Blobs, at: number, when: 'before' | 'after'): FailingBlobs {
  let calls = 0;
  async function passed<T>(call: () => Promise<T>): Promise<T> {
    calls += 1;
    if (calls > at || (calls === at && when === 'before')) throw new Unavailable('the bucket');
    const answer = await call();
    if (calls >= at) throw new Unavailable('the bucket');
    return answer;
  }
  return {
    calls: () => calls,
    blobs: {
      get: (name) => passed(() => inner.get(name)),
      getStream: (name, range) => passed(() => inner.getStream(name, range)),
      put: (name, body, write) => passed(() => inner.put(name, body, write)),
      putStream: (name, body, write) => passed(() => inner.putStream(name, body, write)),
      delete: (name) => passed(() => inner.delete(name)),
      list: (prefix, limit, after) => passed(() => inner.list(prefix, limit, after)),
    },
  };
}
