import { expect, test } from 'vitest';
import { traceparent } from '../domain/trace-context.ts';
import { jsonLog } from './json-log.ts';

const TRACE = traceparent('00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01');

function lineOf(project: string | undefined, trace: typeof TRACE): unknown {
  let line = '';
  const stream = { write: (text: string) => (line += text) };
  const clock = { now: () => 0 };
  jsonLog({ stream, clock, ...(project !== undefined && { project }) }).write(
    'info',
    'run ended',
    { task: 't' },
    trace,
  );
  return JSON.parse(line);
}

const plain = {
  task: 't',
  severity: 'INFO',
  time: '1970-01-01T00:00:00.000Z',
  message: 'run ended',
};

test('a line without a trace says nothing of one', () => {
  expect(lineOf('a-project', undefined)).toEqual(plain);
});

test("a line of a trace carries Cloud Logging's fields where the project is known", () => {
  expect(lineOf('a-project', TRACE)).toEqual({
    ...plain,
    'logging.googleapis.com/trace': 'projects/a-project/traces/4bf92f3577b34da6a3ce929d0e0e4736',
    'logging.googleapis.com/spanId': '00f067aa0ba902b7',
    'logging.googleapis.com/trace_sampled': true,
  });
});

test('and the trace by itself elsewhere', () => {
  expect(lineOf(undefined, TRACE)).toEqual({ ...plain, trace: '4bf92f3577b34da6a3ce929d0e0e4736' });
});
