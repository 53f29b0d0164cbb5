import { isRefused, type RefusalCode, type Refused } from '../domain/refusal.ts';
import { failureOfFault, type HttpCode, type HttpFailure } from '../http/refused-request.ts';

/**
 * Everything that can end a request: what the application refuses, and what only the edge can see.
 */
export type FailureCode =
  | RefusalCode
  | HttpCode
  | 'INVALID_REQUEST'
  | 'METHOD_NOT_FOUND'
  | 'ROUTE_NOT_FOUND'
  | 'HTTP_METHOD_NOT_ALLOWED'
  | 'UNAUTHENTICATED'
  | 'PERMISSION_DENIED'
  | 'HOST_REFUSED'
  | 'ORIGIN_REFUSED'
  | 'QUOTA_EXCEEDED'
  | 'IDENTITY_UNAVAILABLE'
  | 'ENCODING_UNKNOWN'
  | 'DEADLINE_EXCEEDED'
  | 'STREAM_OVER';

/** A google.rpc.BadRequest.FieldViolation. */
export interface Violation {
  readonly field: string;
  readonly description: string;
}

/**
 * A failed request before it takes the shape of a binding. Nothing in it is internal: all of it may
 * be shown.
 */
export interface Failure extends HttpFailure<FailureCode> {
  readonly violations?: readonly Violation[];
  readonly metadata?: Readonly<Record<string, string>>;
}

/** Carries a failure up to the place that answers the request. */
export class EdgeError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure, cause?: unknown) {
    super(failure.message, cause === undefined ? undefined : { cause });
    this.name = 'EdgeError';
    this.failure = failure;
  }
}

export function fail(code: FailureCode, message: string, more: Partial<Failure> = {}): EdgeError {
  return new EdgeError({ ...more, code, message });
}

export function invalidParams(violations: readonly Violation[]): EdgeError {
  const [first] = violations;
  const others = violations.length > 1 ? ` (and ${violations.length - 1} more)` : '';
  const text =
    first === undefined ? 'Invalid parameters.' : `${first.field}: ${first.description}${others}`;
  return fail('INVALID_PARAMS', text, { violations });
}

export function ofRefusal(refusal: Refused): EdgeError {
  const { code, message, field, metadata, retryAfter } = refusal;
  return fail(code, message, {
    ...(metadata === undefined ? {} : { metadata }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...(field === undefined ? {} : { violations: [{ field, description: message }] }),
  });
}

/** The failure of whatever was thrown. */
export function failureOf(thrown: unknown): Failure {
  return thrown instanceof EdgeError ? thrown.failure : failureOfFault(thrown);
}

/** The answer, or the refusal thrown up to where the request is answered. */
export function taken<T extends object>(answer: T | Refused): T {
  if (isRefused(answer)) throw ofRefusal(answer);
  return answer;
}
