import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startStorageEmulator } from '../../emulators/storage/start.ts';
import { defineAgent } from '../../shared/agent/index.ts';
import { openPackedBlobs } from '../../shared/embedded/packed-blobs.ts';
import { createGcsBlobs } from '../../shared/gcp/storage/blobs.ts';
import type { Blobs } from '../../shared/ports/blobs.ts';
import { World } from '../app/world.ts';

const run = promisify(execFile);

/** As in docs/archive.md: nothing but the task's id is known. */
const READERS = {
  folder: `query() { "$NODE" --no-warnings -e "$READ" "$PLACE/archive.sqlite" "$1"; }
CONTEXT=$(query "SELECT CAST(body AS TEXT) AS text FROM objects WHERE name = 'tasks/$TASK/contextId.txt'")
query "SELECT CAST(body AS TEXT) AS text FROM objects WHERE name = 'contexts/$CONTEXT/$TASK/task.json'"`,
  'Cloud Storage': `CONTEXT=$(curl -sf "$PLACE/tasks%2F$TASK%2FcontextId.txt?alt=media")
curl -sf "$PLACE/contexts%2F$CONTEXT%2F$TASK%2Ftask.json?alt=media"`,
} as const;

/** What `sqlite3 <file> <query>` prints: not every machine has it. */
const READ = `const [file, query] = process.argv.slice(1);
const { DatabaseSync } = require('node:sqlite');
process.stdout.write(new DatabaseSync(file, { readOnly: true }).prepare(query).get().text);`;

type Setting = { readonly blobs: Blobs; readonly place: string };

const OPEN: Readonly<Record<keyof typeof READERS, () => Promise<Setting>>> = {
  async folder() {
    const root = await mkdtemp(join(tmpdir(), 'holdfast-plain-'));
    const place = join(root, 'objects');
    const blobs = openPackedBlobs({ root: place });
    onTestFinished(async () => {
      await blobs.close();
      await rm(root, { recursive: true });
    });
    return { blobs, place };
  },
  async 'Cloud Storage'() {
    const storage = await startStorageEmulator();
    onTestFinished(() => storage.close());
    storage.buckets.create('archive');
    const blobs = createGcsBlobs({ bucket: 'archive', endpoint: storage.url });
    return { blobs, place: `${storage.url}/storage/v1/b/archive/o` };
  },
};

const agent = defineAgent({
  name: 'plain',
  description: 'Asks, then makes an artifact.',
  async run(ctx) {
    if (ctx.history.length === 0) ctx.ask('Which?');
    await ctx.artifact({ artifactId: 'a', parts: 'the artifact' });
    return 'done';
  },
});

/** The objects are real, so a call of theirs takes time of its own. */
async function until(task: () => Promise<string>, state: string): Promise<void> {
  await expect.poll(task, { timeout: 10_000, interval: 20 }).toContain(state);
}

describe.each(['folder', 'Cloud Storage'] as const)(
  'a reader without our code, of a %s',
  (kind) => {
    it('finds a task by its id: as it waits, and with its result', async () => {
      const { blobs, place } = await OPEN[kind]();
      const world = new World(agent, { wrapBlobs: () => blobs });
      const { taskId } = await world.send('go', { contextId: 'shelf-1' });
      const read = async (): Promise<string> => {
        await world.work();
        const env = { ...process.env, NODE: process.execPath, READ, PLACE: place, TASK: taskId };
        // What is not there yet is an error of the reader or of curl.
        const found = await run('bash', ['-ec', READERS[kind]], { env }).catch(() => undefined);
        return found?.stdout ?? '';
      };
      await until(read, 'TASK_STATE_INPUT_REQUIRED');
      await world.send('this one', { taskId });
      await until(read, 'TASK_STATE_COMPLETED');
      expect(JSON.parse(await read())).toMatchObject({
        id: taskId,
        contextId: 'shelf-1',
        artifacts: [{ artifactId: 'a', parts: [{ text: 'the artifact' }] }],
        history: [{ role: 'ROLE_USER' }, { role: 'ROLE_AGENT' }, { role: 'ROLE_USER' }, {}],
      });
    });
  },
);
