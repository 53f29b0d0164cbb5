import { isEnded, type Run, waitsForPerson } from '../../domain/run.ts';
import { revision } from '../../domain/ids.ts';
import type { WakeUp } from '../../ports/queue.ts';
import type { App } from '../app.ts';
import { changeRun } from '../change/change-run.ts';
import { runDoc, viewDoc } from '../records/documents.ts';
import { webhookDoc } from '../records/webhook-document.ts';
import { deliverWebhook } from './deliver-webhook.ts';

/**
 * What the queue `pushes` asks for: one webhook has something to be told, or a task has shown
 * something. Those of one task are told beside each other: one that takes its time keeps no other
 * waiting.
 */
export async function tellWebhooks(app: App, { taskId, webhook }: WakeUp): Promise<void> {
  if (webhook !== undefined) return deliverWebhook(app, { taskId, id: webhook });
  const run = await app.store.get(runDoc(taskId));
  const ids = run?.webhooks?.ids ?? [];
  const outcomes = await Promise.allSettled(ids.map((id) => deliverWebhook(app, { taskId, id })));
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  await noteTold(app, taskId);
}

/**
 * The run learns that each of its webhooks was told, or says in its own row when it will be. While
 * a run is under way that waits, as the note of its projection does (decision 0005): its next show
 * asks again.
 */
async function noteTold(app: App, taskId: string): Promise<void> {
  const run = await app.store.get(runDoc(taskId));
  if (run === undefined || !owesNote(run) || isUnderWay(app, run)) return;
  const { projectedRevision } = run;
  if (!(await areTold(app, run))) return;
  await changeRun(app, taskId, {
    decide(current) {
      const { webhooks } = current;
      if (webhooks === undefined || webhooks.told >= projectedRevision) return undefined;
      return { ...current, webhooks: { ...webhooks, told: revision(projectedRevision) } };
    },
  });
}

const owesNote = ({ projectedRevision, webhooks }: Run): boolean =>
  webhooks !== undefined && webhooks.told < projectedRevision;

/** Its next show is not far. */
function isUnderWay(app: App, run: Run): boolean {
  const rests = isEnded(run) || waitsForPerson(run) || run.status === 'waiting_for_dependency';
  return !rests && app.clock.now() < run.statusAt + app.settings.sweepGrace;
}

async function areTold(app: App, { taskId, webhooks }: Run): Promise<boolean> {
  const ids = webhooks?.ids ?? [];
  const docs = await app.store.getAll(ids.map((id) => webhookDoc(taskId, id)));
  // After the rows: an event that was shown since is beyond them.
  const lastSeq = (await app.store.get(viewDoc(taskId)))?.lastSeq ?? 0;
  return docs.every(
    (doc) => doc === undefined || doc.webhook.status !== 'idle' || doc.webhook.cursor >= lastSeq,
  );
}
