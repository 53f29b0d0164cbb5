import { describe, expect, it } from 'vitest';
import type { Step, Summary, Turn } from './step.ts';
import { factsOf, toldOfRemote } from './step-facts.ts';

const usage = { input: 3, output: 2 };
const turn: Turn = { kind: 'turn', text: 'words', calls: [], digest: 'd', artifacts: [] };
const call = (id: string) => ({ id, tool: 'pay', arguments: { to: 'words' } });
const result: Step = { kind: 'result', callId: 'c', status: 'error', value: 'words' };
const summary: Summary = {
  kind: 'summary',
  reason: 'window',
  through: 2,
  until: 2,
  most: 100,
  shortened: false,
  sources: [],
  text: 'words',
};

describe('what is kept of a turn', () => {
  it('is nothing where it called nothing and its maker said nothing', () => {
    expect(factsOf(turn)).toStrictEqual({});
  });

  it('is its model, its tokens, and what its maker told', () => {
    expect(
      factsOf({ ...turn, by: 'm', usage }, { startedAt: 5, attempt: 2, cost: 7 }),
    ).toStrictEqual({
      startedAt: 5,
      attempt: 2,
      cost: 7,
      model: 'm',
      usage,
    });
  });

  it('is each call by its id, with what is told of the one in its place', () => {
    const calls = [{ name: 'pay', effect: 'once' }, {}];
    expect(factsOf({ ...turn, calls: [call('a'), call('b'), call('c')] }, { calls })).toStrictEqual(
      {
        calls: [{ callId: 'a', name: 'pay', effect: 'once' }, { callId: 'b' }, { callId: 'c' }],
      },
    );
  });

  it('is how it ended if it was not whole, or that it could not be used', () => {
    expect(factsOf({ ...turn, finish: 'length', problem: 'words' })).toStrictEqual({
      status: 'length',
    });
    expect(factsOf({ ...turn, problem: 'words' })).toStrictEqual({ status: 'error' });
  });
});

describe('what is kept of a result', () => {
  it('is how its call ended, and which call that was', () => {
    expect(factsOf(result)).toStrictEqual({ callId: 'c', status: 'error' });
    expect(
      factsOf(result, { attempt: 1, fault: 'TypeError', ...toldOfRemote('peer', 5) }),
    ).toStrictEqual({
      startedAt: 5,
      attempt: 1,
      fault: 'TypeError',
      callId: 'c',
      status: 'error',
      calls: [{ callId: 'c', name: 'peer', effect: 'remote' }],
    });
  });
});

describe('what is kept of what people said', () => {
  it('is who decided what, and for which pause', () => {
    const decision: Step = {
      kind: 'decision',
      generation: 2,
      decision: 'input',
      by: 'operator',
      input: 'words',
      note: 'words',
    };
    const facts = { startedAt: 5, generation: 2, status: 'input', by: 'operator' };
    expect(factsOf(decision, { startedAt: 5 })).toStrictEqual(facts);
  });

  it('is the pause that an answer was for', () => {
    const message = { messageId: 'm', role: 'user', parts: [{ text: 'words' }] } as const;
    const answer: Step = { kind: 'answer', generation: 3, message };
    expect(factsOf(answer, { startedAt: 5 })).toStrictEqual({ startedAt: 5, generation: 3 });
  });
});

describe('what is kept of a summary', () => {
  it('is why it was made, by which model, and whether there is one', () => {
    expect(factsOf({ ...summary, by: 'm', usage }, { cost: 7 })).toStrictEqual({
      cost: 7,
      model: 'm',
      usage,
      reason: 'window',
      status: 'ok',
    });
    expect(factsOf({ ...summary, problem: 'words' })).toStrictEqual({
      reason: 'window',
      status: 'error',
    });
  });
});
