import type { AuditAct, AuditEntry, NewAudit } from '../../domain/audit.ts';
import type { Millis } from '../../domain/brand.ts';
import type { Run } from '../../domain/run.ts';
import { KeyMissing, Unreadable } from '../../ports/faults.ts';
import type { Transaction } from '../../ports/store.ts';
import type { App } from '../app.ts';
import { INSTALLATION } from '../key-ring.ts';
import {
  type AuditDoc,
  auditDoc,
  auditFrom,
  type AuditKeyDoc,
  auditKeyDoc,
} from '../records/audit-document.ts';
import { isNotReadable, undefinedIfUnreadable } from '../records/unreadable.ts';
import { SCHEMA_VERSION } from '../records/documents.ts';
import type { Subkeys } from '../subkeys.ts';
import type { SealingKey } from './sealing-key.ts';
import { seal, unseal } from './sealing.ts';

type Writes = Pick<Transaction, 'create'>;
export type AuditApp = Pick<App, 'clock' | 'ids' | 'keys' | 'store'>;

/** Writes one entry in the transaction that does what it notes. */
export type WriteAudit = (
  tx: Writes,
  about: Pick<NewAudit, 'subject' | 'outcome'> & {
    readonly run?: Pick<Run, 'taskId' | 'agent'>;
    readonly agent?: string;
  },
) => void;

/**
 * Makes an entry ready before its transaction. One for all tries of a commit: it is one entry,
 * however often its body runs. Where the key of the record is not at hand the entry has no name:
 * what helps after a key is lost must not fail for that. Throws Unavailable.
 */
export async function prepareAudit(
  app: AuditApp,
  { act, operator, ...told }: NewAudit,
): Promise<WriteAudit> {
  const key = await keyAtHand(app);
  const token = app.ids.token();
  return (tx, { agent, run, ...more }) => {
    const at = app.clock.now();
    const id = `${auditFrom(at)}-${token}`;
    const { outcome = null, subject = null } = { ...told, ...more };
    const clear = {
      v: SCHEMA_VERSION,
      at,
      act,
      taskId: run?.taskId ?? null,
      agent: run?.agent ?? agent ?? null,
      subject,
      outcome,
    } as const;
    const nonce = app.ids.bytes(12);
    const sealed = key && seal(key, bindingOf(id, clear), nonce, Buffer.from(operator));
    tx.create(auditDoc(id), { ...clear, operator: sealed ?? new Uint8Array() });
  };
}

/** An act whose transaction is its entry: what it did is done, in many steps or elsewhere. */
export async function recordAct(
  app: AuditApp,
  audit: NewAudit,
  about: Parameters<WriteAudit>[1] = {},
): Promise<void> {
  const write = await prepareAudit(app, audit);
  await app.store.transact(async (tx) => write(tx, about));
}

const HOUR: Millis = 3_600_000;

/**
 * Counts runs that a rule, and no person, did something to: one entry for each hour, whatever the
 * number of runs. It is a commit of its own, after those that did it. The name of a rule is no
 * secret, and not sealed.
 */
export async function countAct(
  app: Pick<App, 'clock' | 'ids' | 'store'>,
  act: AuditAct,
  rule: string,
  runs: number,
): Promise<void> {
  const mark = app.ids.token();
  const now = app.clock.now();
  const at = now - (now % HOUR);
  const doc = auditDoc(`${auditFrom(at)}-${act}-${rule}`);
  await app.store.transact(async (tx) => {
    const { count: before = 0, mark: last } = (await tx.get(doc)) ?? {};
    // Its own commit, whose answer was lost.
    if (last === mark) return;
    const count = before + runs;
    const outcome = `${count} ${count === 1 ? 'run' : 'runs'} within the hour`;
    const none = { taskId: null, agent: null, subject: null, operator: new Uint8Array() } as const;
    tx.set(doc, { v: SCHEMA_VERSION, at, act, ...none, outcome, rule, count, mark });
  });
}

const bindingOf = (id: string, entry: Omit<AuditDoc, 'operator'>) =>
  [
    'audit',
    id,
    entry.at,
    entry.act,
    entry.taskId,
    entry.agent,
    entry.subject,
    entry.outcome,
  ] as const;

/** An entry as it may be shown. `key` undefined: the names can't be read. */
export function auditEntry(key: SealingKey | undefined, id: string, doc: AuditDoc): AuditEntry {
  const { act, agent, at, outcome, rule, subject, taskId } = doc;
  const operator = rule ?? (key && nameIn(key, id, doc));
  return {
    id,
    at,
    act,
    ...(operator !== undefined && { operator }),
    ...(taskId !== null && { taskId }),
    ...(agent !== null && { agent }),
    ...(subject !== null && { subject }),
    ...(outcome !== null && { outcome }),
  };
}

function nameIn(key: SealingKey, id: string, doc: AuditDoc): string | undefined {
  try {
    return Buffer.from(unseal(key, bindingOf(id, doc), doc.operator)).toString('utf8');
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

/** To read by. Undefined: nothing was noted yet, or its key is destroyed. */
export async function auditKeyToRead(
  app: Pick<App, 'keys' | 'store'>,
): Promise<SealingKey | undefined> {
  const present = await app.store.get(auditKeyDoc);
  try {
    const keys = present && (await opened(app, present));
    return keys && keyWith(keys);
  } catch (error) {
    if (isNotReadable(error)) return undefined;
    throw error;
  }
}

async function keyAtHand(app: AuditApp): Promise<SealingKey | undefined> {
  try {
    return await auditKeyOf(app);
  } catch (error) {
    if (error instanceof KeyMissing) return undefined;
    throw error;
  }
}

/**
 * The key of the audit record, which is made with its first entry. One that was destroyed is
 * replaced: the names that it sealed can't be read any more.
 */
async function auditKeyOf(app: AuditApp): Promise<SealingKey> {
  const present = await app.store.get(auditKeyDoc);
  const known = present && (await opened(app, present));
  if (known !== undefined) return keyWith(known);
  const { wrapped } = await app.keys.create(INSTALLATION);
  const { wrappedKey } = await app.store.transact(async (tx) => {
    const current = await tx.get(auditKeyDoc);
    if (current !== undefined && !isSame(current, present)) return current;
    const made = { v: SCHEMA_VERSION, wrappedKey: wrapped } as const;
    tx.set(auditKeyDoc, made);
    return made;
  });
  return keyWith(await app.keys.unwrap(INSTALLATION, wrappedKey));
}

const opened = (
  app: Pick<App, 'keys'>,
  { wrappedKey }: AuditKeyDoc,
): Promise<Subkeys | undefined> =>
  undefinedIfUnreadable(() => app.keys.unwrap(INSTALLATION, wrappedKey));

const isSame = (a: AuditKeyDoc, b: AuditKeyDoc | undefined): boolean =>
  b !== undefined && Buffer.compare(a.wrappedKey, b.wrappedKey) === 0;

const keyWith = (keys: Subkeys): SealingKey => ({
  taskId: INSTALLATION,
  contextId: '',
  scope: '',
  agent: '',
  keys,
  scrubbedRevision: 0,
});
