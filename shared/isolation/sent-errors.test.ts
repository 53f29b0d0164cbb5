import { deserialize, serialize } from 'node:v8';
import { expect, test } from 'vitest';
import { errorFacts } from '../app/error-facts.ts';
import { isPassing, Unavailable } from '../ports/faults.ts';
import { type SentError, SentErrors } from './sent-errors.ts';

const cross = (sent: SentError): SentError => deserialize(serialize(sent)) as SentError;

/** The two ends of a way between processes. */
function ends() {
  const there = new SentErrors();
  const here = new SentErrors();
  return {
    there: (error: unknown) => there.take(cross(here.send(error))),
    back: (error: unknown) => here.take(cross(there.send(error))),
  };
}

test('an error keeps its class, words, stack, causes, codes and status', () => {
  const cause = Object.assign(new TypeError('fetch failed'), { code: 'ECONNREFUSED' });
  const error = Object.assign(new RangeError('no', { cause }), { response: { status: 429 } });
  const came = ends().there(error);
  expect(came).toMatchObject({
    name: 'RangeError',
    message: 'no',
    stack: error.stack,
    cause: { name: 'TypeError', code: 'ECONNREFUSED' },
  });
  expect(errorFacts(came)).toMatchObject({ fault: 'RangeError (ECONNREFUSED)', status: 429 });
});

test('a fault of our own is known as one that may pass', () => {
  expect(isPassing(ends().there(new Unavailable('the store')))).toBe(true);
});

test('an error that comes back is the object that it was, also as a cause', () => {
  const { back, there } = ends();
  const error = new Unavailable('the store');
  const came = there(error);
  expect(back(came)).toBe(error);
  expect(back(new Error('wrapped', { cause: came }))).toHaveProperty('cause', error);
  expect(there(error)).toBe(came);
});

test.each([
  ['a text', 'a text'],
  [{ code: 7 }, { code: 7 }],
  [() => 7, 'function'],
])('what is thrown and no error crosses as far as it can (%j)', (thrown, came) => {
  expect(ends().there(thrown)).toEqual(came);
});

test('an error whose getters throw crosses all the same', () => {
  const error = Object.defineProperty(new Error('x'), 'message', {
    get: () => {
      throw new Error('no');
    },
  });
  expect(ends().there(error)).toMatchObject({ name: 'Error', message: '' });
});
