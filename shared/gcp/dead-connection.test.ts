import { randomUUID } from 'node:crypto';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { VirtualClock } from '../../testing/virtual-clock.ts';
import { randomProject, useFirestoreEmulator } from '../../test/emulator/firestore.ts';
import { type FlakyLink, flakyLink } from '../../test/emulator/flaky-link.ts';
import { startKmsEmulator } from '../../emulators/kms/start.ts';
import { startStorageEmulator } from '../../emulators/storage/start.ts';
import { startTasksEmulator } from '../../emulators/tasks/start.ts';
import type { TaskId } from '../domain/ids.ts';
import { Unavailable } from '../ports/faults.ts';
import { createFirestoreBackend, type FirestoreOptions } from './firestore/backend.ts';
import { createKmsSealer } from './kms/sealer.ts';
import { createGcsBlobs } from './storage/blobs.ts';
import { createTasksQueue } from './tasks/queue.ts';

// An open connection that swallows everything and never ends: what an instance finds that was
// frozen, or a network that forgot it.
let emulator = '';
beforeAll(async () => {
  emulator = await useFirestoreEmulator();
});

async function linkTo(target: string): Promise<FlakyLink> {
  const link = await flakyLink(target.replace(/^http:\/\//, ''));
  onTestFinished(() => link.close());
  return link;
}

async function openFirestore(over: Partial<FirestoreOptions>) {
  const link = await linkTo(emulator);
  vi.stubEnv('FIRESTORE_EMULATOR_HOST', link.host);
  const backend = createFirestoreBackend({ projectId: randomProject(), ...over });
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await backend.close().catch(() => undefined);
  });
  await backend.read(['tasks/none']);
  return { link, backend };
}

const write = { path: 'tasks/one', fields: {}, expect: 'absent' } as const;

test('Firestore: the call after one that had no answer has a new connection', async () => {
  const { link, backend } = await openFirestore({ deadline: 2_000 });
  link.swallow();
  await expect(backend.commit([], [write])).rejects.toThrow(Unavailable);
  expect(await backend.commit([], [write])).not.toBe('conflict');
  expect(link.opened).toBeGreaterThan(1);
});

test('Firestore: a connection that was idle is asked whether it lives, and dropped long before the deadline', async () => {
  const keepalive = { after: 50, wait: 200 };
  const { link, backend } = await openFirestore({ deadline: 30_000, keepalive });
  link.swallow();
  await expect(backend.commit([], [write])).rejects.toMatchObject({
    name: 'Unavailable',
    cause: { code: 14 },
  });
  expect(await backend.commit([], [write])).not.toBe('conflict');
});

test('Firestore: a listener whose connection died goes on by another one', async () => {
  const { link, backend } = await openFirestore({
    deadline: 30_000,
    keepalive: { after: 50, wait: 200 },
  });
  const far = createFirestoreBackend({ projectId: randomProject() });
  onTestFinished(() => far.close());
  const events = { collection: 'tasks/t/events', filters: [], order: undefined, limit: 10 };
  const event = (id: string) => ({
    path: `tasks/t/events/${id}`,
    fields: {},
    expect: 'absent' as const,
  });
  await backend.commit([], [event('1')]);
  const stop = new AbortController();
  const seen: string[] = [];
  for await (const rows of backend.follow(events, undefined, stop.signal)) {
    seen.push(...rows.map(({ path }) => path.slice(-1)));
    if (seen.length === 2) break;
    link.swallow();
    // The same connection carries calls and listeners: this one is lost with it, or finds the next
    // one.
    await backend.commit([], [event('2')]).catch(() => backend.commit([], [event('2')]));
  }
  expect(seen).toEqual(['1', '2']);
});

test('Cloud Tasks: a wake-up finds another connection within its own call', async () => {
  const clock = new VirtualClock();
  const tasks = await startTasksEmulator({ clock });
  onTestFinished(() => tasks.close());
  const link = await linkTo(`127.0.0.1:${tasks.port}`);
  const url = 'https://worker.example';
  const queue = createTasksQueue({
    project: 'p',
    location: 'l',
    queues: { runs: 'runs', projections: 'projections', polls: 'polls', pushes: 'pushes' },
    generation: 'g1',
    targets: { runs: url, projections: url, polls: url, pushes: url },
    serviceAccount: 'tasks@p.example',
    clock,
    deadline: 3_000,
    endpoint: link.host,
  });
  onTestFinished(() => queue.close());
  const created = tasks.engine.createQueue('projects/p/locations/l/queues/runs-g1-0');
  created.paused = true;
  const enqueue = () =>
    queue.enqueue({ kind: 'run', taskId: randomUUID() as TaskId, revision: 1, at: clock.now() });
  await enqueue();
  link.swallow();
  await enqueue();
  expect(created.tasks.size).toBe(2);
});

test('Cloud KMS and Cloud Storage: a call finds another connection', async () => {
  const kms = await startKmsEmulator();
  onTestFinished(() => kms.close());
  const keys = await linkTo(kms.url);
  const keyName = 'projects/p/locations/l/keyRings/r/cryptoKeys/k';
  kms.key(keyName);
  const sealer = createKmsSealer({ keyName, endpoint: `http://${keys.host}`, deadline: 3_000 });
  await sealer.newKey('runs/r');
  keys.swallow();
  expect((await sealer.newKey('runs/r')).plain).toHaveLength(32);

  const storage = await startStorageEmulator();
  onTestFinished(() => storage.close());
  storage.buckets.create('b');
  const objects = await linkTo(storage.url);
  const blobs = createGcsBlobs({
    bucket: 'b',
    endpoint: `http://${objects.host}`,
    deadline: 3_000,
  });
  await blobs.get('a');
  objects.swallow();
  expect(await blobs.get('a')).toBeUndefined();
});
