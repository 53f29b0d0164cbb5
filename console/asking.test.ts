import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Asking, type Heard } from './asking.ts';

/** Each request, to be answered by the test. */
const requests: { readonly answer: (status: number) => void; readonly signal: AbortSignal }[] = [];
const heard: Heard<unknown>[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', (_: string, { signal }: { readonly signal: AbortSignal }) => {
    const { promise, reject, resolve } = Promise.withResolvers<Response>();
    signal.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
    const answer = (status: number): void => resolve(Response.json({ at: status }, { status }));
    requests.push({ answer, signal });
    return promise;
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  requests.length = 0;
  heard.length = 0;
});

const begin = (): Asking<unknown> => {
  const asking = new Asking('/runs', 1_000, (each) => heard.push(each));
  asking.now();
  return asking;
};
const answered = () => heard.filter(({ kind }) => kind === 'answered').length;

describe('a view of the server', () => {
  it('shows an answer that is slower than the changes, and asks once more after it', async () => {
    const asking = begin();
    for (let second = 0; second < 5; second += 1) {
      asking.later();
      await vi.advanceTimersByTimeAsync(1_000);
    }
    expect(requests).toHaveLength(1);
    requests[0]?.answer(200);
    await vi.advanceTimersByTimeAsync(0);
    expect(answered()).toBe(1);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(requests).toHaveLength(2);
  });

  it('asks at most once in a second, however much changes', async () => {
    const asking = begin();
    requests[0]?.answer(200);
    await vi.advanceTimersByTimeAsync(0);
    for (let change = 0; change < 9; change += 1) asking.later();
    await vi.advanceTimersByTimeAsync(999);
    expect(requests).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(requests).toHaveLength(2);
  });

  it('asks again by itself while the server is away, and not after a refusal', async () => {
    begin();
    requests[0]?.answer(503);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(requests).toHaveLength(2);
    requests[1]?.answer(403);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(requests).toHaveLength(2);
    expect(heard.at(-1)).toMatchObject({ kind: 'refused', error: { status: 403 } });
  });

  it('asks nothing and hears nothing any more once it is left', async () => {
    const asking = begin();
    asking.later();
    asking.stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(requests).toHaveLength(1);
    expect(requests[0]?.signal.aborted).toBe(true);
    expect(heard).toEqual([{ kind: 'asked' }]);
  });
});
