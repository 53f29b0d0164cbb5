import { compositeKey } from '../../domain/digest.ts';
import type { App } from '../app.ts';
import { apiKeyCodec, type ApiKeyDoc, apiKeyDoc } from '../records/api-key-document.ts';
import { tolerantCodec } from '../records/unreadable.ts';

/** Rows that one call looks at. */
const LOOKED = 5;

const readableCodec = tolerantCodec(apiKeyCodec);

/**
 * Removes API keys that were revoked, or ran out, longer ago than the setting `revokedRetention`
 * says: a row has the name of its holder. It looks at a few rows from a place on that each moment
 * has of its own, so the sweeps come by all rows in time. Answers how many were removed.
 */
export async function removeOldApiKeys({
  clock,
  settings,
  store,
}: Pick<App, 'clock' | 'settings' | 'store'>): Promise<number> {
  const now = clock.now();
  const isOld = (key: ApiKeyDoc | undefined): boolean =>
    key !== undefined && now - endOf(key) >= settings.revokedRetention;
  const page = await store.page({
    collection: 'apiKeys',
    codec: readableCodec,
    filters: [],
    order: undefined,
    from: { value: compositeKey('old', String(now)).slice(0, 16), inclusive: true },
    limit: LOOKED,
  });
  const found = page.filter(({ value }) => isOld(value)).map(({ id }) => apiKeyDoc(id));
  if (found.length === 0) return 0;
  return store.transact(async (tx) => {
    const keys = await tx.getAll(found);
    const left = found.filter((_, at) => isOld(keys[at]));
    for (const key of left) tx.delete(key);
    return left.length;
  });
}

/** Since when it lets no one in. */
function endOf({ expiresAt, revokedAt }: ApiKeyDoc): number {
  const never = Number.POSITIVE_INFINITY;
  return Math.min(expiresAt ?? never, revokedAt ?? never);
}
