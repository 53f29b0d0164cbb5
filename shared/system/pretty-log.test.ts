import { expect, it } from 'vitest';
import { Thrown } from '../ports/log.ts';
import { jsonLog } from './json-log.ts';
import { prettyLog } from './pretty-log.ts';

const clock = { now: () => Date.UTC(2026, 0, 31, 12, 0, 5) };

function lines() {
  const said: string[] = [];
  return { said, stream: { write: (text: string) => said.push(text) } };
}

function failed(): Error {
  const cause = new Error('socket \u001b[2Jhang up');
  return new TypeError('two\nlines', { cause });
}

it('a person reads the time, the event, the facts, and the words with stack and causes', () => {
  const { said, stream } = lines();
  const log = prettyLog({ stream, clock, level: 'info', colour: false });
  log.write('warning', 'agent error', {
    tool: 'pay',
    model: undefined,
    error: new Thrown(failed()),
  });
  log.write('debug', 'not written');
  expect(said).toHaveLength(1);
  const [head, ...rest] = (said[0] ?? '').split('\n');
  expect(head).toBe('12:00:05 warning agent error  tool=pay');
  expect(rest.join('\n')).toMatch(
    /^ {4}TypeError: two\n {4}lines\n {4} +at failed [^]*\n {4}caused by Error: socket \ufffd\[2Jhang up\n/,
  );
});

it('colours only where they are shown', () => {
  const { said, stream } = lines();
  prettyLog({ stream, clock, level: 'info', colour: true }).write('error', 'bad');
  expect(said[0]).toContain('\u001b[31merror   bad\u001b[0m');
});

it('as JSON has the words where it stays on the machine, and nowhere else', () => {
  const [here, there] = [lines(), lines()];
  const fields = { fault: 'TypeError', error: new Thrown(failed()) };
  jsonLog({ stream: here.stream, clock, words: true }).write('warning', 'agent error', fields);
  jsonLog({ stream: there.stream, clock }).write('warning', 'agent error', fields);
  expect(JSON.parse(here.said[0] ?? '')).toMatchObject({
    fault: 'TypeError',
    error: expect.stringContaining('TypeError: two\nlines') as string,
  });
  expect(JSON.parse(there.said[0] ?? '')).toEqual({
    fault: 'TypeError',
    severity: 'WARNING',
    time: '2026-01-31T12:00:05.000Z',
    message: 'agent error',
  });
});

it.each([
  ['a text', 'just words', 'thrown: just words'],
  ['an object', { code: 7 }, 'thrown: {"code":7}'],
  ['something that throws when it is looked at', throwing(), 'an error that can not be shown'],
])('%s that was thrown is shown as far as it can be', (_, error, words) => {
  const { said, stream } = lines();
  const log = prettyLog({ stream, clock, level: 'info', colour: false });
  log.write('warning', 'agent error', { error: new Thrown(error) });
  expect(said[0]).toContain(words);
});

function throwing(): Error {
  return Object.defineProperty(new Error('x'), 'message', {
    get() {
      throw new Error('no');
    },
  });
}
