import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { startStorageEmulator } from '../../emulators/storage/start.ts';
import { createGcsBlobs } from '../../shared/gcp/storage/blobs.ts';
import { id, metadata, OldLayout, scratch } from '../import/old-layout.ts';
import { Client } from './client.ts';
import { useOracle } from './oracle.ts';
import { useFleet } from './server.ts';
import { stateOf } from './wire.ts';

const run = promisify(execFile);
const fleet = useFleet();
const oracle = useOracle({ reruns: true });
const AGENTS = fileURLToPath(new URL('../fixtures/agents/scripted.ts', import.meta.url));
const CLI = fileURLToPath(new URL('../../functions/cli/main.ts', import.meta.url));

/** The command as an operator runs it: what it printed, and how it ended. */
async function command(env: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const environment = { ...process.env, HOLDFAST_AGENTS: AGENTS, ...env };
  return run(process.execPath, [CLI, ...args], { env: environment }).then(
    ({ stderr, stdout }) => ({ code: 0, stderr, stdout }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
}

const lines = (stdout: string): readonly unknown[] =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);

async function layout(): Promise<OldLayout> {
  const old = new OldLayout(await scratch());
  await old.metadata(id(1), metadata('completed', 'ctx-1'));
  await old.workspace(id(1), { 'src/main.ts': 'export {}' });
  await old.metadata(id(2), metadata('working', 'ctx-1'));
  await old.put(id(3), 'metadata', Buffer.from('broken'));
  return old;
}

test('an import beside a server that runs: its callers see the tasks, and plain tar opens their files', async () => {
  const server = await fleet.start({ store: 'embedded' });
  const client = new Client(server, oracle);
  const old = await layout();
  const env = { HOLDFAST_DATA: server.data };
  const dry = await command(env, 'import', old.folder, '--dry-run');
  const done = await command(env, 'import', old.folder);
  expect(done.code).toBe(1);
  expect(done.stdout).toBe(dry.stdout);
  expect(lines(done.stdout)).toMatchObject([
    { task: id(3), problem: 'metadata-not-gzip' },
    { seen: 3, imported: 2, unfinished: 1, workspaces: 1, problems: 1 },
  ]);
  expect(stateOf(await client.get(id(1)))).toBe('COMPLETED');
  expect(await client.get(id(2))).toMatchObject({ metadata: { reason: 'WORK_LOST' } });
  const folder = join(server.data, 'objects', 'contexts', 'ctx-1', id(1));
  expect(await readdir(folder)).toEqual(['workspace.tar.gz']);
  expect(await server.blobs().get(`contexts/ctx-1/${id(1)}/task.json`)).toBeDefined();
  const unpacked = await mkdtemp(join(tmpdir(), 'holdfast-unpacked-'));
  onTestFinished(() => rm(unpacked, { recursive: true }));
  await run('tar', ['-xzf', join(folder, 'workspace.tar.gz'), '-C', unpacked]);
  expect(await readFile(join(unpacked, 'src/main.ts'), 'utf8')).toBe('export {}');
  const again = await command(env, 'import', old.folder);
  expect(lines(again.stdout).at(-1)).toMatchObject({ imported: 0, present: 2, problems: 1 });
});

test('a bucket is read as it is named, and what can not be understood is said', async () => {
  const old = await layout();
  const storage = await startStorageEmulator();
  onTestFinished(() => storage.close());
  storage.buckets.create('old-bucket');
  const bucket = createGcsBlobs({ bucket: 'old-bucket', endpoint: storage.url });
  for (const path of await readdir(join(old.folder, 'tasks'), { recursive: true })) {
    if (!path.endsWith('.gz')) continue;
    const body = await readFile(join(old.folder, 'tasks', path));
    await bucket.put(`tasks/${path}`, body, { contentType: 'application/gzip', expect: 'absent' });
  }
  const env = { HOLDFAST_DATA: await scratch(), HOLDFAST_STORAGE_ENDPOINT: storage.url };
  const found = await command(env, 'import', 'gs://old-bucket', '--agent', 'scripted');
  expect(lines(found.stdout).at(-1)).toMatchObject({ imported: 2, workspaces: 1, problems: 1 });
  for (const [args, words] of [
    [['import'], 'import needs a bucket'],
    [['import', 'gs://old-bucket/tasks'], 'is no bucket'],
    [['import', '/no/such/folder'], 'there is no folder /no/such/folder'],
    [['import', await scratch()], 'holds no tasks/'],
    [['import', old.folder, '--agent', 'nobody'], 'which is not published here'],
    [['import', old.folder, '--nonsense'], 'nonsense'],
  ] as const)
    expect(await command(env, ...args)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(words) as unknown,
    });
  for (const name of ['import', 'restore']) {
    const help = await command(env, name, '--help');
    expect(help).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`Usage: holdfast ${name}`) as unknown,
    });
  }
});
