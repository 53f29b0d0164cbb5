import { systemClock as clock } from '../shared/system/system-clock.ts';
import { type Emulator, startEmulator } from './firestore/start.ts';
import { startKmsEmulator } from './kms/start.ts';
import { startStorageEmulator } from './storage/start.ts';
import { startTasksEmulator, type TasksEmulator } from './tasks/start.ts';

export interface Wanted {
  readonly bucket: string;
  readonly key: string;
  readonly queues: readonly string[];
}

export interface AllEmulators {
  readonly tasks: TasksEmulator;
  readonly storage: Awaited<ReturnType<typeof startStorageEmulator>>;
  /** Where they are, as a function's variables say it. */
  readonly endpoints: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/**
 * An emulator of every service, with what a deployment would find there. They begin empty and keep
 * nothing.
 */
export async function startAllEmulators(wanted: Wanted, given?: Emulator): Promise<AllEmulators> {
  const firestore = given ?? (await startEmulator());
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
  return {
    tasks,
    storage,
    endpoints: {
      FIRESTORE_EMULATOR_HOST: firestore.host,
      HOLDFAST_STORAGE_ENDPOINT: storage.url,
      HOLDFAST_KMS_ENDPOINT: kms.url,
      HOLDFAST_TASKS_ENDPOINT: `127.0.0.1:${tasks.port}`,
      HOLDFAST_TOKEN_ISSUER: tasks.tokens.issuer,
      HOLDFAST_TOKEN_KEYS_URL: `${tasks.keysUrl}/jwks`,
    },
    async stop() {
      await Promise.allSettled([tasks.close(), storage.close(), kms.close(), firestore.stop()]);
    },
  };
}
