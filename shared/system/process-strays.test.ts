import { EventEmitter } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { type Listened, processStrays } from './process-strays.ts';

/** A process whose errors a test throws, in the context in which it does. */
function process() {
  const emitter = new EventEmitter();
  const ended = vi.fn();
  return { emitter, ended, open: () => processStrays(emitter, ended) };
}

it('gives an error to the work that it comes from, however late, and to no other', async () => {
  const { emitter, ended, open } = process();
  const strays = open();
  const said: string[] = [];
  const works = ['a', 'b'].map((name) =>
    strays.within(
      (error) => void said.push(`${name}: ${String(error)}`),
      async () => {
        await turn();
        emitter.emit('unhandledRejection', `promise of ${name}`, Promise.resolve());
        setImmediate(() => emitter.emit('uncaughtException', `timer of ${name}`));
      },
    ),
  );
  await Promise.all(works);
  await turn();
  await turn();
  expect(said.toSorted()).toEqual([
    'a: promise of a',
    'a: timer of a',
    'b: promise of b',
    'b: timer of b',
  ]);
  expect(ended).not.toHaveBeenCalled();
});

it('ends the process for what belongs to no work', () => {
  const { emitter, ended, open } = process();
  open().within(vi.fn(), () => undefined);
  emitter.emit('unhandledRejection', 'ours', Promise.resolve());
  expect(ended).toHaveBeenCalledExactlyOnceWith('ours');
});

it('leaves that to those who listened before', () => {
  const { emitter, ended, open } = process();
  const before = vi.fn();
  emitter.on('uncaughtException', before);
  const strays = open();
  strays.within(vi.fn(), () => undefined);
  emitter.emit('uncaughtException', 'ours', 'origin');
  expect(before).toHaveBeenCalledExactlyOnceWith('ours', 'origin');
  strays.within(vi.fn(), () => emitter.emit('uncaughtException', 'of some work'));
  expect(before).toHaveBeenCalledOnce();
  expect(ended).not.toHaveBeenCalled();
});

it('takes no work out of a domain for longer than it begins', () => {
  const { emitter, open } = process();
  const listened: Listened = emitter;
  listened.domain = 'of the request';
  const strays = open();
  expect(strays.within(vi.fn(), () => listened.domain)).toBeNull();
  expect(listened.domain).toBe('of the request');
});
