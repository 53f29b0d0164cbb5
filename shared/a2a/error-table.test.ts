import { restStatusFor, toJsonRpcError, toRestErrorBody } from '@a2a-js/sdk/errors';
import { expect, test } from 'vitest';
import { restErrorBody, rpcErrorBody, sdkErrorOf } from './error-body.ts';
import { ERRORS } from './error-table.ts';
import type { FailureCode } from './failure.ts';

const codes = Object.keys(ERRORS) as FailureCode[];
// The SDK has one error for both, with the status of the other.
const known = codes.filter(
  (code) => ERRORS[code].sdk !== undefined && code !== 'MEDIA_TYPE_REFUSED',
);

test.each(known)('%s has the codes, status and reason that the SDK gives its error', (code) => {
  const failure = { code, message: 'what is wrong' };
  const error = sdkErrorOf(failure);
  const ours = rpcErrorBody(failure, 1);
  const { data = [], ...envelope } = toJsonRpcError(error);
  expect(ours).toMatchObject({ error: { ...envelope, data: [data[0], ...ownInfo(code)] } });
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
