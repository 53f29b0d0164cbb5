import { z } from 'zod';
import type { Millis } from '../../domain/brand.ts';
import { type Delivery, deliveryDueAt } from '../../domain/delivery.ts';
import { compositeKey } from '../../domain/digest.ts';
import { type Matter, NOTICE_KINDS, type NoticeKind } from '../../domain/notice.ts';
import type { ClaimToken } from '../../domain/run.ts';
import type { Fields } from '../../ports/backend.ts';
import { Unreadable } from '../../ports/faults.ts';
import type { Codec, Doc, Query } from '../../ports/store.ts';
import { codec, SCHEMA_VERSION } from './documents.ts';

const targetRow = z.object({
  v: z.literal(SCHEMA_VERSION),
  name: z.string(),
  status: z.enum(['idle', 'delivering', 'waiting', 'parked']),
  claimToken: z.string().default(''),
  dueAt: z.number().nullable(),
  parkedAt: z.number().nullable(),
  failures: z.number().default(0),
  reason: z.string().default(''),
  seq: z.number(),
  cursor: z.number(),
  looked: z.record(z.string(), z.number()),
  toldAt: z.number().optional(),
});

/** How far a target of notices was told, and how far was looked for what to tell it. */
export interface TargetDoc {
  readonly name: string;
  readonly delivery: Delivery;
  /** The number of the newest matter that was found for it. */
  readonly seq: number;
  /** Up to this number all was told, or was over before it could be. */
  readonly cursor: number;
  /** For each look at the rows of runs, up to when it has seen everything. */
  readonly looked: Readonly<Record<string, Millis>>;
  readonly toldAt?: Millis;
}

const targetCodec: Codec<TargetDoc> = {
  encode({ cursor, delivery, looked, name, seq, toldAt }): Fields {
    return {
      v: SCHEMA_VERSION,
      name,
      status: delivery.status,
      ...(delivery.status !== 'idle' && { failures: delivery.failures }),
      ...('reason' in delivery && { reason: delivery.reason }),
      ...(delivery.status === 'delivering' && { claimToken: delivery.claim.token }),
      dueAt: deliveryDueAt(delivery),
      parkedAt: delivery.status === 'parked' ? delivery.parkedAt : null,
      seq,
      cursor,
      looked: { ...looked },
      ...(toldAt !== undefined && { toldAt }),
    };
  },
  decode(fields, path): TargetDoc {
    const parsed = targetRow.safeParse(fields);
    if (!parsed.success) throw new Unreadable(`document ${path}`, parsed.error);
    const { cursor, looked, name, seq, toldAt } = parsed.data;
    const delivery = deliveryOf(parsed.data);
    return { name, delivery, seq, cursor, looked, ...(toldAt !== undefined && { toldAt }) };
  },
};

function deliveryOf({
  claimToken,
  dueAt,
  failures,
  parkedAt,
  reason,
  status,
}: z.output<typeof targetRow>): Delivery {
  switch (status) {
    case 'idle':
      return { status };
    case 'delivering':
      return { status, failures, claim: { token: claimToken as ClaimToken, until: dueAt ?? 0 } };
    case 'waiting':
      return { status, nextAt: dueAt ?? 0, failures, reason };
    case 'parked':
      return { status, parkedAt: parkedAt ?? 0, failures, reason };
  }
}

/** Names of targets are words of the configuration that are fit for a path. */
export const targetDoc = (name: string): Doc<TargetDoc> => ({
  path: `noticeTargets/${name}`,
  codec: targetCodec,
});

const noticeSchema = z.object({
  v: z.literal(SCHEMA_VERSION),
  seq: z.number(),
  taskId: z.string(),
  kind: z.enum(NOTICE_KINDS),
  mark: z.string(),
  foundAt: z.number(),
  /** Told, and not found again since, it may be removed. */
  expiresAt: z.number(),
});
/** One matter that a target is told, once: its row is what the next look finds it by. */
export type NoticeDoc = z.infer<typeof noticeSchema>;
const noticeCodec = codec<NoticeDoc>(noticeSchema);

/** The same for the same matter, so that it is told once, and a receiver knows a repeat by it. */
export const noticeId = (
  target: string,
  taskId: string,
  { kind, mark }: Pick<Matter, 'mark'> & { readonly kind: NoticeKind },
): string => compositeKey('notice', target, taskId, kind, mark);

export const noticeDoc = (target: string, id: string): Doc<NoticeDoc> => ({
  path: `noticeTargets/${target}/notices/${id}`,
  codec: noticeCodec,
});

/** What was found for a target behind that number, in the order in which it is told. */
export const noticesAfter = (target: string, seq: number, limit: number): Query<NoticeDoc> => ({
  collection: `noticeTargets/${target}/notices`,
  codec: noticeCodec,
  filters: [],
  order: { field: 'seq', direction: 'asc' },
  from: { value: seq, inclusive: false },
  limit,
});

export const noticesExpired = (target: string, now: Millis, limit: number): Query<NoticeDoc> => ({
  collection: `noticeTargets/${target}/notices`,
  codec: noticeCodec,
  filters: [],
  order: { field: 'expiresAt', direction: 'asc' },
  to: { value: now, inclusive: true },
  limit,
});
