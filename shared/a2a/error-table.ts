import type { FailureCode } from './failure.ts';

interface ErrorRow {
  /** A2A 1.0.1 section 5.4, and JSON-RPC 2.0 section 5.1. */
  readonly rpc: number;
  readonly http: number;
  /** Canonical google.rpc code name. */
  readonly status: string;
  /** ErrorInfo.reason in the domain of A2A. */
  readonly reason: string;
  /** A second ErrorInfo in our own domain, where A2A's reason is too broad to act on. */
  readonly own?: string;
  /** JSON-RPC errors travel on 200, except what HTTP itself must be told. */
  readonly rpcHttp?: number;
}

const invalid = {
  rpc: -32602,
  http: 400,
  status: 'INVALID_ARGUMENT',
  reason: 'INVALID_PARAMS',
} as const;
const unsupported = {
  rpc: -32004,
  http: 400,
  status: 'FAILED_PRECONDITION',
  reason: 'UNSUPPORTED_OPERATION',
} as const;
const contentType = {
  rpc: -32005,
  http: 400,
  status: 'INVALID_ARGUMENT',
  reason: 'CONTENT_TYPE_NOT_SUPPORTED',
} as const;
const internal = { rpc: -32603, http: 500, status: 'INTERNAL', reason: 'INTERNAL_ERROR' } as const;
// JSON-RPC leaves -32000 to servers, and A2A starts at -32001.
const access = (http: number, status: string) =>
  ({ rpc: -32000, http, rpcHttp: http, status, reason: status }) as const;
const unknown = {
  rpc: -32601,
  http: 404,
  status: 'UNIMPLEMENTED',
  reason: 'METHOD_NOT_FOUND',
} as const;

/** The one table from a failure to the wire; no other file holds a status number. */
export const ERRORS: Readonly<Record<FailureCode, ErrorRow>> = {
  INVALID_PARAMS: invalid,
  TASK_NOT_FOUND: {
    rpc: -32001,
    http: 404,
    status: 'NOT_FOUND',
    reason: 'TASK_NOT_FOUND',
  },
  TASK_NOT_CANCELABLE: {
    rpc: -32002,
    http: 400,
    status: 'FAILED_PRECONDITION',
    reason: 'TASK_NOT_CANCELABLE',
  },
  PUSH_NOT_SUPPORTED: {
    rpc: -32003,
    http: 400,
    status: 'FAILED_PRECONDITION',
    reason: 'PUSH_NOTIFICATION_NOT_SUPPORTED',
  },
  TASK_TERMINAL: { ...unsupported, own: 'TASK_TERMINAL' },
  TASK_TOO_LARGE: { ...unsupported, own: 'TASK_TOO_LARGE' },
  TASK_BUSY: { ...unsupported, own: 'TASK_BUSY' },
  DECISION_REQUIRED: { ...unsupported, own: 'DECISION_REQUIRED' },
  DECISION_NOT_ALLOWED: { ...access(403, 'PERMISSION_DENIED'), own: 'DECISION_NOT_ALLOWED' },
  DECISION_MISMATCH: { ...invalid, own: 'DECISION_MISMATCH' },
  PAUSE_OVER: { ...unsupported, own: 'PAUSE_OVER' },
  EVENTS_NOT_YET: { ...unsupported, own: 'EVENTS_NOT_YET' },
  // As drafted for A2A 1.1; only who asks for the draft meets it.
  GENERATION_MISMATCH: {
    rpc: -32010,
    http: 409,
    status: 'ABORTED',
    reason: 'TASK_GENERATION_MISMATCH',
  },
  CONTEXT_BUSY: { ...unsupported, own: 'CONTEXT_BUSY' },
  RESULT_NOT_STORABLE: { ...unsupported, own: 'RESULT_NOT_STORABLE' },
  EXTENDED_CARD_NOT_SUPPORTED: unsupported,
  CONTENT_TYPE_NOT_SUPPORTED: contentType,
  // The request's own Content-Type is HTTP's business; section 5.4's 400 is for the media type of a
  // part.
  MEDIA_TYPE_REFUSED: { ...contentType, http: 415 },
  EXTENSION_REQUIRED: {
    rpc: -32008,
    http: 400,
    status: 'FAILED_PRECONDITION',
    reason: 'EXTENSION_SUPPORT_REQUIRED',
  },
  VERSION_NOT_SUPPORTED: {
    rpc: -32009,
    http: 400,
    status: 'FAILED_PRECONDITION',
    reason: 'VERSION_NOT_SUPPORTED',
  },
  PARSE_ERROR: {
    rpc: -32700,
    http: 400,
    status: 'INVALID_ARGUMENT',
    reason: 'PARSE_ERROR',
  },
  INVALID_REQUEST: {
    rpc: -32600,
    http: 400,
    status: 'INVALID_ARGUMENT',
    reason: 'INVALID_REQUEST',
  },
  TOO_DEEP: {
    rpc: -32600,
    http: 400,
    status: 'INVALID_ARGUMENT',
    reason: 'INVALID_REQUEST',
  },
  TOO_MANY_VALUES: {
    rpc: -32600,
    http: 400,
    status: 'INVALID_ARGUMENT',
    reason: 'INVALID_REQUEST',
    own: 'TOO_MANY_VALUES',
  },
  METHOD_NOT_FOUND: unknown,
  ROUTE_NOT_FOUND: { ...unknown, status: 'NOT_FOUND', rpcHttp: 404, own: 'ROUTE_NOT_FOUND' },
  HTTP_METHOD_NOT_ALLOWED: { ...unknown, http: 405, rpcHttp: 405, own: 'HTTP_METHOD_NOT_ALLOWED' },
  BODY_TOO_LARGE: {
    rpc: -32600,
    http: 413,
    rpcHttp: 413,
    status: 'INVALID_ARGUMENT',
    reason: 'INVALID_REQUEST',
    own: 'BODY_TOO_LARGE',
  },
  EXPECTATION_FAILED: {
    rpc: -32600,
    http: 417,
    rpcHttp: 417,
    status: 'INVALID_ARGUMENT',
    reason: 'INVALID_REQUEST',
    own: 'EXPECTATION_FAILED',
  },
  UNAUTHENTICATED: access(401, 'UNAUTHENTICATED'),
  PERMISSION_DENIED: access(403, 'PERMISSION_DENIED'),
  ORIGIN_REFUSED: { ...access(403, 'PERMISSION_DENIED'), own: 'ORIGIN_REFUSED' },
  HOST_REFUSED: { ...access(421, 'PERMISSION_DENIED'), own: 'HOST_REFUSED' },
  QUOTA_EXCEEDED: access(429, 'RESOURCE_EXHAUSTED'),
  // Nothing is known of the caller, so no call was made: HTTP says so on both bindings.
  IDENTITY_UNAVAILABLE: {
    ...internal,
    http: 503,
    rpcHttp: 503,
    status: 'UNAVAILABLE',
    own: 'IDENTITY_UNAVAILABLE',
  },
  // These three come over gRPC alone.
  ENCODING_UNKNOWN: { ...contentType, http: 415, status: 'UNIMPLEMENTED', own: 'ENCODING_UNKNOWN' },
  DEADLINE_EXCEEDED: { ...internal, http: 504, status: 'DEADLINE_EXCEEDED' },
  STREAM_OVER: { ...internal, http: 503, status: 'UNAVAILABLE', own: 'STREAM_OVER' },
  UNAVAILABLE: { ...internal, http: 503, status: 'UNAVAILABLE', own: 'UNAVAILABLE' },
  INTERNAL: internal,
};
