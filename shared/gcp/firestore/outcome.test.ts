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
    expect(faultOf(error).advice).toBe('stop');
  });

  test.each([1, 2, 4, 8, 13, 14, 16])('code %i may pass: the caller tries again', (code) => {
    expect(isConflict(grpc(code))).toBe(false);
    expect(faultOf(grpc(code))).toBeInstanceOf(Unavailable);
  });

  test.each([3, 7, 9, 11, 12, 15])('code %i of a read is for a person', (code) => {
    expect(faultOf(grpc(code)).advice).toBe('stop');
  });
});
