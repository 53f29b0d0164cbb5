import { type WebhookDoc, webhookCodec } from '../../../shared/app/records/webhook-document.ts';
import type { World } from '../world.ts';
import type { Tale } from './tale.ts';

const webhooksOf = ({ backend }: World): readonly WebhookDoc[] =>
  backend.all('webhooks').map(({ fields, path }) => webhookCodec.decode(fields, path));

/** Nothing is left to tell, as far as the rows of webhooks know. */
export const webhooksRest = (world: World): boolean =>
  webhooksOf(world).every(({ webhook }) => webhook.status === 'idle');

/**
 * A webhook that came with the message was told every event of its task's journal: at least once,
 * and for the first time in the order of the journal (G24).
 */
export function webhookIsToldEverything(tale: Tale, world: World): string | undefined {
  const { taskId } = tale.run;
  const found = webhooksOf(world).find(({ webhook }) => webhook.taskId === taskId);
  if (found === undefined) return undefined;
  const lastSeq = tale.events.length;
  const told = [...new Set(world.hooks.told.get(taskId) ?? [])];
  const all = Array.from({ length: lastSeq }, (_, at) => at + 1);
  if (told.join() === all.join() && found.webhook.cursor === lastSeq) return undefined;
  return `${taskId} told ${told.join()} of ${lastSeq} events, and its cursor is ${found.webhook.cursor}`;
}
