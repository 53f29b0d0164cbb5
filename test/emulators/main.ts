/**
 * Every emulator in one process, for `npm start -- --store google`: reads what to make from its argument, prints one line of JSON
 * that says where they are, and ends with its standard input. They begin empty and keep nothing.
 */
import { z } from 'zod';
import { systemClock as clock } from '../../shared/embedded/system-clock.ts';
import { startEmulator } from '../emulator/start.ts';
import { startKmsEmulator } from './kms/start.ts';
import { startStorageEmulator } from './storage/start.ts';
import { startTasksEmulator } from './tasks/start.ts';

const wanted = z
  .object({ bucket: z.string(), key: z.string(), queues: z.array(z.string()) })
  .parse(JSON.parse(process.argv[2] ?? '{}'));

const firestore = await startEmulator();
const storage = await startStorageEmulator();
storage.buckets.create(wanted.bucket);
const kms = await startKmsEmulator();
kms.key(wanted.key);
const tasks = await startTasksEmulator({ clock });
for (const name of wanted.queues) {
  tasks.engine.createQueue(name, {
    maxAttempts: -1,
    minBackoff: 500,
    maxConcurrentDispatches: 100,
  });
}

process.stdout.write(
  `${JSON.stringify({
    FIRESTORE_EMULATOR_HOST: firestore.host,
    HOLDFAST_STORAGE_ENDPOINT: storage.url,
    HOLDFAST_KMS_ENDPOINT: kms.url,
    HOLDFAST_TASKS_ENDPOINT: `127.0.0.1:${tasks.port}`,
    HOLDFAST_TOKEN_ISSUER: tasks.tokens.issuer,
    HOLDFAST_TOKEN_KEYS_URL: `${tasks.keysUrl}/certs`,
  })}\n`,
);

async function stop(): Promise<void> {
  await Promise.allSettled([tasks.close(), storage.close(), kms.close(), firestore.stop()]);
  process.exit(0);
}

// The parent's end of this pipe closes with it, however it ends.
process.stdin.on('end', () => void stop()).resume();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop());
