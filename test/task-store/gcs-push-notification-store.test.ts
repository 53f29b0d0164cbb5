import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { LogFields } from '../../shared/ports/log.ts';
import { GcsPushNotificationStore, GcsTaskStore } from '../../shared/task-store/index.ts';
import { MemoryBlobs } from '../../testing/memory-blobs.ts';
import { memorySealer } from '../../testing/memory-sealer.ts';
import { seededIds } from '../../testing/seeded-ids.ts';
import { configFor } from './push-store.suite.ts';
import { callOf, taskWith } from './tasks.ts';

const anonymous = callOf();
const SECRETS = ['a token', 'secret-credentials', 'hooks.example.com'];
const bytesOf = (blobs: MemoryBlobs) =>
  [...blobs.objects.values()].map(({ body }) => Buffer.from(body).toString('latin1')).join('\n');

function sealedHouse() {
  const ids = seededIds(7);
  const blobs = new MemoryBlobs({ now: () => 0 });
  const lines: (readonly [string, LogFields | undefined])[] = [];
  const log = {
    write: (_: string, event: string, fields?: LogFields) => lines.push([event, fields]),
  };
  const sealer = memorySealer(ids);
  const sealed = new GcsPushNotificationStore({ blobs, sealer, ids, log });
  const clear = new GcsPushNotificationStore({ blobs, ids, log });
  return { blobs, sealed, clear, lines };
}

describe('with a sealer', () => {
  test('no secret, and no address, is in the bucket', async () => {
    const { blobs, sealed, clear } = sealedHouse();
    const taskId = randomUUID();
    const config = configFor(taskId);
    await sealed.save(taskId, anonymous, config);
    expect(SECRETS.filter((secret) => bytesOf(blobs).includes(secret))).toEqual([]);
    expect(await sealed.load(taskId, anonymous)).toEqual([config]);
    await clear.save(taskId, anonymous, config);
    expect(SECRETS.filter((secret) => bytesOf(blobs).includes(secret))).toEqual(SECRETS);
    // What was stored before there was a sealer can be read, and is sealed when it is saved again.
    expect(await sealed.load(taskId, anonymous)).toEqual([config]);
    await sealed.save(taskId, anonymous, config);
    expect(SECRETS.filter((secret) => bytesOf(blobs).includes(secret))).toEqual([]);
  });

  test('one that does not open is told to the log, and keeps no other back', async () => {
    const { blobs, sealed, clear, lines } = sealedHouse();
    const taskId = randomUUID();
    const [good, bad] = [configFor(taskId), configFor(taskId)];
    await sealed.save(taskId, anonymous, good);
    const name = (id: string) => `tasks/${taskId}/push/${id}.json`;
    const envelope = blobs.objects.get(name(good.id))?.body ?? new Uint8Array();
    // Put into another place, it is not the other one's.
    await blobs.put(name(bad.id), envelope, { contentType: 'x/y', expect: 'absent' });
    expect(await sealed.load(taskId, anonymous)).toEqual([good]);
    const line = ['unreadable push configuration', { name: name(bad.id), fault: 'Unreadable' }];
    expect(lines).toEqual([line]);
    expect(await clear.load(taskId, anonymous)).toEqual([]);
  });
});

test('a task has at most 100 configurations, and each of them can be replaced', async () => {
  const { blobs } = sealedHouse();
  const store = new GcsPushNotificationStore({ blobs });
  const taskId = randomUUID();
  for (let n = 1; n <= 100; n += 1)
    await store.save(taskId, anonymous, configFor(taskId, { id: `${n}` }));
  await store.save(taskId, anonymous, configFor(taskId, { id: '100' }));
  await expect(store.save(taskId, anonymous, configFor(taskId))).rejects.toMatchObject({
    name: 'RequestMalformedError',
    metadata: { field: 'taskId' },
  });
  expect(await store.load(taskId, anonymous)).toHaveLength(100);
});

test('ids that no object can be named by are refused by their field (G21)', async () => {
  const { blobs } = sealedHouse();
  const store = new GcsPushNotificationStore({ blobs });
  const long = 'x'.repeat(201);
  await expect(store.save(long, anonymous, configFor(long))).rejects.toMatchObject({
    metadata: { field: 'taskId' },
  });
  await expect(store.save('t', anonymous, configFor('t', { id: long }))).rejects.toMatchObject({
    metadata: { field: 'id' },
  });
  expect(await store.load(long, anonymous)).toEqual([]);
  await store.delete('t', anonymous, long);
  expect(blobs.objects.size).toBe(0);
});

test('configurations are deleted with their task, and with one that never came to be', async () => {
  const { blobs } = sealedHouse();
  const [pushes, tasks] = [new GcsPushNotificationStore({ blobs }), new GcsTaskStore({ blobs })];
  const task = taskWith({ status: { state: 'TASK_STATE_COMPLETED' } });
  await tasks.save(task, anonymous);
  for (const id of [task.id, 'never']) {
    await pushes.save(id, anonymous, configFor(id));
    await pushes.save(id, anonymous, configFor(id));
    await pushes.save(id, callOf('ada'), configFor(id));
    await tasks.delete(id, anonymous);
    expect(await pushes.load(id, anonymous)).toEqual([]);
    expect(await pushes.load(id, callOf('ada'))).toHaveLength(1);
  }
});
