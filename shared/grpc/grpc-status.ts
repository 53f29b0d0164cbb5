import { errorDetails } from '../a2a/error-body.ts';
import { ERRORS } from '../a2a/error-table.ts';
import type { Failure } from '../a2a/failure.ts';
import { encode } from './codec.ts';

/** google.rpc.Code by the names that the error table uses. */
const CODES: Readonly<Record<string, number>> = {
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  UNAUTHENTICATED: 16,
};

export type Trailers = Readonly<Record<string, string>>;

export const OK: Trailers = { 'grpc-status': '0' };

/**
 * The status that ends a call (A2A section 10.6): code, words and details are as elsewhere. A2A's
 * own ErrorInfo is the last: Go's client takes the last one, whatever its domain, and others look
 * for A2A's (docs/interop.md).
 */
export function statusOf(failure: Failure): Trailers {
  const { challenge, message } = failure;
  const [ofA2A, ...others] = errorDetails(failure);
  const code = CODES[ERRORS[failure.code].status] ?? CODES['INTERNAL'] ?? 0;
  const details = encode('google.rpc.Status', {
    code,
    message,
    details: [...others, ...(ofA2A === undefined ? [] : [ofA2A])],
  });
  return {
    'grpc-status': String(code),
    'grpc-message': percentEncoded(message),
    'grpc-status-details-bin': Buffer.from(details).toString('base64'),
    ...(challenge !== undefined && { 'www-authenticate': challenge }),
  };
}

/** gRPC over HTTP/2, Percent-Encoded. */
function percentEncoded(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\x20-\x24\x26-\x7e]+/g, (unsafe) =>
      [...Buffer.from(unsafe)]
        .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
        .join(''),
    );
}
