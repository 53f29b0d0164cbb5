import { expect, it } from 'vitest';
import { type AgentError, withErrors, withoutWords } from './agent-error.ts';

interface Row {
  readonly name: string;
  readonly errors?: readonly AgentError[];
}

const facts = { at: 1, where: 'agent', fault: 'TypeError' };
const thrown = (attempt: number): AgentError => ({
  ...facts,
  attempt,
  words: new Uint8Array([attempt]),
});

it('a row keeps the newest five errors, oldest first', () => {
  const two = withErrors<Row>({ name: 'row' }, [thrown(1), thrown(2)]);
  expect(two).toEqual({ name: 'row', errors: [thrown(1), thrown(2)] });
  expect(withErrors(two, [3, 4, 5, 6].map(thrown)).errors).toEqual([2, 3, 4, 5, 6].map(thrown));
});

it('a row to which none is added stays as it is', () => {
  const row = { errors: [thrown(1)] };
  expect(withErrors(row, [])).toBe(row);
});

it('words of errors that may not be kept are gone, and the facts stay', () => {
  expect(withoutWords({ name: 'row', errors: [thrown(1)] })).toEqual({
    name: 'row',
    errors: [{ ...facts, attempt: 1 }],
  });
  const none: Row = { name: 'row' };
  expect(withoutWords(none)).toBe(none);
});
