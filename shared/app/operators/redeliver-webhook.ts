import { redelivered } from '../../domain/webhook.ts';
import type { App } from '../app.ts';
import { changeRun } from '../change/change-run.ts';
import { webhookDoc } from '../records/webhook-document.ts';
import { wakeUpFor } from '../webhooks/wake-up-for.ts';
import { notAllowed, type OperatorRefused } from './operator-refusal.ts';
import type { Operator } from './operator-rights.ts';
import { partsOfName } from './parked-webhooks.ts';
import { runFor } from './seen-run.ts';

export interface Redelivered {
  readonly kind: 'redelivered';
  readonly taskId: string;
  readonly id: string;
}

/**
 * Has a parked webhook told from where it stopped, with as many attempts as at first. Who did that
 * is noted in the same commit.
 */
export async function redeliverWebhook(
  app: App,
  operator: Operator,
  name: string,
): Promise<Redelivered | OperatorRefused> {
  const { id, taskId } = partsOfName(name);
  const seen = await runFor(app, operator.rights, taskId, 'send');
  if ('kind' in seen) return seen.code === 'RUN_NOT_FOUND' ? unknownWebhook() : seen;
  const { run } = seen;
  if (run.webhooks?.ids.includes(id) !== true) return unknownWebhook();
  const at = webhookDoc(run.taskId, id);
  const outcome = await changeRun(app, run, {
    act: { kind: 'redeliver', operator: operator.subject },
    read: async (tx) => ({ found: await tx.get(at) }),
    decide: (current, now, { found }) =>
      found && redelivered(found.webhook, now) ? current : undefined,
    write(tx, _next, { found }) {
      const webhook = found && redelivered(found.webhook, app.clock.now());
      if (webhook !== undefined && found !== undefined) tx.set(at, { ...found, webhook });
    },
  });
  if (outcome.kind === 'unchanged')
    return notAllowed(
      'WEBHOOK_NOT_PARKED',
      'this webhook is not parked: it is told as it should be',
    );
  app.log.write('info', 'webhook is told again', { task: run.taskId, webhook: id });
  await wakeUpFor(app, run, id);
  return { kind: 'redelivered', taskId: run.taskId, id };
}

const unknownWebhook = (): OperatorRefused => notAllowed('WEBHOOK_NOT_FOUND', 'webhook not found');
