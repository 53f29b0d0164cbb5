import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { TooLarge } from '../../ports/faults.ts';
import { createFirestoreBackend } from './backend.ts';

// Vitest loads packages by Node itself, so they are in Node's own cache.
const loaded = (): string[] =>
  Object.keys(createRequire(import.meta.url).cache).filter((file) =>
    file.includes('@google-cloud'),
  );

test('the client is not loaded before a call needs it, and a commit that is too large needs it not', async () => {
  const backend = createFirestoreBackend({ projectId: 'unused' });
  const body = new Uint8Array(1024 * 1024);
  const large = { path: 'tasks/t', fields: { body }, expect: 'any' } as const;
  await expect(backend.commit([], [large])).rejects.toThrow(TooLarge);

  const piece = new Uint8Array(1024 * 1000);
  const many = ['a', 'b', 'c', 'd'].map((id) => ({
    ...large,
    path: `tasks/${id}`,
    fields: { piece },
  }));
  await expect(backend.commit([], many)).rejects.toThrow(TooLarge);

  expect(await backend.commit([], [])).not.toBe('conflict');
  expect(await backend.read([])).toEqual([]);
  await backend.close();
  expect(loaded()).toEqual([]);
});
