import { z } from 'zod';
import type { Run } from '../../domain/run.ts';
import type { Webhook, WebhookTarget } from '../../domain/webhook.ts';
import { Unreadable } from '../../ports/faults.ts';
import type { App } from '../app.ts';
import { Subkeys } from '../subkeys.ts';
import { type WebhookDoc, webhookDoc } from '../records/webhook-document.ts';
import { type SealingKey, runKeyOf, whoseOf } from './sealing-key.ts';
import { seal, unseal } from './sealing.ts';

/**
 * The key of a run's webhooks, and what its row holds of it: sealed with the run key, as the work
 * key is, so that a new run key only has to reseal it, and a purge destroys every URL and secret
 * with the one field. It outlives the run's end: what was shown last must still be told.
 */
export interface WebhookKey {
  readonly key: SealingKey;
  /** The key sealed with the run key, for the row. */
  readonly sealed: Uint8Array;
}

const KEY_BYTES = 32;
const BINDING = ['webhook key'] as const;

/** The row's, or a fresh one for a run that has none yet. Throws Unreadable. */
export function webhookKeyUnder(app: App, run: Run, runKey: SealingKey): WebhookKey {
  const sealed = run.webhooks?.key;
  if (sealed !== undefined) return { key: under(run, unseal(runKey, BINDING, sealed)), sealed };
  const plain = app.ids.bytes(KEY_BYTES);
  const fresh = seal(runKey, BINDING, app.ids.bytes(12), plain);
  return { key: under(run, plain), sealed: fresh };
}

const under = (run: Run, plain: Uint8Array): SealingKey => ({
  ...whoseOf(run),
  keys: new Subkeys(plain),
  scrubbedRevision: 0,
});

/** The webhooks of a run under its new key. One that can't be opened any more stays as it is. */
export function resealWebhookKey(
  app: App,
  { webhooks }: Run,
  before: SealingKey,
  after: SealingKey,
): Pick<Run, 'webhooks'> {
  if (webhooks === undefined) return {};
  try {
    const plain = unseal(before, BINDING, webhooks.key);
    return { webhooks: { ...webhooks, key: seal(after, BINDING, app.ids.bytes(12), plain) } };
  } catch (error) {
    if (error instanceof Unreadable) return {};
    throw error;
  }
}

const target = z.object({
  url: z.string(),
  token: z.string().exactOptional(),
  authentication: z
    .object({ scheme: z.string(), credentials: z.string().exactOptional() })
    .exactOptional(),
  extensions: z.array(z.string()).exactOptional(),
});

type Place = Pick<Webhook, 'taskId' | 'id' | 'version' | 'createdAt'>;

const bindingOf = ({ createdAt, id, taskId, version }: Place) =>
  ['webhook', webhookDoc(taskId, id).path, version, createdAt] as const;

/** Seals a target for its document and no other. */
export function sealTarget(
  app: App,
  { key }: WebhookKey,
  place: Place,
  given: WebhookTarget,
): Uint8Array {
  const plain = Buffer.from(JSON.stringify(given));
  return seal(key, bindingOf(place), app.ids.bytes(12), plain);
}

/** Throws Unreadable, KeyMissing, Unavailable. */
export async function targetOf(
  app: App,
  run: Run,
  { content, webhook }: WebhookDoc,
): Promise<WebhookTarget> {
  const { key } = webhookKeyUnder(app, run, await runKeyOf(app, run));
  const plain = unseal(key, bindingOf(webhook), content);
  const parsed = target.safeParse(JSON.parse(Buffer.from(plain).toString('utf8')));
  if (!parsed.success) throw new Unreadable('the target of a webhook', parsed.error);
  return parsed.data;
}
