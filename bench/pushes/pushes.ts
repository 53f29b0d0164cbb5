import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { composeApp } from '../../functions/compose.ts';
import { publish } from '../../functions/load-agents.ts';
import { defineAgent } from '../../shared/agent/index.ts';
import type { App } from '../../shared/app/app.ts';
import { createTaskService } from '../../shared/app/tasks/task-service.ts';
import { handleWakeUp } from '../../shared/app/worker/handle-wake-up.ts';
import { isRefused } from '../../shared/domain/refusal.ts';
import { openEmbedded } from '../../shared/embedded/index.ts';
import { createOutgoingHttp } from '../../shared/outgoing/outgoing-http.ts';
import { systemClock } from '../../shared/system/system-clock.ts';
import { alone } from '../../testing/no-remotes.ts';
import { markingRedactor } from '../../test/doubles/marking-redactor.ts';
import { number, progress, type Section, short } from '../report.ts';
import type { Counts } from './receiver.ts';

const EVENTS = 8;
const OF_ONE_TASK = 10;

const agent = defineAgent({
  name: 'teller',
  description: 'Asks, and then shows something again and again.',
  async run(ctx) {
    if (ctx.text === 'ask') ctx.ask('go?');
    for (let n = 1; n <= EVENTS; n += 1) {
      await ctx.artifact({ artifactId: `a-${n}`, parts: `artifact ${n}` });
      await wait(300);
    }
    return 'done';
  },
});

/** Webhooks of tasks that show something all the time, told over real HTTP from one process. */
export async function pushes(quick: boolean): Promise<Section> {
  const webhooks = quick ? 100 : 1_000;
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-pushes-'));
  const receiver = new Worker(new URL('./receiver.ts', import.meta.url));
  const [port] = (await once(receiver, 'message')) as [number];
  const embedded = openEmbedded({ folder, log: { write: () => undefined } });
  const outgoing = createOutgoingHttp({
    clock: systemClock,
    requestBytes: embedded.ports.settings.outgoingRequest,
    allowPrivate: true,
  });
  const app = composeApp(
    { ...embedded.ports, ...alone, outgoing, redactor: markingRedactor },
    publish([agent], 'bench'),
    { idempotency: 'off', installation: { answer: 'metadata', audit: 'metadata' } },
  );
  embedded.queue.start((wakeUp) => handleWakeUp(app, wakeUp));
  try {
    const tasks = await asked(app, webhooks / OF_ONE_TASK, port);
    await embedded.queue.idle();
    const before = process.memoryUsage();
    progress(`${number(webhooks)} webhooks wait`);
    const counts = async (): Promise<Counts> => {
      receiver.postMessage('counts');
      const [found] = (await once(receiver, 'message')) as [Counts];
      return found;
    };
    const began = performance.now();
    let highest = before.rss;
    for (const taskId of tasks) await say(app, 'go', taskId);
    for (let ended = 0; ended < webhooks; ) {
      await wait(100);
      highest = Math.max(highest, process.memoryUsage().rss);
      ({ ended } = await counts());
    }
    const seconds = (performance.now() - began) / 1_000;
    const { got, outOfOrder, repeated } = await counts();
    const megabytes = (bytes: number): string => number(bytes / 2 ** 20);
    return {
      title: 'Webhooks',
      about: `${number(tasks.length)} tasks show ${EVENTS} artifacts each, ${short(0.3)} s apart, and each tells ${OF_ONE_TASK} webhooks: ${number(webhooks)} in all, on loopback over plain http, each notification over a connection of its own; receiver in a thread of the same process, SQLite on the disk (Holdfast alone). An event that came before an earlier one of its task counts as out of order.`,
      table: {
        head: ['', 'found'],
        rows: [
          ['notifications', number(got)],
          ['seconds', short(seconds)],
          ['notifications a second', number(got / seconds)],
          ['out of order', number(outOfOrder)],
          ['told twice', number(repeated)],
          ['resident before', `${megabytes(before.rss)} MB`],
          ['resident, highest', `${megabytes(highest)} MB`],
        ],
      },
      targets: [
        {
          what: 'the order of each webhook is kept',
          met: outOfOrder === 0,
          found: number(outOfOrder),
        },
      ],
    };
  } finally {
    await embedded.close();
    await receiver.terminate();
    rmSync(folder, { recursive: true, force: true });
  }
}

const principal = { agent: agent.name, tenant: '', owner: '', authenticated: false };

async function say(app: App, text: string, taskId?: string): Promise<string> {
  const message = { messageId: app.ids.uuid(), role: 'user' as const, parts: [{ text }] };
  const sent = await createTaskService(app).send(principal, {
    message,
    ...(taskId !== undefined && { taskId }),
  });
  if (sent.kind !== 'accepted') throw new Error(sent.kind);
  return sent.taskId;
}

/** Tasks that have asked, each with its webhooks. */
async function asked(app: App, count: number, port: number): Promise<readonly string[]> {
  const service = createTaskService(app);
  const tasks: string[] = [];
  for (let task = 0; task < count; task += 1) {
    const taskId = await say(app, 'ask');
    const state = async () => {
      const found = await service.get(principal, taskId, 0);
      return isRefused(found) ? found.code : found.status.state;
    };
    while ((await state()) !== 'INPUT_REQUIRED') await wait(5);
    for (let n = 0; n < OF_ONE_TASK; n += 1) {
      const url = `http://127.0.0.1:${port}/${n}`;
      const made = await service.createWebhook(principal, taskId, { url, version: '1.0' });
      if (isRefused(made)) throw new Error(made.message);
    }
    tasks.push(taskId);
  }
  return tasks;
}
