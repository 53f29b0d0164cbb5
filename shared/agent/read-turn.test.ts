import { describe, expect, it } from 'vitest';
import { digestOfCalls } from '../domain/step.ts';
import { readTurn } from './read-turn.ts';

const read = (answer: unknown) => readTurn(answer, 7, { model: 'm', shown: 2 });
const deep = (levels: number): unknown => (levels === 0 ? 1 : { in: deep(levels - 1) });

describe('a turn that a model answered', () => {
  it('gets call ids from its place in the transcript, whatever the model calls them', () => {
    const { turn } = read({
      calls: [
        { id: 'same', name: 'a', arguments: { x: 1 } },
        { id: 'same', name: 'b', arguments: {} },
        { name: 'a', arguments: { x: 1 } },
      ],
    });
    expect(turn.calls.map(({ id }) => id)).toEqual(['call-7-1', 'call-7-2', 'call-7-3']);
    expect(turn.digest).toBe(digestOfCalls(turn.calls));
  });

  it.each<[string, unknown]>([
    ['a text', 'x'],
    ['nothing', undefined],
    ['null', null],
    ['a list', [1]],
    ['a number', Number.NaN],
    ['something that refers to itself', cyclic()],
    ['nothing that JSON can hold', { f: () => 1 }],
    ['something too deep', deep(100)],
    ['something too large', { x: 'x'.repeat(1024 * 1024) }],
  ])('with arguments that are %s keeps the call, and the problem with it', (_what, given) => {
    const { turn, unusable } = read({ calls: [{ name: 'a', arguments: given }] });
    expect(unusable).toBeUndefined();
    expect(turn.calls).toEqual([
      { id: 'call-7-1', tool: 'a', arguments: {}, problem: 'The arguments must be a JSON object.' },
    ]);
  });

  it('is copied: what the model does with its answer afterwards changes nothing', () => {
    const given = { x: 1 };
    const { turn } = read({ calls: [{ name: 'a', arguments: given }] });
    given.x = 2;
    expect(turn.calls[0]?.arguments).toEqual({ x: 1 });
  });

  it('names its artifacts by their position in the task', () => {
    const { artifacts, turn } = read({
      artifacts: [{ parts: 'x' }, { artifactId: 'own', parts: 'y' }],
    });
    expect(turn.artifacts).toEqual(['artifact-3', 'own']);
    expect(artifacts[0]?.parts).toEqual([{ text: 'x' }]);
  });

  it('counts as a round, with the tokens and the cost that it reports', () => {
    expect(read({ text: 'x' }).spend).toEqual({ rounds: 1 });
    const usage = { inputTokens: 10, outputTokens: 5, cost: 2.5 };
    expect(read({ text: 'x', usage }).spend).toEqual({ rounds: 1, tokens: 15, cost: 3 });
  });

  it('without text, calls or artifacts is a turn all the same', () => {
    const { turn, unusable } = read({ text: null, calls: null, artifacts: null, usage: null });
    expect(turn).toMatchObject({ calls: [], artifacts: [] });
    expect(unusable).toBeUndefined();
  });
});

describe('what is no turn', () => {
  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'expected object, received undefined'],
    ['a text', 'hello', 'expected object, received string'],
    ['a number', 5, 'expected object, received number'],
    ['a text that is none', { text: 5 }, 'text: '],
    ['a giant text', { text: 'x'.repeat(1024 * 1024 + 1) }, 'text: Too big'],
    ['hundreds of calls', { calls: Array.from({ length: 300 }, () => ({ name: 'a' })) }, 'calls'],
    ['a call without a name', { calls: [{ arguments: {} }] }, 'calls.0.name: '],
    ['a call that is none', { calls: [5] }, 'calls.0: '],
    ['calls that are no list', { calls: { name: 'a' } }, 'calls: '],
    [
      'more arguments than fit',
      { calls: [1, 2].map(() => ({ name: 'a', arguments: { x: 'x'.repeat(800_000) } })) },
      'calls of 16',
    ],
    ['an artifact without parts', { artifacts: [{ parts: [] }] }, 'artifact.parts needs'],
    [
      'an artifact with a part of two kinds',
      { artifacts: [{ parts: [{ text: 'a', data: 1 }] }] },
      'artifact.parts[0]',
    ],
    [
      'usage that is no number',
      { text: 'x', usage: { inputTokens: Number.NaN, outputTokens: 1 } },
      'usage.inputTokens: ',
    ],
    [
      'usage below zero',
      { text: 'x', usage: { inputTokens: 1, outputTokens: -5 } },
      'usage.outputTokens: ',
    ],
    [
      'a cost below zero',
      { text: 'x', usage: { inputTokens: 1, outputTokens: 1, cost: -1 } },
      'usage.cost: ',
    ],
    [
      'usage without end',
      { usage: { inputTokens: Number.POSITIVE_INFINITY, outputTokens: 1 } },
      'usage.inputTokens: ',
    ],
    ['an answer that throws when it is looked at', throwing(), ''],
  ])(
    '%s costs a round and nothing else, and is told to model and author',
    (_what, answer, words) => {
      const problem = expect.stringContaining(words) as string;
      expect(read(answer)).toEqual({
        turn: { kind: 'turn', calls: [], digest: digestOfCalls([]), artifacts: [], problem },
        artifacts: [],
        spend: { rounds: 1 },
        unusable: expect.objectContaining({ name: 'UnusableTurn', message: problem }) as unknown,
      });
    },
  );

  it('is paid for, if it says what it took', () => {
    const usage = { inputTokens: 10, outputTokens: 5 };
    expect(read({ text: 5, usage }).spend).toEqual({ rounds: 1, tokens: 15 });
  });
});

function cyclic(): unknown {
  const self: { me?: unknown } = {};
  self.me = self;
  return self;
}

function throwing(): unknown {
  return {
    get calls() {
      throw new Error('no');
    },
  };
}
