import type { AuditEntry } from '../../domain/audit.ts';
import type { Millis } from '../../domain/brand.ts';
import type { AgentName } from '../../domain/ids.ts';
import type { Cursor, Query } from '../../ports/store.ts';
import type { App } from '../app.ts';
import { auditEntry, auditKeyToRead } from '../content/audit-record.ts';
import { AUDIT, auditCodec, auditFrom, type AuditDoc } from '../records/audit-document.ts';
import { tolerantCodec } from '../records/unreadable.ts';
import { notAllowed, type OperatorRefused } from './operator-refusal.ts';
import type { Rights } from './operator-rights.ts';

/** Rows that one page looks at, at most. */
const LOOKED = 2_000;
const AT_ONCE = 200;

export interface AuditFilter {
  /** Inclusive. */
  readonly since?: Millis;
  /** Exclusive. */
  readonly until?: Millis;
  readonly operator?: string;
  readonly act?: string;
  readonly run?: string;
  readonly cursor?: Cursor;
  /** Entries of a page, at least 1. */
  readonly limit: number;
}

export interface AuditPage {
  readonly kind: 'audit';
  /** Oldest first. */
  readonly entries: readonly AuditEntry[];
  /** Absent on the last page; a page may be short, even empty, and have one. */
  readonly cursor?: Cursor;
}

/**
 * What operators did, oldest first. An operator sees what was done to runs of agents on which they
 * have the right `audit`; what was done to the whole installation who has it on every agent.
 */
export async function listAudit(
  app: App,
  rights: Rights,
  agents: readonly AgentName[],
  { cursor, limit, ...filter }: AuditFilter,
): Promise<AuditPage | OperatorRefused> {
  const may = await Promise.all(agents.map(async (agent) => (await rights(agent)).has('audit')));
  if (!may.includes(true))
    return notAllowed(
      'PERMISSION_DENIED',
      'the audit record needs the right audit: add "audit" to what this operator may (docs/operator.md#rights)',
    );
  const all = !may.includes(false);
  const key = await auditKeyToRead(app);
  const entries: AuditEntry[] = [];
  let after = cursor;
  for (let looked = 0; looked < LOOKED; ) {
    const page = await app.store.page(queryOf(filter), after);
    for (const { cursor: place, id, value } of page) {
      after = place;
      if (value === undefined) {
        app.log.write('error', 'row not readable', { collection: AUDIT, id });
        continue;
      }
      const seen =
        value.agent === null ? all : (await rights(value.agent as AgentName)).has('audit');
      const entry = seen ? auditEntry(key, id, value) : undefined;
      if (entry !== undefined && isMeant(entry, filter)) entries.push(entry);
      if (entries.length === limit) return { kind: 'audit', entries, cursor: place };
    }
    looked += page.length;
    if (page.length < AT_ONCE) return { kind: 'audit', entries };
  }
  return { kind: 'audit', entries, ...(after !== undefined && { cursor: after }) };
}

type Wanted = Omit<AuditFilter, 'cursor' | 'limit'>;

function isMeant({ act, operator }: AuditEntry, wanted: Wanted): boolean {
  if (wanted.act !== undefined && wanted.act !== act) return false;
  return wanted.operator === undefined || wanted.operator === operator;
}

/** By the ids, which begin with their times. */
function queryOf({ run, since, until }: Wanted): Query<AuditDoc | undefined> {
  return {
    collection: AUDIT,
    codec: tolerantCodec(auditCodec),
    filters: run === undefined ? [] : [{ field: 'taskId', equals: run }],
    order: undefined,
    ...(since !== undefined && { from: { value: auditFrom(since), inclusive: true } }),
    ...(until !== undefined && { to: { value: auditFrom(until), inclusive: false } }),
    limit: AT_ONCE,
  };
}
