import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ClaimToken } from './run.ts';
import {
  advance,
  claimWebhook,
  failed,
  holds,
  redelivered,
  rest,
  wait,
  type Webhook,
  webhookDueAt,
} from './webhook.ts';

const mine = 'mine' as ClaimToken;
const other = 'other' as ClaimToken;
const NOW = 1_000_000;

const frame = fc.record({
  taskId: fc.constant('task'),
  id: fc.constant('a'),
  version: fc.constantFrom('1.0' as const, '0.3' as const),
  shard: fc.nat(7),
  createdAt: fc.nat(NOW),
  cursor: fc.nat(100),
});
const failures = fc.nat(9);
const reason = fc.constantFrom('timeout', 'http 500');
const around = fc.integer({ min: NOW - 1_000, max: NOW + 1_000 });

/** Any webhook, around now. */
const anyWebhook: fc.Arbitrary<Webhook> = fc.oneof(
  frame.map((of) => rest({ ...of, status: 'idle' })),
  fc.tuple(frame, around, failures).map(([of, until, count]) => ({
    ...of,
    status: 'delivering' as const,
    claim: { token: other, until },
    failures: count,
  })),
  fc
    .tuple(frame, around, failures, reason)
    .map(([of, nextAt, count, why]) =>
      wait({ ...of, status: 'idle' }, { nextAt, failures: count, reason: why }),
    ),
  fc.tuple(frame, failures, reason).map(([of, count, why]) => ({
    ...of,
    status: 'parked' as const,
    parkedAt: NOW,
    failures: count,
    reason: why,
  })),
);

describe('a webhook', () => {
  it('is taken over only if it is not claimed, not early and not given up; its place stays', () => {
    fc.assert(
      fc.property(anyWebhook, (webhook) => {
        const claimed = claimWebhook(webhook, { token: mine, until: NOW + 1 }, NOW);
        const due = webhookDueAt(webhook);
        const free = webhook.status === 'idle' || (due !== null && due <= NOW);
        expect(claimed !== undefined).toBe(free);
        if (claimed === undefined) return;
        expect(holds(claimed, mine)).toBe(true);
        expect(claimed.cursor).toBe(webhook.cursor);
        expect('claim' in webhook && holds(claimed, webhook.claim.token)).toBe(false);
      }),
    );
  });

  it('is moved on, and put off, by its claim alone', () => {
    fc.assert(
      fc.property(anyWebhook, (webhook) => {
        const on = { cursor: webhook.cursor + 1, until: NOW + 1 };
        const off = { now: NOW, reason: 'timeout', pause: () => 10, attempts: 3 };
        expect(advance(webhook, mine, on)).toBeUndefined();
        expect(failed(webhook, mine, off)).toBeUndefined();
        const claimed = claimWebhook(webhook, { token: mine, until: NOW + 1 }, NOW);
        if (claimed === undefined) return;
        expect(advance(claimed, mine, on)).toMatchObject({ cursor: on.cursor, failures: 0 });
        const next = failed(claimed, mine, off);
        expect(next?.cursor).toBe(webhook.cursor);
        expect(next?.status).toBe(claimed.failures + 1 >= 3 ? 'parked' : 'waiting');
      }),
    );
  });

  it('that waits or is claimed is due some time, and every other is not', () => {
    fc.assert(
      fc.property(anyWebhook, (webhook) => {
        const owes = webhook.status === 'waiting' || webhook.status === 'delivering';
        expect(webhookDueAt(webhook) !== null).toBe(owes);
      }),
    );
  });

  it('is told again by an operator only if it is parked, at once and from the beginning', () => {
    fc.assert(
      fc.property(anyWebhook, (webhook) => {
        const again = redelivered(webhook, NOW);
        expect(again !== undefined).toBe(webhook.status === 'parked');
        if (again !== undefined)
          expect(again).toMatchObject({ nextAt: NOW, failures: 0, cursor: webhook.cursor });
      }),
    );
  });
});
