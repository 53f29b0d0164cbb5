import type { Run } from '../../domain/run.ts';
import { type Principal, scopeOf } from '../../domain/ids.ts';
import { canonicalJson, type JsonObject } from '../../domain/json.ts';
import { invalid, type Refused } from '../../domain/refusal.ts';
import { mapParts, partToJson } from '../../domain/stored-content.ts';
import type { Transaction } from '../../ports/store.ts';
import type { App } from '../app.ts';
import type { Subkeys } from '../subkeys.ts';
import { type ReceiptDoc, receiptDoc, runDoc, SCHEMA_VERSION } from './documents.ts';
import { undefinedIfUnreadable } from './unreadable.ts';
import type { Accepted, SendRequest } from '../service.ts';

/** How one message is recognised when it comes again (G22). */
export interface MessageReceipt {
  /**
   * What an earlier delivery of this message left, and while it counts; undefined for a caller who
   * is not recognised.
   */
  find(from: Pick<Transaction, 'get'>): Promise<ReceiptDoc | undefined>;
  /**
   * The answer to a message that was taken before: the same task, or a refusal when the body is
   * another one.
   */
  answer(receipt: ReceiptDoc): Promise<Accepted | Refused>;
  /**
   * Of the message, by the key of the run that takes it: it can't be guessed without that key, and
   * ends with it.
   */
  digest(runKey: { readonly keys: Subkeys }): string;
  /** In the commit that takes the message. */
  write(tx: Pick<Transaction, 'set'>, run: Run, digest: string): void;
}

export function receiptFor(app: App, principal: Principal, request: SendRequest): MessageReceipt {
  // Of a caller who is not recognised nothing is kept.
  const at = isRecognised(app, principal)
    ? receiptDoc(scopeOf(principal), request.message.messageId)
    : undefined;
  const digest = ({ keys }: { readonly keys: Subkeys }): string =>
    at === undefined ? '' : keys.mac('receipts', sameness(request)).toString('base64url');
  return {
    async find(from) {
      const receipt = at && (await from.get(at));
      return receipt !== undefined && receipt.expiresAt > app.clock.now() ? receipt : undefined;
    },
    digest,
    async answer(receipt) {
      const keys = await keysOf(app, receipt);
      if (keys === undefined || receipt.digest === digest({ keys })) return acceptedAs(receipt);
      const message = 'was used within the last 24 hours for a message with another body';
      return invalid('message.messageId', message);
    },
    write(tx, run, digest) {
      if (at === undefined) return;
      const { taskId, contextId, revision, shard } = run;
      const expiresAt = run.statusAt + app.settings.receiptLife;
      tx.set(at, { v: SCHEMA_VERSION, digest, taskId, contextId, revision, shard, expiresAt });
    },
  };
}

/** The run took the message with its newest revision. */
export function acceptedBy({ taskId, contextId, revision }: Run): Accepted {
  return { kind: 'accepted', taskId, contextId, revision };
}

function acceptedAs({ taskId, contextId, revision }: ReceiptDoc): Accepted {
  return {
    kind: 'accepted',
    taskId: taskId as Accepted['taskId'],
    contextId: contextId as Accepted['contextId'],
    revision,
  };
}

/** Whether repeated messages of this caller are recognised (G22). */
function isRecognised(app: App, principal: Principal): boolean {
  return (
    app.idempotency === 'always' || (app.idempotency === 'authenticated' && principal.authenticated)
  );
}

/**
 * The keys that the receipt's digest was made with; undefined when they are gone, and with them all
 * that could tell another body: the message was taken all the same. Throws KeyMissing, Unavailable.
 */
async function keysOf(app: App, { taskId, revision }: ReceiptDoc): Promise<Subkeys | undefined> {
  const run = await app.store.get(runDoc(taskId));
  if (run === undefined || run.scrubbedRevision >= revision) return undefined;
  return undefinedIfUnreadable(() => app.keys.unwrap(taskId, run.wrappedKey));
}

/**
 * What makes two messages the same: everything that the client wrote, but not how it wants to be
 * answered.
 */
function sameness(request: SendRequest): string {
  const message = mapParts(request.message, partToJson) as unknown as JsonObject;
  const { contextId = '', taskId = '' } = request;
  return canonicalJson({ message, taskId, contextId });
}
