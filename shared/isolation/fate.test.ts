import { expect, test } from 'vitest';
import { fateOf } from './fate.ts';
import type { Death } from './messages.ts';

const bounds = { silence: 30_000, memory: 512 * 2 ** 20 };
const seen = { run: 3, stack: ['    at spin (file:///agents/index.ts:7:3)'] };
const stalled: Death = { kind: 'stalled', seen };
const memory: Death = { kind: 'memory', seen };
const ended: Death = { kind: 'ended', how: 'exit code 3' };

const fate = (death: Death, run: number, alone: boolean) =>
  fateOf(death, { run, alone }, 'greedy', bounds);

test('the run whose code held the thread has failed, with where it stood', () => {
  const ending = fate(stalled, 3, false);
  expect(ending).toMatchObject({ kind: 'failed', fault: 'AGENT_STALLED', parts: [] });
  expect(ending).toHaveProperty('error.stack', expect.stringContaining('agents/index.ts:7:3'));
});

test('a run beside it begins again, and no attempt counts', () => {
  expect(fate(stalled, 4, false)).toEqual({ kind: 'interrupted' });
  expect(fate(stalled, 4, true)).toEqual({ kind: 'interrupted' });
});

test.each([memory, ended, { kind: 'stalled', seen: { stack: [] } } satisfies Death])(
  'whose fault it was is not known of $kind: each is tried again alone, and then it is known',
  (death) => {
    expect(fate(death, 3, false)).toMatchObject({ kind: 'retry' });
    expect(fate(death, 3, true)).toMatchObject({ kind: 'failed' });
  },
);

test.each([
  [stalled, /held its thread for 30 s .*agentSilence/],
  [memory, /more than the 512 MiB .*agentMemory/],
  [ended, /ended: exit code 3/],
])('the author is told what happened and what to set ($0.kind)', (death, words) => {
  expect(fate(death, 3, true)).toHaveProperty('error.message', expect.stringMatching(words));
});
