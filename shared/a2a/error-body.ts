import { A2AError } from '@a2a-js/sdk/errors';
import { ERRORS } from './error-table.ts';
import type { Failure } from './failure.ts';

const A2A_DOMAIN = 'a2a-protocol.org';
const OWN_DOMAIN = 'holdfast';
const RPC = 'type.googleapis.com/google.rpc.';

export type RpcId = string | number | null;

/** google.rpc details, each with its `@type` (section 9.5, 11.6): always an ErrorInfo of A2A, and ours where it says more. */
function detailsOf(failure: Failure): object[] {
  const { reason, own } = ERRORS[failure.code];
  const metadata = failure.metadata === undefined ? {} : { metadata: failure.metadata };
  const info = { '@type': `${RPC}ErrorInfo`, reason, domain: A2A_DOMAIN, ...metadata };
  const details: object[] = [info];
  if (own !== undefined) details.push({ ...info, reason: own, domain: OWN_DOMAIN });
  if (failure.violations !== undefined) {
    details.push({ '@type': `${RPC}BadRequest`, fieldViolations: failure.violations });
  }
  if (failure.retryAfter !== undefined) {
    details.push({ '@type': `${RPC}RetryInfo`, retryDelay: `${failure.retryAfter}s` });
  }
  return details;
}

export function rpcErrorBody(failure: Failure, id: RpcId): object {
  const error = { code: ERRORS[failure.code].rpc, message: failure.message };
  return { jsonrpc: '2.0', id, error: { ...error, data: detailsOf(failure) } };
}

export function restErrorBody(failure: Failure): object {
  const { http, status } = ERRORS[failure.code];
  const error = { code: http, status, message: failure.message, details: detailsOf(failure) };
  return { error };
}

/** v0.3 has JSON-RPC's error object on HTTP+JSON too, as the SDK's 0.3 server sends it. */
export function legacyRestErrorBody(failure: Failure): object {
  return {
    code: ERRORS[failure.code].rpc,
    message: failure.message,
    data: detailsOf(failure),
  };
}

/** The same failure in the SDK's terms, for the SDK's own transports. */
export function sdkErrorOf(failure: Failure): Error {
  const { sdk: SdkError = A2AError } = ERRORS[failure.code];
  return new SdkError({ message: failure.message });
}
