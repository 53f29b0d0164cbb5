import { expect, test } from 'vitest';
import { a2aCodeOf } from './error-code.ts';

const rest = (reason: unknown) => ({
  error: {
    code: 404,
    status: 'NOT_FOUND',
    message: 'No.',
    details: [{ '@type': 'x' }, { reason }],
  },
});

test.each([
  [{ jsonrpc: '2.0', id: 1, error: { code: -32001, message: 'No.' } }, -32001],
  [{ jsonrpc: '2.0', id: null, error: { code: -32700 } }, -32700],
  [rest('TASK_NOT_FOUND'), -32001],
  [rest('VERSION_NOT_SUPPORTED'), -32009],
  [{ code: -32001, message: 'Task not found' }, -32001],
])('%j is an error of A2A', (body, code) => {
  expect(a2aCodeOf(body)).toBe(code);
});

test.each([
  undefined,
  null,
  'TASK_NOT_FOUND',
  [],
  {},
  { error: 'no' },
  { error: { code: -32001 } },
  { jsonrpc: '1.0', error: { code: -32001 } },
  { jsonrpc: '2.0', error: { code: '-32001' } },
  { jsonrpc: '2.0', error: { code: 7 } },
  { jsonrpc: '2.0', error: null },
  { jsonrpc: '2.0', error: { code: -32001 }, result: {} },
  rest('toString'),
  rest(7),
  { code: 404, message: 'Not found' },
  { code: -32001 },
])('%j is none', (body) => {
  expect(a2aCodeOf(body)).toBeUndefined();
});
