import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Blobs } from '../../shared/ports/blobs.ts';
import { git, HAS_GIT } from '../files/real-git.ts';
import { Client } from './client.ts';
import { eventually } from './eventually.ts';
import { seeded } from './load.ts';
import { Oracle } from './oracle.ts';
import { BRISK, STORE, useFleet } from './server.ts';
import { stateOf, type WireTask } from './wire.ts';

const fleet = useFleet();
/** HOLDFAST_SEED repeats a run's choices; the moments within the server are its own. */
const SEED = Number(process.env['HOLDFAST_SEED'] ?? Math.floor(Math.random() * 2 ** 32));
const TASKS = STORE === 'google' ? 4 : 10;
const CONTEXT = 'files-of-kills';

/** Everything below the prefix, as it lies in the bucket. */
async function copied(blobs: Blobs, prefix: string, folder: string): Promise<readonly string[]> {
  const names: string[] = [];
  for (let after: string | undefined; ; after = names.at(-1)) {
    const page = await blobs.list(prefix, 100, after);
    names.push(...page.map(({ name }) => name));
    if (page.length < 100) break;
  }
  for (const name of names) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, (await blobs.get(name))?.body ?? '');
  }
  return names;
}

function ended(client: Client, id: string): Promise<WireTask> {
  return eventually(
    () => client.get(id),
    (task) => /COMPLETED|FAILED/.test(task.status.state),
    60_000,
  );
}

test.runIf(HAS_GIT)(
  'several tasks of one context, a kill in each: what completed is kept once, and git reads it',
  { timeout: 240_000 },
  async () => {
    process.stdout.write(`HOLDFAST_SEED=${SEED}\n`);
    const random = seeded(SEED);
    const server = await fleet.start({
      settings: { ...BRISK, requeues: 100 },
      args: ['--agents', 'test/fixtures/agents/keeping.ts'],
    });
    const client = new Client(server, new Oracle({ reruns: true }));
    const tasks: WireTask[] = [];
    for (let task = 0; task < TASKS; task += 1) {
      const { id } = await client.send('go', { contextId: CONTEXT, ri: true });
      await wait(random() * 120);
      await server.restart('kill');
      tasks.push(await ended(client, id));
    }
    expect(tasks.map(stateOf)).toEqual(tasks.map(() => 'COMPLETED'));

    const folder = await fleet.folder();
    const prefix = `contexts/${CONTEXT}/`;
    // The archive comes right after the task: a kill may have put it off to the sweeper.
    const names = await eventually(
      () => copied(server.blobs(), prefix, folder),
      (all) => all.filter((name) => name.endsWith('workspace.tar.gz')).length === TASKS,
      30_000,
    );
    const repository = names.find((name) => name.endsWith('.git/HEAD')) ?? '';
    const gitFolder = join(folder, dirname(repository));
    git(gitFolder, 'fsck', '--full', '--strict');
    const log = tasks.map(({ id }) => `${id}\n`).join('');
    const main = await eventually(
      async () => {
        await copied(server.blobs(), prefix, folder);
        return git(gitFolder, 'show', 'main:log.txt');
      },
      (text) => text === log,
      30_000,
    );
    expect(main).toBe(log);
    expect(git(gitFolder, 'log', '--format=%s', 'main').trim().split('\n').toReversed()).toEqual(
      tasks.map(({ id }) => `Task ${id}: COMPLETED`),
    );
    for (const [at, { id }] of tasks.entries()) {
      const archive = join(folder, prefix, id, 'workspace.tar.gz');
      const { stdout } = spawnSync('tar', ['-xzOf', archive, 'log.txt'], { encoding: 'utf8' });
      expect(stdout).toBe(
        log
          .split('\n')
          .slice(0, at + 1)
          .join('\n') + '\n',
      );
    }
  },
);
