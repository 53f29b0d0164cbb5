import { describe, expect, test } from 'vitest';
import { seededIds } from '../../../testing/seeded-ids.ts';
import { VirtualClock } from '../../../testing/virtual-clock.ts';
import { Unavailable } from '../../ports/faults.ts';
import type { ReadDoc } from '../../ports/store.ts';
import type { ApiKeyDoc } from '../records/api-key-document.ts';
import { apiKeyHash, newApiKey, sameHash } from './api-key-text.ts';
import { createFindApiKey } from './find-api-key.ts';

const MEMORY = 10_000;

/** A store with one key, which counts its reads. */
function setting(over: Partial<ApiKeyDoc> = {}) {
  const clock = new VirtualClock();
  const { id, text } = newApiKey(seededIds(1));
  const key: ApiKeyDoc = {
    v: 1,
    id,
    tenant: 'acme',
    owner: 'ada',
    label: '',
    hash: apiKeyHash(text),
    createdAt: clock.now(),
    expiresAt: null,
    revokedAt: null,
    ...over,
  };
  const stored = { key, reads: 0, away: false };
  const store = {
    get: <T>({ codec, path }: ReadDoc<T>): Promise<T | undefined> => {
      stored.reads += 1;
      if (stored.away) return Promise.reject(new Unavailable('the store'));
      const found = path === `apiKeys/${id}` ? { ...stored.key } : undefined;
      return Promise.resolve(found && codec.decode(found, path));
    },
  };
  return { clock, find: createFindApiKey({ store, clock, memory: MEMORY }), stored, text };
}

describe('an API key', () => {
  test('a key is known by all of its text', async () => {
    const { find, stored, text } = setting();
    expect(await find(text)).toMatchObject({ owner: 'ada', tenant: 'acme' });
    const last = text.at(-1) === 'A' ? 'B' : 'A';
    for (const wrong of ['', 'x', text.slice(0, -1), `${text.slice(0, -1)}${last}`, `${text}x`])
      expect(await find(wrong)).toBeUndefined();
    // What has not the form of a key costs no read.
    expect(stored.reads).toBe(2);
  });

  test('is looked up once in ten seconds, and that is how late its revocation counts', async () => {
    const { clock, find, stored, text } = setting();
    for (let many = 0; many < 100; many += 1) await find(text);
    expect(stored.reads).toBe(1);
    stored.key = { ...stored.key, revokedAt: clock.now() };
    await clock.advance(MEMORY - 1);
    expect(await find(text)).toBeDefined();
    await clock.advance(1);
    expect(await find(text)).toBeUndefined();
    expect(await find(text)).toBeUndefined();
  });

  test('that expires is not remembered for longer', async () => {
    const { clock, find, stored, text } = setting();
    stored.key = { ...stored.key, expiresAt: clock.now() + 5_000 };
    expect(await find(text)).toBeDefined();
    await clock.advance(5_000);
    expect(await find(text)).toBeUndefined();
  });

  test('can not be told from none while the store is away, so nothing is said of it', async () => {
    const { find, stored, text } = setting();
    stored.away = true;
    await expect(find(text)).rejects.toMatchObject({ name: 'Unavailable' });
  });
});

test('hashes are compared whole, also those of another length', () => {
  expect(sameHash('00ff', '00ff')).toBe(true);
  expect(sameHash('00ff', '00fe')).toBe(false);
  expect(sameHash('00ff', '00')).toBe(false);
});
