import { once } from 'node:events';
import express from 'express';
import { receiveWakeUp } from '../../functions/receive-wake-up.ts';
import type { ObligationKind } from '../../shared/domain/obligations.ts';
import { createTasksQueue, type TasksQueue } from '../../shared/gcp/tasks/queue.ts';
import { queueId } from '../../shared/gcp/tasks/route.ts';
import { createVerifyCaller } from '../../shared/access/verify-caller.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import { fetchJson } from '../../shared/system/fetch-json.ts';
import { systemClock } from '../../shared/system/system-clock.ts';
import type { WakeUpHandler } from '../../shared/ports/queue.ts';
import type { OpenedQueue, QueueSetting } from '../conformance/queue.suite.ts';
import { startTasksEmulator, type TasksEmulator } from '../../emulators/tasks/start.ts';

export interface OpenedTasksQueue extends OpenedQueue {
  readonly queue: TasksQueue;
  readonly emulator: TasksEmulator;
}

type Setting = Omit<QueueSetting, 'clock'> & { readonly clock: Clock };

const parent = 'projects/p/locations/l';
const queues = {
  runs: 'runs',
  projections: 'projections',
  polls: 'polls',
  pushes: 'pushes',
} as const;
const generation = 'g1';
const serviceAccount = 'tasks@p.example';
const audience = 'https://worker.example';
const KINDS: readonly ObligationKind[] = ['run', 'check-lease', 'deadline', 'project', 'poll'];

/**
 * The whole way of a wake-up: adapter, Google's client, the emulator, HTTP, the check of its token,
 * and the receiver.
 */
export async function openTasksQueue(
  { clock, log, concurrency }: Setting,
  shards = 1,
): Promise<OpenedTasksQueue> {
  const emulator = await startTasksEmulator({ clock });
  const ids = Object.values(queues).flatMap((name) =>
    Array.from(
      { length: shards },
      (_, shard) => `${parent}/queues/${queueId(name, generation, shard)}`,
    ),
  );
  for (const name of ids) {
    const config = { maxConcurrentDispatches: concurrency, maxAttempts: -1, minBackoff: 1_000 };
    emulator.engine.createQueue(name, config).paused = true;
  }

  let handle: WakeUpHandler = async () => 'again';
  const verify = createVerifyCaller({
    audience,
    serviceAccounts: [serviceAccount],
    signature: 'ours',
    issuers: [emulator.tokens.issuer],
    keysUrl: `${emulator.keysUrl}/jwks`,
    clock: systemClock,
    fetchJson,
  });
  const server = express()
    .use(express.json())
    .post('/', async (request, response) => {
      const app = { clock, queue, log };
      const receiver = { name: 'test', kinds: KINDS, app, verify, handle: (w: Given) => handle(w) };
      const received = await receiveWakeUp(receiver, request.headersDistinct, request.body);
      response.status(received.status).end();
    })
    .listen(0, '127.0.0.1');
  // A connection that is kept alive would hold up the end.
  server.keepAliveTimeout = 1;
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const url = `http://127.0.0.1:${address.port}/`;

  const queue = createTasksQueue({
    project: 'p',
    location: 'l',
    queues,
    generation,
    shards,
    targets: { runs: url, projections: url, polls: url, pushes: url },
    serviceAccount,
    audience,
    clock,
    endpoint: `127.0.0.1:${emulator.port}`,
  });
  let closing: Promise<void> | undefined;

  async function close(): Promise<void> {
    await queue.close();
    for (const name of ids) emulator.engine.queues.get(name)?.stop();
    // What is being delivered ends first.
    server.close();
    await once(server, 'close');
    await emulator.close();
  }

  return {
    queue,
    emulator,
    start(handler) {
      handle = handler;
      for (const name of ids) emulator.engine.setPaused(name, false);
    },
    idle: () => emulator.engine.idle(),
    close: () => (closing ??= close()),
  };
}

type Given = Parameters<WakeUpHandler>[0];
