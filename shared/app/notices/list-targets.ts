import type { Millis } from '../../domain/brand.ts';
import { type Delivery, unparked } from '../../domain/delivery.ts';
import type { NoticeTarget } from '../../domain/notice.ts';
import type { App } from '../app.ts';
import { prepareAudit } from '../content/audit-record.ts';
import { noticesAfter, targetDoc } from '../records/notice-documents.ts';
import { handOver } from './hand-over-notices.ts';

/** The count goes no further than this. */
const COUNTED = 1_000;

/** A target as it is configured, and how far it was told. */
export interface ShownTarget {
  readonly target: NoticeTarget;
  readonly delivery: Delivery;
  /** Matters that were found for it and not told yet; 1,000 at most are counted. */
  readonly left: number;
  readonly toldAt?: Millis;
}

/** Every target of the configuration, in its order. */
export function noticeTargets(app: App): Promise<readonly ShownTarget[]> {
  const targets = app.notices?.targets ?? [];
  return Promise.all(targets.map((target) => shownOf(app, target)));
}

async function shownOf(app: App, target: NoticeTarget): Promise<ShownTarget> {
  const row = await app.store.get(targetDoc(target.name));
  if (row === undefined) return { target, delivery: { status: 'idle' }, left: 0 };
  const { cursor, delivery, toldAt } = row;
  const left = await app.store.count(noticesAfter(target.name, cursor, COUNTED));
  return { target, delivery, left, ...(toldAt !== undefined && { toldAt }) };
}

/**
 * Has a parked target told again, with as many attempts as at first: what came up meanwhile and
 * still waits, too. Undefined: there is no such target.
 */
export async function redeliverNotices(
  app: App,
  name: string,
  operator: string,
): Promise<ShownTarget | 'not parked' | undefined> {
  const target = app.notices?.targets.find((each) => each.name === name);
  if (target === undefined) return undefined;
  const at = targetDoc(target.name);
  const write = await prepareAudit(app, { act: 'redeliver', operator, subject: name });
  const again = await app.store.transact(async (tx) => {
    const row = await tx.get(at);
    const delivery = row && unparked(row.delivery, app.clock.now());
    // Its own commit, whose answer was lost, has left it waiting without a failure.
    if (row !== undefined && delivery === undefined)
      return tx.attempt > 1 && row.delivery.status === 'waiting' && row.delivery.failures === 0;
    if (row !== undefined && delivery !== undefined) {
      tx.set(at, { ...row, delivery });
      write(tx, {});
    }
    return delivery !== undefined;
  });
  if (!again) return 'not parked';
  app.log.write('info', 'notice target is told again', { target: name });
  await handOver(app, name);
  return shownOf(app, target);
}
