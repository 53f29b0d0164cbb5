import type { JsonObject } from '../domain/json.ts';
import { ERRORS } from './error-table.ts';
import type { Failure } from './failure.ts';

const A2A_DOMAIN = 'a2a-protocol.org';
const OWN_DOMAIN = 'holdfast';
const RPC = 'type.googleapis.com/google.rpc.';

/**
 * google.rpc details, each with its `@type` (section 9.5, 11.6): always an ErrorInfo of A2A, and
 * ours where it says more.
 */
export function errorDetails(failure: Failure): JsonObject[] {
  const { reason, own } = ERRORS[failure.code];
  const metadata = failure.metadata === undefined ? {} : { metadata: failure.metadata };
  const info = { '@type': `${RPC}ErrorInfo`, reason, domain: A2A_DOMAIN, ...metadata };
  const details: JsonObject[] = [info];
  if (own !== undefined) details.push({ ...info, reason: own, domain: OWN_DOMAIN });
  if (failure.violations !== undefined) {
    details.push({
      '@type': `${RPC}BadRequest`,
      fieldViolations: failure.violations.map((each) => ({ ...each })),
    });
  }
  if (failure.retryAfter !== undefined) {
    details.push({ '@type': `${RPC}RetryInfo`, retryDelay: `${failure.retryAfter}s` });
  }
  return details;
}

export function restErrorBody(failure: Failure): object {
  const { http, status } = ERRORS[failure.code];
  const error = { code: http, status, message: failure.message, details: errorDetails(failure) };
  return { error };
}

/** Names of A2A's errors, by which the clients of v0.3 that exist tell them apart on HTTP+JSON. */
const NAMES: Readonly<Record<number, string>> = {
  [-32_001]: 'TaskNotFoundError',
  [-32_002]: 'TaskNotCancelableError',
  [-32_003]: 'PushNotificationNotSupportedError',
  [-32_004]: 'UnsupportedOperationError',
  [-32_005]: 'ContentTypeNotSupportedError',
  [-32_600]: 'InvalidRequestError',
  [-32_601]: 'MethodNotFoundError',
  [-32_602]: 'InvalidParamsError',
  [-32_700]: 'JSONParseError',
};

/**
 * v0.3 has JSON-RPC's error object on HTTP+JSON too. Its text says no more, and its SDKs read more:
 * Python's looks for the name of the error in `type`, Java's for that of its class in `error`.
 */
export function legacyRestErrorBody(failure: Failure): object {
  const code = ERRORS[failure.code].rpc;
  const type = NAMES[code] ?? 'InternalError';
  const { message } = failure;
  return { code, message, data: errorDetails(failure), type, error: `io.a2a.spec.${type}` };
}
