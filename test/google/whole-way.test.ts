import { markingRedactor } from '../doubles/marking-redactor.ts';
import { noGrants, noOutgoing, noRemotes } from '../../testing/no-remotes.ts';
import { noToolServers } from '../../functions/no-tool-servers.ts';
import { noWorkspaces } from '../../testing/no-workspaces.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { composeApp } from '../../functions/compose.ts';
import { defineAgent, type DefinedAgent } from '../../shared/agent/index.ts';
import { handleWakeUp } from '../../shared/app/worker/handle-wake-up.ts';
import { createTaskService } from '../../shared/app/tasks/task-service.ts';
import { sweep } from '../../shared/app/worker/sweep.ts';
import type { AgentName } from '../../shared/domain/ids.ts';
import { runDoc } from '../../shared/app/records/documents.ts';
import { rowsByAgent } from '../../shared/app/schedules/rows.ts';
import { isRefused } from '../../shared/domain/refusal.ts';
import { tickTask } from '../../shared/domain/schedule.ts';
import { defaults } from '../../shared/domain/settings.ts';
import { isPassing } from '../../shared/ports/faults.ts';
import { systemClock as clock } from '../../shared/system/system-clock.ts';
import { systemIds } from '../../shared/system/system-ids.ts';
import { createFirestoreBackend } from '../../shared/gcp/firestore/backend.ts';
import { createKmsSealer } from '../../shared/gcp/kms/sealer.ts';
import { createGcsBlobs } from '../../shared/gcp/storage/blobs.ts';
import { createStore } from '../../shared/store/store.ts';
import { randomProject, useFirestoreEmulator } from '../emulator/firestore.ts';
import { startKmsEmulator } from '../../emulators/kms/start.ts';
import { startStorageEmulator } from '../../emulators/storage/start.ts';
import { openTasksQueue } from './tasks-queue.ts';

const SIZE = 1024 * 1024;
const large = defineAgent({
  name: 'large',
  description: 'Answers at length.',
  async run(ctx) {
    const raw = new Uint8Array(SIZE).fill(65);
    await ctx.artifact({ artifactId: 'large', parts: [{ raw, mediaType: 'text/plain' }] });
    return 'done';
  },
});

/** Every port by its Google adapter, each over an emulator, in real time. */
async function open(agent: DefinedAgent = large) {
  await useFirestoreEmulator();
  const storage = await startStorageEmulator();
  storage.buckets.create('objects');
  const kms = await startKmsEmulator();
  const keyName = 'projects/p/locations/l/keyRings/r/cryptoKeys/k';
  kms.key(keyName);
  const log = { write() {} };
  const tasks = await openTasksQueue({ clock, log, concurrency: 8 });
  const backend = createFirestoreBackend({ projectId: randomProject() });
  onTestFinished(async () => {
    await tasks.close();
    await backend.close();
    await storage.close();
    await kms.close();
  });
  const ids = systemIds();
  const app = composeApp(
    {
      store: createStore({ backend, clock, ids, deadline: defaults.transactionDeadline }),
      blobs: createGcsBlobs({ bucket: 'objects', endpoint: storage.url }),
      queue: tasks.queue,
      sealer: createKmsSealer({ keyName, endpoint: kms.url }),
      redactor: markingRedactor,
      remotes: noRemotes,
      outgoing: noOutgoing,
      toolServers: noToolServers,
      workspaces: noWorkspaces,
      grants: noGrants,
      clock,
      ids,
      log,
      settings: { ...defaults, sweepGrace: 0 },
    },
    { get: (name: AgentName) => (name === agent.name ? agent : undefined), all: [agent] },
    { idempotency: 'always', installation: { answer: 'metadata', audit: 'metadata' } },
  );
  tasks.start((wakeUp) => handleWakeUp(app, wakeUp));
  return { app, storage, tasks, service: createTaskService(app) };
}

test('a message comes back as a task with a large artifact, which the bucket keeps sealed and archived', async () => {
  const { app, storage, tasks, service } = await open();
  const principal = { agent: large.name, tenant: '', owner: '', authenticated: false };
  const message = { messageId: 'm-1', role: 'user' as const, parts: [{ text: 'hello' }] };
  const sent = await service.send(principal, { message });
  if (isRefused(sent) || sent.kind !== 'accepted') throw new Error('refused');
  await tasks.idle();
  const task = await service.get(principal, sent.taskId);
  if (isRefused(task)) throw new Error(task.code);
  expect(task.status.state).toBe('COMPLETED');
  const [part] = task.artifacts?.[0]?.parts ?? [];
  expect(part !== undefined && 'raw' in part ? part.raw.length : 0).toBe(SIZE);

  // What the row still owes is done by what the sweeper hands over.
  for (let rows = 1; rows > 0; await sleep(50)) {
    rows = await sweep(app);
    await tasks.idle();
  }
  const prefix = `contexts/${sent.contextId}/${sent.taskId}`;
  const names = (await app.blobs.list(`${prefix}/`, 100)).map(({ name }) => name);
  expect(names).toContain(`${prefix}/task.json`);
  const sealed = names.find((name) => name.startsWith(`${prefix}/blobs/`)) ?? '';
  const { body } = storage.buckets.find('objects', sealed);
  expect(body.includes(Buffer.alloc(64, 65))).toBe(false);
  const archived = await app.blobs.get(`${prefix}/task.json`);
  expect(JSON.parse(new TextDecoder().decode(archived?.body))).toMatchObject({ id: sent.taskId });
});

test('a tick that two sweepers see at once is one task, also over the database of Google', async () => {
  const ticks: number[] = [];
  const declared = defineAgent({
    name: 'ticks',
    description: 'Ticks three times.',
    schedule: { cron: '* * * * *', missed: 'all' },
    run: (ctx) => `for ${ctx.schedule?.at.getTime()}`,
  });
  const next = (after: number) => ticks.find((at) => at > after);
  const { app, tasks } = await open({
    ...declared,
    ...(declared.schedule && { schedule: { ...declared.schedule, next } }),
  });
  const rowNow = async () => (await again(() => rowsByAgent(app))).get('ticks');
  ticks.push(...[1, 2, 3].map((seconds) => clock.now() + seconds * 1_000));
  await again(() => sweep(app));
  const first = (await rowNow())?.nextAt ?? Number.POSITIVE_INFINITY;
  expect(ticks).toContain(first);
  for (let row = await rowNow(); row?.nextAt !== null; row = await rowNow()) {
    await Promise.all([1, 2, 3].map(() => again(() => sweep(app))));
    await tasks.idle();
  }
  const made = ticks.filter((each) => each >= first);
  for (const at of made) {
    const run = await again(() => app.store.get(runDoc(tickTask('ticks', at))));
    expect(run).toMatchObject({ status: 'completed' });
  }
  const runs = { collection: 'runs', filters: [], order: undefined, limit: 100 };
  expect(await again(() => app.store.count(runs))).toBe(made.length);
  expect(await rowNow()).toMatchObject({ lastTick: ticks.at(-1), missed: 0 });
});

/** A busy emulator gives no answer now and then: the scheduler would call again, too. */
async function again<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!isPassing(error)) throw error;
    }
  }
}
