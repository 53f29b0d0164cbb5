import { randomUUID } from 'node:crypto';
import { TaskPushNotificationConfig } from '@a2a-js/sdk';
import { type PushNotificationStore, ServerCallContext } from '@a2a-js/sdk/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callOf } from './tasks.ts';

export interface OpenedPushStore {
  readonly store: PushNotificationStore;
  close(): Promise<void>;
}

const anonymous = callOf();

export function configFor(taskId: string, fields: object = {}): TaskPushNotificationConfig {
  return TaskPushNotificationConfig.fromJSON({
    id: randomUUID(),
    taskId,
    url: 'https://hooks.example.com/a?b=c',
    token: 'a token',
    authentication: { scheme: 'Bearer', credentials: 'secret-credentials' },
    ...fields,
  });
}

/** What the SDK's handler and sender may rely on, whatever store they have. */
export function pushStoreSuite(name: string, open: () => Promise<OpenedPushStore>): void {
  describe(`${name}: a store of push configurations`, () => {
    let opened: OpenedPushStore;
    let store: PushNotificationStore;
    beforeAll(async () => {
      opened = await open();
      ({ store } = opened);
    });
    afterAll(() => opened.close());

    test('a configuration comes back whole, with the version it was registered over', async () => {
      const taskId = randomUUID();
      const config = configFor(taskId);
      await store.save(taskId, anonymous, structuredClone(config));
      expect(await store.load(taskId, anonymous)).toEqual([config]);
      const found = await store.loadWithMetadata?.(taskId, anonymous);
      expect(found).toEqual([{ config, wireVersion: '1.0' }]);
    });

    test('one without an id is given one, which its caller sees', async () => {
      const taskId = randomUUID();
      const config = configFor(taskId, { id: '' });
      await store.save(taskId, anonymous, config);
      expect(config.id).not.toBe('');
      expect(await store.load(taskId, anonymous)).toEqual([config]);
    });

    test('another of the same id takes its place, version and all', async () => {
      const taskId = randomUUID();
      const [kept, old] = [configFor(taskId), configFor(taskId)];
      await store.save(taskId, anonymous, kept);
      await store.save(taskId, anonymous, old);
      const next = { ...old, url: 'https://hooks.example.com/next', authentication: undefined };
      await store.save(taskId, new ServerCallContext({ requestedVersion: '0.3' }), next);
      const found = await store.loadWithMetadata?.(taskId, anonymous);
      const wanted = [
        { config: kept, wireVersion: '1.0' },
        { config: next, wireVersion: '0.3' },
      ];
      expect(found).toHaveLength(2);
      expect(found).toEqual(expect.arrayContaining(wanted));
    });

    test('what is deleted is gone, once and again, and nothing else', async () => {
      const [taskId, otherId] = [randomUUID(), randomUUID()];
      const [gone, kept] = [configFor(taskId), configFor(taskId)];
      const beside = configFor(otherId, { id: gone.id });
      await store.save(taskId, anonymous, gone);
      await store.save(taskId, anonymous, kept);
      await store.save(otherId, anonymous, beside);
      await store.delete(taskId, anonymous, gone.id);
      await store.delete(taskId, anonymous, gone.id);
      expect(await store.load(taskId, anonymous)).toEqual([kept]);
      expect(await store.load(otherId, anonymous)).toEqual([beside]);
    });

    test('two callers, and two tenants of one, never meet (G23)', async () => {
      const taskId = randomUUID();
      const calls = [callOf('ada'), callOf('bob'), callOf('ada', 'red'), callOf()];
      const id = randomUUID();
      for (const [n, call] of calls.entries()) {
        await store.save(taskId, call, configFor(taskId, { id, token: `${n}` }));
      }
      for (const [n, call] of calls.entries()) {
        expect((await store.load(taskId, call)).map(({ token }) => token)).toEqual([`${n}`]);
      }
      await store.delete(taskId, callOf('eve'), id);
      expect(await store.load(taskId, callOf('eve'))).toEqual([]);
      expect(await store.load(taskId, callOf('ada'))).toHaveLength(1);
    });

    test.each(['../x', 'a/b', '.', '\0'])('an id of any form is itself only: %j', async (id) => {
      const taskId = randomUUID();
      const config = configFor(taskId, { id });
      await store.save(taskId, anonymous, config);
      expect(await store.load(`${taskId}/push`, anonymous)).toEqual([]);
      expect(await store.load(taskId, anonymous)).toEqual([config]);
      await store.delete(taskId, anonymous, id);
      expect(await store.load(taskId, anonymous)).toEqual([]);
    });
  });
}
