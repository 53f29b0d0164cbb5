import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { get, isPassing, Refusal } from './api.ts';
import { refused, session, signIn } from './session.ts';

/** The requests of the page, each held until the test answers it. */
const requests: { readonly headers: Headers; readonly answer: (status: number) => void }[] = [];

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    setItem: (name: string, value: string) => kept.set(name, value),
    removeItem: (name: string) => kept.delete(name),
  });
  vi.stubGlobal('fetch', (_: string, init: RequestInit) => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    const answer = (status: number): void => resolve(Response.json({}, { status }));
    requests.push({ headers: new Headers(init.headers), answer });
    return promise;
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  requests.length = 0;
  session.set(undefined);
});

const tokens = () => requests.map(({ headers }) => headers.get('authorization'));

describe('a token', () => {
  it('is forgotten, and asked for again, when the server does not know it', async () => {
    signIn('old');
    const asked = get('/me');
    requests[0]?.answer(401);
    await expect(asked).rejects.toMatchObject({ status: 401 });
    expect([session.get(), refused.get()]).toEqual([undefined, true]);
  });

  it('stays when a request that left before it is refused', async () => {
    const before = get('/me');
    signIn('old');
    const between = get('/me');
    signIn('new');
    const after = get('/me');
    expect(tokens()).toEqual([null, 'Bearer old', 'Bearer new']);
    requests[0]?.answer(401);
    requests[1]?.answer(401);
    await expect(before).rejects.toThrow(Refusal);
    await expect(between).rejects.toThrow(Refusal);
    expect([session.get(), refused.get()]).toEqual(['new', false]);
    requests[2]?.answer(200);
    await expect(after).resolves.toEqual({});
  });
});

it.each([
  ['a server that is not reached', 0, true],
  ['a store that is away', 503, true],
  ['a refusal', 403, false],
  ['a fault', 500, false],
])('%s is asked again by itself: status %i, %s', (_, status, passing) => {
  expect(isPassing(new Refusal(status, 'X', 'x'))).toBe(passing);
});
