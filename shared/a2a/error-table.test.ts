import {
  ContentTypeNotSupportedError,
  ExtensionSupportRequiredError,
  PushNotificationNotSupportedError,
  RequestMalformedError,
  restStatusFor,
  TaskNotCancelableError,
  TaskNotFoundError,
  toJsonRpcError,
  toRestErrorBody,
  UnsupportedOperationError,
  VersionNotSupportedError,
} from '@a2a-js/sdk/errors';
import { expect, test } from 'vitest';
import { errorDetails, restErrorBody } from './error-body.ts';
import { ERRORS } from './error-table.ts';
import type { FailureCode } from './failure.ts';

const codes = Object.keys(ERRORS) as FailureCode[];
const SDK: Readonly<Record<string, new (options: { message: string }) => Error>> = {
  INVALID_PARAMS: RequestMalformedError,
  TASK_NOT_FOUND: TaskNotFoundError,
  TASK_NOT_CANCELABLE: TaskNotCancelableError,
  PUSH_NOTIFICATION_NOT_SUPPORTED: PushNotificationNotSupportedError,
  UNSUPPORTED_OPERATION: UnsupportedOperationError,
  CONTENT_TYPE_NOT_SUPPORTED: ContentTypeNotSupportedError,
  EXTENSION_SUPPORT_REQUIRED: ExtensionSupportRequiredError,
  VERSION_NOT_SUPPORTED: VersionNotSupportedError,
};
// The SDK has one error for a part's media type, with the status of that; what the transport itself
// says of a type (RFC 9110 section 15.5.16) or of an encoding (gRPC's Compression) it does not
// have.
const OF_TRANSPORTS: readonly FailureCode[] = ['MEDIA_TYPE_REFUSED', 'ENCODING_UNKNOWN'];
const known = codes.flatMap((code) => {
  const SdkError = OF_TRANSPORTS.includes(code) ? undefined : SDK[ERRORS[code].reason];
  return SdkError === undefined ? [] : [{ code, SdkError }];
});

test('every A2A error of the SDK is in the table', () => {
  expect(new Set(known.map(({ SdkError }) => SdkError))).toEqual(new Set(Object.values(SDK)));
});

test.each(known)('$code has the codes, status and reason of the SDK', ({ code, SdkError }) => {
  const failure = { code, message: 'what is wrong' };
  const error = new SdkError(failure);
  const { data = [], ...envelope } = toJsonRpcError(error);
  expect({ code: ERRORS[code].rpc, message: failure.message }).toEqual(envelope);
  expect(errorDetails(failure)).toEqual([data[0], ...ownInfo(code)]);
  const http = restStatusFor(error);
  const theirs = toRestErrorBody(error, http).error;
  expect(restErrorBody(failure)).toEqual({
    error: { ...theirs, details: [...theirs.details, ...ownInfo(code)] },
  });
});

function ownInfo(code: FailureCode): object[] {
  const { own } = ERRORS[code];
  const type = 'type.googleapis.com/google.rpc.ErrorInfo';
  return own === undefined ? [] : [{ '@type': type, reason: own, domain: 'holdfast' }];
}

test.each(codes)('%s has one HTTP status class for each kind of JSON-RPC code', (code) => {
  const { rpc, http } = ERRORS[code];
  expect(http >= 500).toBe(rpc === -32603);
});
