import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { Client } from './client.ts';
import { useOracle } from './oracle.ts';
import { BRISK, type Server, useFleet } from './server.ts';
import { stateOf } from './wire.ts';

const fleet = useFleet();
const oracle = useOracle({ reruns: true });

/** A server with three tasks at work, killed. */
async function killedAtWork(): Promise<{ server: Server; client: Client; ids: readonly string[] }> {
  const server = await fleet.start({ settings: BRISK, store: 'embedded' });
  const client = new Client(server, oracle);
  const sent = [1, 2, 3].map(() => client.send('steps=30 delay=50', { ri: true }));
  const ids = (await Promise.all(sent)).map(({ id }) => id);
  for (const id of ids)
    await expect.poll(async () => stateOf(await client.get(id))).toBe('WORKING');
  await server.kill();
  return { server, client, ids };
}

test('with its key away, or another in its place, a data folder does not start and says which key it wants; with the key back every task completes', async () => {
  const { server, client, ids } = await killedAtWork();
  const key = join(server.data, 'key');
  const before = await readFile(key);
  await rename(key, `${key}.away`);
  await expect(server.start()).rejects.toThrow(
    /ended with 2 before ready:[^]*\nholdfast: \S+key: the stored tasks need a key that is not at hand: key [0-9a-f]{16} of a key file \(there is none\)/,
  );
  await expect(readFile(key)).rejects.toMatchObject({ code: 'ENOENT' });
  await writeFile(key, randomBytes(before.length), { mode: 0o600 });
  await expect(server.start()).rejects.toThrow(
    /need a key that is not at hand: key [0-9a-f]{16} of a key file \(there are: key [0-9a-f]{16} of a key file\)/,
  );
  await rename(`${key}.away`, key);
  await server.start();
  for (const id of ids) expect(stateOf(await client.finished(id))).toBe('COMPLETED');
});

test('with its key lost for good, an operator destroys what it sealed, and the folder serves new tasks', async () => {
  const { server, client, ids } = await killedAtWork();
  await rm(join(server.data, 'key'));
  const operate = fileURLToPath(new URL('../../functions/cli/main.ts', import.meta.url));
  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, [operate, ...args], {
      env: { ...process.env, HOLDFAST_DATA: server.data },
    });
  await expect(run('rewrap')).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('purge --without-key') as unknown,
  });
  const counted = await run('purge', '--without-key', '--dry-run');
  expect(JSON.parse(counted.stdout)).toEqual({ seen: 3, withoutKey: 3 });
  await expect(server.start()).rejects.toThrow('not at hand');
  await expect(run('purge', '--without-key')).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('{"seen":3,"withoutKey":3}') as unknown,
  });
  await expect(server.start()).rejects.toThrow('not at hand');
  await run('purge', '--without-key', '--yes');
  await server.start();
  for (const id of ids) await expect(client.get(id)).rejects.toThrow();
  expect(stateOf(await client.send('steps=1'))).toBe('COMPLETED');
});
