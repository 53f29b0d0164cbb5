import { describe, expect, test } from 'vitest';
import { Unavailable } from '../../ports/faults.ts';
import { faultOf, isConflict } from './outcome.ts';

const grpc = (code: number, message = ''): Error => Object.assign(new Error(message), { code });

describe('what an error of Firestore means', () => {
  test.each([
    [5, 'NOT_FOUND'],
    [6, 'ALREADY_EXISTS'],
    [9, 'FAILED_PRECONDITION'],
    [10, 'ABORTED'],
  ])('%i %s of a commit is a conflict', (code) => {
    expect(isConflict(grpc(code, 'No document to update'))).toBe(true);
  });

  test('a database that does not exist is no conflict, or it would be tried again for ever', () => {
    const error = grpc(5, 'The database (default) does not exist for project p');
    expect(isConflict(error)).toBe(false);
    expect(faultOf(error).advice).toBe('wait');
  });

  test('nor is an encryption key that is off: both are waited for', () => {
    const error = grpc(9, 'The customer-managed encryption key is not accessible.');
    expect([isConflict(error), faultOf(error).advice]).toEqual([false, 'wait']);
  });

  test.each([1, 2, 4, 8, 13, 14, 16])('code %i may pass: the caller tries again', (code) => {
    expect(isConflict(grpc(code))).toBe(false);
    expect(faultOf(grpc(code))).toBeInstanceOf(Unavailable);
  });

  // 403 and 404 are statuses of the server that gives tokens, which gRPC hands on as codes.
  test.each([5, 7, 9, 403, 404])('code %i of a read is waited for', (code) => {
    expect(faultOf(grpc(code)).advice).toBe('wait');
  });

  test.each([429, 500, 503])('status %i of the server that gives tokens may pass', (code) => {
    expect(faultOf(grpc(code))).toBeInstanceOf(Unavailable);
  });

  test.each([3, 11, 12, 15])('code %i of a read is a bug, for a person', (code) => {
    expect(faultOf(grpc(code)).advice).toBe('stop');
  });

  test.each(['ECONNRESET', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_SOCKET'])(
    '%s, on the way to the service or to the server that gives tokens, may pass',
    (code) => {
      const error = Object.assign(new Error('request failed'), { code });
      expect(faultOf(error)).toBeInstanceOf(Unavailable);
      expect(faultOf(new TypeError('fetch failed', { cause: error }))).toBeInstanceOf(Unavailable);
    },
  );

  test('credentials that are not at hand are waited for', () => {
    const words = 'Could not load the default credentials. Browse to https://cloud.google.com/docs';
    expect(faultOf(new Error(words)).advice).toBe('wait');
  });

  test.each([
    new Error('Value for argument "value" is not a valid Firestore document.'),
    new TypeError('undefined is not a function'),
    Object.assign(new TypeError('wrong'), { code: 'ERR_INVALID_ARG_TYPE' }),
  ])('what the client library says of the call is a bug, for a person: %s', (error) => {
    expect(faultOf(error).advice).toBe('stop');
  });
});
