import type { Millis } from '../../domain/brand.ts';
import { sha256 } from '../../domain/digest.ts';
import type { Principal } from '../../domain/ids.ts';
import { canonicalJson, type JsonObject } from '../../domain/json.ts';
import { invalid, type Refused } from '../../domain/refusal.ts';
import { mapParts, partToJson } from '../../domain/stored-content.ts';
import type { App } from '../app.ts';
import { type ReceiptDoc, SCHEMA_VERSION } from './documents.ts';
import { shardOf } from './run-document.ts';
import type { Accepted, SendRequest } from '../service.ts';

/** G22 applies to this caller. */
export function isRecognised(app: App, principal: Principal): boolean {
  return (
    app.idempotency === 'always' || (app.idempotency === 'authenticated' && principal.authenticated)
  );
}

/** What makes two messages the same: everything that the client wrote, but not how it wants to be answered. */
export function digestOf(request: SendRequest): string {
  const message = mapParts(request.message, partToJson) as unknown as JsonObject;
  return sha256(
    canonicalJson({ message, taskId: request.taskId ?? '', contextId: request.contextId ?? '' }),
  );
}

/** The answer to a message that was taken before: the same task, or a refusal when the body is another one. */
export function acceptedBefore(receipt: ReceiptDoc, digest: string): Accepted | Refused {
  if (receipt.digest !== digest) {
    return invalid(
      'message.messageId',
      'was used within the last 24 hours for a message with another body',
    );
  }
  return {
    kind: 'accepted',
    taskId: receipt.taskId as Accepted['taskId'],
    contextId: receipt.contextId as Accepted['contextId'],
    revision: receipt.revision,
  };
}

/** What is kept of a message that was taken. */
export function receiptOf(accepted: Accepted, digest: string, expiresAt: Millis): ReceiptDoc {
  const { taskId, contextId, revision: at } = accepted;
  return {
    v: SCHEMA_VERSION,
    digest,
    taskId,
    contextId,
    revision: at,
    shard: shardOf(taskId),
    expiresAt,
  };
}
