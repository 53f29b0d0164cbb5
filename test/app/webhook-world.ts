import { defineAgent } from '../../shared/agent/index.ts';
import { isRefused } from '../../shared/domain/refusal.ts';
import type { NewWebhook, ShownWebhook } from '../../shared/app/service.ts';
import { webhookDoc, type WebhookDoc } from '../../shared/app/records/webhook-document.ts';
import { sweep } from '../../shared/app/worker/sweep.ts';
import { MemoryWebhooks } from '../doubles/memory-webhooks.ts';
import { World, type WorldOptions } from './world.ts';

export const URL = 'https://hooks.example/a';
export const HOOK: NewWebhook = { url: URL, version: '1.0' };

/** Asks once, shows an artifact, and ends; "quick" ends at once. */
export const talker = defineAgent({
  name: 'talker',
  description: 'Asks once.',
  async run(ctx) {
    if (ctx.text === 'ask') ctx.ask('What?');
    await ctx.artifact({ name: 'words', parts: ctx.text });
    return 'done';
  },
});

export interface WebhookWorld {
  readonly world: World;
  readonly webhooks: MemoryWebhooks;
}

export function webhookWorld(options: WorldOptions = {}): WebhookWorld {
  const webhooks = new MemoryWebhooks();
  return { webhooks, world: new World(talker, { outgoing: webhooks, ...options }) };
}

export async function created(
  world: World,
  taskId: string,
  webhook: NewWebhook = HOOK,
): Promise<ShownWebhook> {
  const made = await world.service.createWebhook(world.principal, taskId, webhook);
  if (isRefused(made)) throw new Error(made.message);
  return made;
}

export async function rowOf(world: World, taskId: string, id: string): Promise<WebhookDoc> {
  const doc = await world.app.store.get(webhookDoc(taskId, id));
  if (doc === undefined) throw new Error('no such webhook');
  return doc;
}

/** Time passes as it does where a sweeper runs. */
export async function passes(world: World, span: number, step = 10_000): Promise<void> {
  for (let left = span; left > 0; left -= step) {
    await world.clock.advance(Math.min(left, step));
    await world.work();
    await sweep(world.app);
    await world.work();
  }
}
