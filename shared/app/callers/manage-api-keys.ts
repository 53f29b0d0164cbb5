import { prepareAudit } from '../content/audit-record.ts';
import type { Millis } from '../../domain/brand.ts';
import { tenantProblem } from '../../domain/tenant.ts';
import { invalid, type Refused } from '../../domain/refusal.ts';
import type { Cursor } from '../../ports/store.ts';
import type { App } from '../app.ts';
import { apiKeyCodec, type ApiKeyDoc, apiKeyDoc } from '../records/api-key-document.ts';
import { SCHEMA_VERSION } from '../records/documents.ts';
import { apiKeyHash, newApiKey } from './api-key-text.ts';

/** What may be shown of a key. */
export type ApiKey = Omit<ApiKeyDoc, 'v' | 'hash'>;

export interface NewApiKey {
  /** Who calls with it: the owner of the tasks that it makes. */
  readonly owner: string;
  readonly tenant: string;
  readonly label: string;
  /** Absent: it holds until it is revoked. */
  readonly life?: Millis;
}

export interface MadeApiKey {
  readonly kind: 'made';
  readonly key: ApiKey;
  /** The key itself, which is kept nowhere. */
  readonly text: string;
}

type Work = Pick<App, 'clock' | 'ids' | 'keys' | 'store'>;

const OWNER = 256;
// As in names of operators: what a person can read and type.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** Makes a key. Its text is in the answer, and nowhere else from then on. */
export async function makeApiKey(
  app: Work,
  wanted: NewApiKey,
  operator: string,
): Promise<MadeApiKey | Refused> {
  const { label, life, owner, tenant } = wanted;
  if (owner.trim() === '' || owner.length > OWNER || UNSEEN.test(owner))
    return invalid('owner', `must be 1 to ${OWNER} characters that can be seen`);
  const problem = tenant === '' ? undefined : tenantProblem(tenant);
  if (problem !== undefined) return invalid('tenant', problem);
  const { id, text } = newApiKey(app.ids);
  const now = app.clock.now();
  const key: ApiKey = {
    id,
    tenant,
    owner,
    label,
    createdAt: now,
    expiresAt: life === undefined ? null : now + life,
    revokedAt: null,
  };
  const note = await prepareAudit(app, { act: 'make-key', operator, subject: id });
  await app.store.transact(async (tx) => {
    const hash = apiKeyHash(text);
    // Another attempt of a commit whose outcome was lost finds its own key.
    if ((await tx.get(apiKeyDoc(id)))?.hash === hash) return;
    tx.create(apiKeyDoc(id), { v: SCHEMA_VERSION, ...key, hash });
    note(tx, {});
  });
  return { kind: 'made', key, text };
}

/** Every key, the revoked ones too, in the order of their ids; 100 at a time. */
export async function listApiKeys(
  app: Work,
  after?: Cursor,
): Promise<{ readonly keys: readonly ApiKey[]; readonly cursor?: Cursor }> {
  const limit = 100;
  const query = { collection: 'apiKeys', codec: apiKeyCodec, filters: [], order: undefined };
  const found = await app.store.page({ ...query, limit }, after);
  const last = found.length < limit ? undefined : found.at(-1)?.cursor;
  return {
    keys: found.map(({ value }) => shown(value)),
    ...(last !== undefined && { cursor: last }),
  };
}

/**
 * Revokes a key: it lets no one in any more, at the latest when the processes that know it have
 * forgotten it (setting `revocationDelay`). A revoked key stays in the list for 30 days (setting
 * `revokedRetention`). Undefined: there is none.
 */
export async function revokeApiKey(
  app: Work,
  id: string,
  operator: string,
): Promise<ApiKey | undefined> {
  if (!/^[0-9a-f]{16}$/.test(id)) return undefined;
  const note = await prepareAudit(app, { act: 'revoke-key', operator, subject: id });
  return app.store.transact(async (tx) => {
    const key = await tx.get(apiKeyDoc(id));
    if (key === undefined || key.revokedAt !== null) return key && shown(key);
    const revoked = { ...key, revokedAt: app.clock.now() };
    tx.set(apiKeyDoc(id), revoked);
    note(tx, {});
    return shown(revoked);
  });
}

function shown({ createdAt, expiresAt, id, label, owner, revokedAt, tenant }: ApiKeyDoc): ApiKey {
  return { id, tenant, owner, label, createdAt, expiresAt, revokedAt };
}
