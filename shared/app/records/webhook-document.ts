import { z } from 'zod';
import { compositeKey } from '../../domain/digest.ts';
import type { ClaimToken } from '../../domain/run.ts';
import { type Webhook, webhookDueAt } from '../../domain/webhook.ts';
import type { Fields } from '../../ports/backend.ts';
import { Unreadable } from '../../ports/faults.ts';
import type { Codec, Doc } from '../../ports/store.ts';
import { bytes, SCHEMA_VERSION } from './documents.ts';
import { tolerantCodec } from './unreadable.ts';

const row = z.object({
  v: z.literal(SCHEMA_VERSION),
  taskId: z.string(),
  id: z.string(),
  version: z.enum(['1.0', '0.3']),
  shard: z.number(),
  createdAt: z.number(),
  cursor: z.number(),
  status: z.enum(['idle', 'delivering', 'waiting', 'parked']),
  failures: z.number().default(0),
  reason: z.string().default(''),
  claimToken: z.string().default(''),
  dueAt: z.number().nullable(),
  parkedAt: z.number().nullable(),
  /** URL, token and credentials, sealed. */
  content: bytes,
});

/** Where the events of one task go, how far that is, and what it is told by. */
export interface WebhookDoc {
  readonly webhook: Webhook;
  readonly content: Uint8Array;
}

/** Flat, with what the sweeper's and the operators' index need beside it. */
export const webhookCodec: Codec<WebhookDoc> = {
  encode({ content, webhook }): Fields {
    const { cursor, createdAt, id, shard, status, taskId, version } = webhook;
    return {
      v: SCHEMA_VERSION,
      taskId,
      id,
      version,
      shard,
      createdAt,
      cursor,
      status,
      ...(webhook.status !== 'idle' && { failures: webhook.failures }),
      ...('reason' in webhook && { reason: webhook.reason }),
      ...(webhook.status === 'delivering' && { claimToken: webhook.claim.token }),
      dueAt: webhookDueAt(webhook),
      parkedAt: webhook.status === 'parked' ? webhook.parkedAt : null,
      content,
    };
  },
  decode(fields, path): WebhookDoc {
    const parsed = row.safeParse(fields);
    if (!parsed.success) throw new Unreadable(`document ${path}`, parsed.error);
    return { webhook: webhookOf(parsed.data), content: parsed.data.content };
  },
};

function webhookOf(stored: z.output<typeof row>): Webhook {
  const { cursor, createdAt, dueAt, failures, id, reason, shard, taskId, version } = stored;
  const frame = { taskId, id, version, shard, createdAt, cursor };
  const at = dueAt ?? 0;
  switch (stored.status) {
    case 'idle':
      return { ...frame, status: 'idle' };
    case 'delivering': {
      const claim = { token: stored.claimToken as ClaimToken, until: at };
      return { ...frame, status: 'delivering', claim, failures };
    }
    case 'waiting':
      return { ...frame, status: 'waiting', nextAt: at, failures, reason };
    case 'parked':
      return { ...frame, status: 'parked', parkedAt: stored.parkedAt ?? 0, failures, reason };
  }
}

/** For walks over many. */
export const readableWebhookCodec = tolerantCodec(webhookCodec);

/** Its id may be the caller's, so it is no part of a path (G21). */
export const webhookDoc = (taskId: string, id: string): Doc<WebhookDoc> => ({
  path: `webhooks/${compositeKey('webhook', taskId, id)}`,
  codec: webhookCodec,
});
