import type { ServerResponse } from 'node:http';
import { isPassing } from '../ports/faults.ts';

/**
 * What any HTTP edge ends a request with, whatever was asked of it. Each edge has its own shape and
 * statuses for these.
 */
export type HttpCode =
  | 'PARSE_ERROR'
  | 'TOO_DEEP'
  | 'TOO_MANY_VALUES'
  | 'BODY_TOO_LARGE'
  | 'MEDIA_TYPE_REFUSED'
  | 'EXPECTATION_FAILED'
  | 'UNAVAILABLE'
  | 'INTERNAL';

/**
 * A failed request before it takes the shape of an edge. Nothing in it is internal: all of it may
 * be shown.
 */
export interface HttpFailure<Code extends string = HttpCode> {
  readonly code: Code;
  readonly message: string;
  /** Seconds. */
  readonly retryAfter?: number;
  /** Value of `WWW-Authenticate`. */
  readonly challenge?: string;
  /** Value of `Allow`. */
  readonly allow?: string;
  /** The rest of the request is not read, so the connection ends with the answer. */
  readonly close?: boolean;
}

/** Carries a failure up to the place that answers the request. */
export class RefusedRequest extends Error {
  readonly failure: HttpFailure;

  constructor(failure: HttpFailure) {
    super(failure.message);
    this.name = 'RefusedRequest';
    this.failure = failure;
  }
}

/**
 * The failure behind an exception. Text of a foreign error never goes out: it may hold anything.
 */
export function failureOfFault(thrown: unknown): HttpFailure {
  if (thrown instanceof RefusedRequest) return thrown.failure;
  if (!isPassing(thrown)) {
    return { code: 'INTERNAL', message: 'The server failed to process the request.' };
  }
  return {
    code: 'UNAVAILABLE',
    message: 'The service is unavailable for a moment; try again.',
    retryAfter: thrown.advice === 'wait' ? 30 : 1,
  };
}

export function setFailureHeaders(res: ServerResponse, failure: HttpFailure<string>): void {
  const { allow, challenge, retryAfter } = failure;
  if (retryAfter !== undefined) res.setHeader('Retry-After', retryAfter);
  if (challenge !== undefined) res.setHeader('WWW-Authenticate', challenge);
  if (allow !== undefined) res.setHeader('Allow', allow);
}
