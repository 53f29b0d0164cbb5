// https://grpc.io/docs/guides/status-codes/
const CANCELLED = 1;
const UNKNOWN = 2;
export const DEADLINE_EXCEEDED = 4;
export const NOT_FOUND = 5;
export const ALREADY_EXISTS = 6;
const RESOURCE_EXHAUSTED = 8;
export const FAILED_PRECONDITION = 9;
export const ABORTED = 10;
const INTERNAL = 13;
const UNAVAILABLE = 14;
const UNAUTHENTICATED = 16;

/**
 * The outcome is unknown, or a later try may succeed. UNAUTHENTICATED is a token that expired on
 * the way.
 */
const PASSING: ReadonlySet<number> = new Set([
  CANCELLED,
  UNKNOWN,
  DEADLINE_EXCEEDED,
  RESOURCE_EXHAUSTED,
  ABORTED,
  INTERNAL,
  UNAVAILABLE,
  UNAUTHENTICATED,
]);

/**
 * It is the call that is wrong, whatever the state of the service: INVALID_ARGUMENT, OUT_OF_RANGE,
 * UNIMPLEMENTED, DATA_LOSS.
 */
const WRONG: ReadonlySet<number> = new Set([3, 11, 12, 15]);

/** HTTP statuses that pass; 401 is a token that expired on the way. */
export function isPassingStatus(status: number): boolean {
  return status >= 500 || status === 401 || status === 408 || status === 429;
}

/**
 * Of a call that failed: whether it may be tried again at once, or is refused until something
 * outside changes, or is wrong. A code above 16 is the HTTP status of the server that gives tokens,
 * which gRPC hands on.
 */
function verdictOf(code: number): 'passing' | 'refused' | 'wrong' {
  if (code > UNAUTHENTICATED ? isPassingStatus(code) : PASSING.has(code)) return 'passing';
  return WRONG.has(code) ? 'wrong' : 'refused';
}

/**
 * Without a code of gRPC an error is not the service's: of the network, which has Node's code in
 * words; of the credentials, which an instance whose metadata server does not answer lacks for a
 * while; or the client library's, about the call.
 */
export function verdictOn(error: unknown): 'passing' | 'refused' | 'wrong' {
  const code = grpcCodeOf(error);
  if (code !== undefined) return verdictOf(code);
  if (isOfNetwork(error)) return 'passing';
  return error instanceof Error && NO_CREDENTIALS.test(error.message) ? 'refused' : 'wrong';
}

const NO_CREDENTIALS = /default credentials|detect a Project Id/i;

/** Node's code is its own, or that of its cause. What it says of arguments is no network's. */
export function isOfNetwork(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && typeof error.code === 'string')
    return !/^ERR_(?:INVALID|OUT_OF_RANGE|MISSING)/.test(error.code);
  return error.cause !== undefined && isOfNetwork(error.cause);
}

export function grpcCodeOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'number' ? error.code : undefined;
}
