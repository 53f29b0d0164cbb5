/**
 * Why a request is refused. One table says what each becomes on the wire
 * (shared/a2a/error-table.ts).
 */
export type RefusalCode =
  /** A parameter is missing or wrong; `field` names it. */
  | 'INVALID_PARAMS'
  /** Unknown, purged, or another caller's: one answer for all three (G23). */
  | 'TASK_NOT_FOUND'
  | 'TASK_NOT_CANCELABLE'
  /** The task is terminal: it takes no message and no subscription. */
  | 'TASK_TERMINAL'
  /** One answer can't carry it; a stream can, piece by piece. */
  | 'TASK_TOO_LARGE'
  /** The task is at work on an earlier message. */
  | 'TASK_BUSY'
  /** The task waits for an approval, and a plain message is not one (G18). */
  | 'DECISION_REQUIRED'
  /** This decider may not decide that, now. */
  | 'DECISION_NOT_ALLOWED'
  /** Made for another turn than the one that is held. */
  | 'DECISION_MISMATCH'
  /**
   * No pause waits for this decision any more: it came second, or was made for an earlier pause.
   */
  | 'PAUSE_OVER'
  /** Events can't be delivered before every function reads them. */
  | 'EVENTS_NOT_YET'
  /** The task has moved on since its sender saw it. */
  | 'GENERATION_MISMATCH'
  /** Another task of the context is not terminal (G19). */
  | 'CONTEXT_BUSY'
  /** The publication's ceiling can't keep a result (G6). */
  | 'RESULT_NOT_STORABLE'
  /** The caller has or sends as much as one owner may; `metadata.limit` names the limit. */
  | 'QUOTA_EXCEEDED'
  | 'PUSH_NOT_SUPPORTED'
  | 'CONTENT_TYPE_NOT_SUPPORTED'
  | 'EXTENDED_CARD_NOT_SUPPORTED'
  | 'EXTENSION_REQUIRED'
  | 'VERSION_NOT_SUPPORTED';

export interface Refused {
  readonly kind: 'refused';
  readonly code: RefusalCode;
  /** For the caller: what is wrong and what would be right. No internals. */
  readonly message: string;
  /** Path of the parameter at fault: `message.parts[0]`. */
  readonly field?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  /** Seconds until another try makes sense. */
  readonly retryAfter?: number;
}

export function refused(
  code: RefusalCode,
  message: string,
  more: Pick<Refused, 'field' | 'metadata' | 'retryAfter'> = {},
): Refused {
  return { kind: 'refused', code, message, ...more };
}

export function invalid(field: string, message: string): Refused {
  return refused('INVALID_PARAMS', `${field}: ${message}`, { field });
}

export function isRefused(value: unknown): value is Refused {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'refused';
}
