import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startKmsEmulator } from '../../emulators/kms/start.ts';
import { startStorageEmulator } from '../../emulators/storage/start.ts';
import { openPackedBlobs } from '../../shared/embedded/packed-blobs.ts';
import { createFirestoreBackend } from '../../shared/gcp/firestore/backend.ts';
import { createGcsBlobs } from '../../shared/gcp/storage/blobs.ts';
import { randomProject, useFirestoreEmulator } from '../emulator/firestore.ts';
import { NOWHERE } from '../fixtures/deployed-variables.ts';
import { Client } from './client.ts';
import { useOracle } from './oracle.ts';
import { BRISK, type Server, useFleet } from './server.ts';
import { stateOf } from './wire.ts';

const fleet = useFleet();
// A lost database takes back what callers have seen of tasks that were open.
const oracle = useOracle({ reruns: true });
const AGENTS = fileURLToPath(new URL('../fixtures/agents/scripted.ts', import.meta.url));
const CLI = fileURLToPath(new URL('../../functions/cli/main.ts', import.meta.url));

/** The command as an operator runs it; what it printed, line by line, and how it ended. */
async function restore(env: Readonly<Record<string, string>>, ...args: string[]) {
  const environment = { ...process.env, HOLDFAST_AGENTS: AGENTS, ...env };
  const { code, stderr, stdout } = await promisify(execFile)(
    process.execPath,
    [CLI, 'restore', ...args],
    {
      env: environment,
    },
  ).then(
    (ended) => ({ ...ended, code: 0 }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
  // An error of its use, which is said to people alone.
  if (code === 2) throw new Error(stderr);
  const lines = stdout.trim().split('\n').filter(Boolean);
  return { code, lines: lines.map((line) => JSON.parse(line) as unknown) };
}

const wire = async ({ url }: Server, id: string): Promise<string> => {
  const headers = { 'A2A-Version': '1.0' };
  return (await fetch(`${url}/tasks/${id}`, { headers })).text();
};

/** Two tasks that ended and one that waits, of a server that was killed, without its database. */
async function withoutDatabase() {
  const server = await fleet.start({ settings: BRISK, store: 'embedded' });
  const client = new Client(server, oracle);
  const done = [await client.send('steps=2'), await client.send('steps=1 artifact=3')];
  const asked = await client.send('ask');
  expect(stateOf(asked)).toBe('INPUT_REQUIRED');
  const shown = await Promise.all(done.map(({ id }) => wire(server, id)));
  // The archive follows the answer.
  const blobs = server.blobs();
  for (const { id, contextId } of [...done, asked])
    await expect.poll(() => blobs.get(`contexts/${contextId}/${id}/task.json`)).toBeDefined();
  await server.kill();
  for (const name of await readdir(server.data))
    if (name.startsWith('store.sqlite')) await rm(join(server.data, name));
  return { server, client, done, asked, shown };
}

test('a server whose database was lost answers as before, to the byte, and what was open is FAILED', async () => {
  const { server, client, done, asked, shown } = await withoutDatabase();
  const env = { HOLDFAST_DATA: server.data };
  const counts = { seen: 3, restored: 3, unfinished: 1, overdue: 0, present: 0, problems: 0 };
  expect(await restore(env, '--dry-run')).toEqual({ code: 0, lines: [counts] });
  expect(await restore(env)).toEqual({ code: 0, lines: [counts] });
  await server.start();
  for (const [at, { id }] of done.entries()) expect(await wire(server, id)).toBe(shown[at]);
  expect(await client.get(asked.id)).toMatchObject({
    status: { state: 'TASK_STATE_FAILED' },
    metadata: { reason: 'WORK_LOST' },
  });
  expect(stateOf(await client.send('steps=1', { contextId: asked.contextId }))).toBe('COMPLETED');
  // While it runs: what it has is left alone.
  const again = { ...counts, seen: 4, restored: 0, unfinished: 0, present: 4 };
  expect(await restore(env)).toEqual({ code: 0, lines: [again] });
});

test('a copy of the objects knows whose the tasks are', async () => {
  const { server, done, shown } = await withoutDatabase();
  const copy = `${server.data}-copy`;
  await cp(join(server.data, 'objects'), copy, { recursive: true });
  await rm(server.data, { recursive: true });
  const env = { HOLDFAST_DATA: server.data };
  const restored = await restore(env, '--from', copy);
  expect(restored).toMatchObject({ code: 0, lines: [{ restored: 3, problems: 0 }] });
  await server.start();
  for (const [at, { id }] of done.entries()) expect(await wire(server, id)).toBe(shown[at]);
  await rm(copy, { recursive: true });
});

/** The objects as plain files, as a copy of a bucket has them. */
async function unpack(objects: string, copy: string): Promise<void> {
  const blobs = openPackedBlobs({ root: objects });
  for (const { name } of await blobs.list('', 1_000)) {
    await mkdir(dirname(join(copy, name)), { recursive: true });
    await writeFile(join(copy, name), (await blobs.get(name))?.body ?? missing());
  }
  await blobs.close();
}

test('a plain copy of the bucket is enough, if it is said whose the tasks are', async () => {
  const { server, done, shown } = await withoutDatabase();
  const copy = `${server.data}-copy`;
  await unpack(join(server.data, 'objects'), copy);
  await rm(server.data, { recursive: true });
  const env = { HOLDFAST_DATA: server.data };
  const untold = await restore(env, '--from', copy);
  expect(untold.code).toBe(1);
  expect(untold.lines).toHaveLength(4);
  expect(untold.lines[0]).toMatchObject({
    problem: 'no-owner',
    why: expect.stringContaining('--agent') as unknown,
  });
  const told = await restore(env, '--from', copy, '--agent', 'scripted');
  expect(told).toMatchObject({ code: 0, lines: [{ restored: 3, problems: 0 }] });
  await server.start();
  for (const [at, { id }] of done.entries()) expect(await wire(server, id)).toBe(shown[at]);
  // Its copies stand in the new place, too.
  const blobs = server.blobs();
  for (const { id, contextId } of done)
    await expect.poll(() => blobs.get(`contexts/${contextId}/${id}/task.json`)).toBeDefined();
  await rm(copy, { recursive: true });
});

test('on Google Cloud it restores into an empty database from the bucket', async () => {
  await useFirestoreEmulator();
  const { server, done, shown } = await withoutDatabase();
  const storage = await startStorageEmulator();
  const kms = await startKmsEmulator();
  const project = randomProject();
  const key = `projects/${project}/locations/l/keyRings/r/cryptoKeys/k`;
  kms.key(key);
  storage.buckets.create('content');
  const bucket = createGcsBlobs({ bucket: 'content', endpoint: storage.url });
  const folder = openPackedBlobs({ root: join(server.data, 'objects') });
  for (const { name } of await folder.list('', 1_000)) {
    const { body, contentType, metadata } = (await folder.get(name)) ?? missing();
    await bucket.put(name, body, { contentType, metadata, expect: 'absent' });
  }
  await folder.close();
  const env = {
    ...NOWHERE,
    HOLDFAST_STORE: 'google',
    GOOGLE_CLOUD_PROJECT: project,
    METADATA_SERVER_DETECTION: 'none',
    HOLDFAST_STORAGE_ENDPOINT: storage.url,
    HOLDFAST_KMS_ENDPOINT: kms.url,
    HOLDFAST_TASKS_ENDPOINT: 'http://127.0.0.1:1',
    HOLDFAST_KMS: key,
    HOLDFAST_AUDIENCE: 'http://127.0.0.1:1',
    HOLDFAST_CALLERS: 'iam',
    HOLDFAST_CALLER: 'scheduler@example.com',
  };
  try {
    expect(await restore(env)).toMatchObject({
      code: 0,
      lines: [{ seen: 3, restored: 3, unfinished: 1 }],
    });
    expect(await restore(env)).toMatchObject({ code: 0, lines: [{ restored: 0, present: 3 }] });
    const backend = createFirestoreBackend({ projectId: project });
    const rows = await backend.read(done.map(({ id }) => `tasks/${id}`));
    await backend.close();
    expect(rows.map((row) => row?.fields['state'])).toEqual(['COMPLETED', 'COMPLETED']);
    // What was there is as it was; the one that was open says in the bucket, too, how it ended.
    for (const [at, { id, contextId }] of done.entries()) {
      const copy = await bucket.get(`contexts/${contextId}/${id}/task.json`);
      expect(Buffer.from(copy?.body ?? []).toString()).toBe(shown[at]);
    }
    const all = await bucket.list('contexts/', 100);
    const copies = all.filter(({ name }) => name.endsWith('/task.json'));
    const texts = await Promise.all(
      copies.map(async ({ name }) => Buffer.from((await bucket.get(name))?.body ?? []).toString()),
    );
    expect(texts.filter((text) => text.includes('WORK_LOST'))).toHaveLength(1);
  } finally {
    await storage.close();
    await kms.close();
  }
});

function missing(): never {
  throw new Error('an object went away');
}
