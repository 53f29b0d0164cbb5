import type { Millis } from '../../domain/brand.ts';
import type { App } from '../app.ts';
import { AUDIT, auditCodec, auditDoc, auditFrom } from '../records/audit-document.ts';
import { tolerantCodec } from '../records/unreadable.ts';

const HOUR: Millis = 3_600_000;
/** Of each hour: sweeps come more often than that, and most of them need not look. */
const LOOKS: Millis = 120_000;
const BATCH = 100;

/** Removes entries of the audit record that are older than they are kept. Answers how many. */
export async function endAudit({ clock, settings, store }: App): Promise<number> {
  const now = clock.now();
  const { auditRetention } = settings;
  if (auditRetention === 0 || now % HOUR >= LOOKS) return 0;
  const query = {
    collection: AUDIT,
    codec: tolerantCodec(auditCodec),
    filters: [],
    order: undefined,
    to: { value: auditFrom(now - auditRetention), inclusive: false },
    limit: BATCH,
  };
  for (let removed = 0; ; ) {
    const page = await store.page(query);
    if (page.length > 0)
      await store.transact(async (tx) => {
        for (const { id } of page) tx.delete(auditDoc(id));
      });
    removed += page.length;
    if (page.length < BATCH) return removed;
  }
}
