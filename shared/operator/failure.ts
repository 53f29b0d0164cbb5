import type { OperatorRefused } from '../app/operators/operator-refusal.ts';
import type { Refused } from '../domain/refusal.ts';
import { failureOfFault, type HttpFailure } from '../http/refused-request.ts';
import { isFault } from '../ports/faults.ts';
import { ERRORS, type ErrorCode } from './error-table.ts';

/** A failed request. Nothing in it is internal: all of it may be shown. */
export interface Failure extends HttpFailure<ErrorCode> {
  readonly field?: string;
}

/** Carries a failure up to the place that answers the request. */
export class OperatorError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.name = 'OperatorError';
    this.failure = failure;
  }
}

export function fail(
  code: ErrorCode,
  message: string = ERRORS[code].meaning,
  more: Pick<Failure, 'field' | 'allow'> = {},
): OperatorError {
  return new OperatorError({ code, message, ...more });
}

/** The answer, or the refusal thrown as what the client gets. */
export function taken<T>(
  answer: T | Refused | OperatorRefused,
): Exclude<T, Refused | OperatorRefused> {
  if (!isRefusal(answer)) return answer as Exclude<T, Refused | OperatorRefused>;
  const { code, field, message } = answer;
  if (!isListed(code)) throw fail('INVALID_PARAMS', message);
  throw fail(code, message, field === undefined ? {} : { field });
}

function isRefusal(value: unknown): value is Refused | OperatorRefused {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'refused';
}

function isListed(code: string): code is ErrorCode {
  return code in ERRORS;
}

export function failureOf(thrown: unknown): Failure {
  if (thrown instanceof OperatorError) return thrown.failure;
  // Whichever list it was given to.
  if (isFault(thrown) && thrown.name === 'BadCursor')
    return fail('INVALID_PARAMS', 'cursor: is not one of this list', { field: 'cursor' }).failure;
  return failureOfFault(thrown);
}
