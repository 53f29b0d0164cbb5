import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { JsonObject } from '../domain/json.ts';
import { digestOfCalls, type Step } from '../domain/step.ts';
import { defineRemote } from './define-remote.ts';
import { defineTool } from './define-tool.ts';
import { nextStep } from './next-step.ts';
import { offersOf } from './offers.ts';

const offers = offersOf(
  [
    defineTool({
      name: 'look',
      description: 'Looks.',
      parameters: z.object({ at: z.string() }),
      effect: 'read',
      run: () => null,
    }),
    defineTool({
      name: 'pay',
      description: 'Pays.',
      parameters: z.object({ amount: z.number() }),
      effect: 'once',
      approval: ({ amount }) => amount > 10,
      summary: ({ amount }) => `Pay ${amount}.`,
      run: () => null,
    }),
    defineTool({
      name: 'choose',
      description: 'Has a person choose.',
      parameters: z.object({}),
      effect: 'read',
      input: { question: 'Which?', schema: z.object({ n: z.number().max(3) }) },
      run: () => null,
    }),
    defineTool({
      name: 'erratic',
      description: 'Does not know.',
      parameters: z.object({}),
      effect: 'read',
      approval: () => {
        throw new Error('no idea');
      },
      summary: () => {
        throw new Error('no words');
      },
      run: () => null,
    }),
  ],
  [
    defineRemote({
      name: 'peer',
      description: 'Helps.',
      card: 'https://peer.example/card',
      approval: false,
    }),
    defineRemote({ name: 'guarded', description: 'Helps.', card: 'https://peer.example/card' }),
  ],
);

type Asked = readonly [tool: string, given?: JsonObject];

function turn(...asked: readonly Asked[]): Step {
  const calls = asked.map(([tool, given = {}], at) => ({
    id: `c${at + 1}`,
    tool,
    arguments: given,
  }));
  return { kind: 'turn', calls, digest: digestOfCalls(calls), artifacts: [] };
}
const result = (callId: string): Step => ({ kind: 'result', callId, status: 'ok', value: null });
const decision = (kind: 'approve' | 'deny', by: 'owner' | 'operator' = 'owner'): Step => ({
  kind: 'decision',
  generation: 1,
  decision: kind,
  by,
});
const said = (...parts: readonly ({ text: string } | { data: JsonObject })[]): Step => ({
  kind: 'answer',
  generation: 1,
  message: { messageId: 'm', role: 'user', parts },
});

const next = (...steps: readonly Step[]) => nextStep(steps, offers);

describe('what is next', () => {
  it('is the model before there is a turn, and when every call of the last one has a result', () => {
    expect(next()).toEqual({ kind: 'model' });
    expect(next(said({ text: 'go' }))).toEqual({ kind: 'model' });
    const two = turn(['look', { at: 'a' }], ['look', { at: 'b' }]);
    expect(next(two, result('c1'), result('c2'))).toEqual({ kind: 'model' });
  });

  it('is the first call without a result, so that a run goes on where it was', () => {
    const two = turn(['look', { at: 'a' }], ['look', { at: 'b' }]);
    expect(next(two)).toMatchObject({ kind: 'run', callId: 'c1' });
    expect(next(two, result('c1'))).toMatchObject({ kind: 'run', callId: 'c2' });
  });

  it.each<[string, Asked, RegExp]>([
    ['a tool that there is not', ['sing'], /no tool called "sing"/],
    ['arguments that do not fit', ['look', { at: 5 }], /do not fit.*at: /],
    ['a message to a remote without words', ['peer', { message: '' }], /message in words/],
    [
      'data for a remote that is no object',
      ['peer', { message: 'x', data: 5 }],
      /message in words/,
    ],
  ])('%s gets an error result, which says so', (_what, asked, why) => {
    const refused = next(turn(asked));
    expect(refused).toMatchObject({ kind: 'refuse', callId: 'c1' });
    expect(refused.kind === 'refuse' && refused.why).toMatch(why);
  });
});

describe('delegations (G13)', () => {
  it.each<[string, readonly Asked[]]>([
    [
      'with a tool',
      [
        ['peer', { message: 'x' }],
        ['look', { at: 'a' }],
      ],
    ],
    [
      'with an unknown tool',
      [
        ['sing', {}],
        ['peer', { message: 'x' }],
      ],
    ],
    [
      'with another delegation',
      [
        ['peer', { message: 'x' }],
        ['guarded', { message: 'x' }],
      ],
    ],
    [
      'with bad arguments',
      [
        ['peer', {}],
        ['look', { at: 'a' }],
      ],
    ],
    [
      'with what needs an approval',
      [
        ['pay', { amount: 50 }],
        ['peer', { message: 'x' }],
      ],
    ],
  ])('one %s in the same turn: every call is refused', (_what, asked) => {
    const mixed = turn(...asked);
    expect(next(mixed)).toMatchObject({ kind: 'refuse', callId: 'c1' });
    expect(next(mixed, result('c1'))).toMatchObject({ kind: 'refuse', callId: 'c2' });
    expect(next(mixed, result('c1'), result('c2'))).toEqual({ kind: 'model' });
  });

  it('one alone leaves, with its words and its data', () => {
    expect(next(turn(['peer', { message: 'x', data: { n: 1 } }]))).toMatchObject({
      kind: 'delegate',
      remote: { name: 'peer' },
      parts: [{ text: 'x' }, { data: { n: 1 } }],
    });
  });

  it('needs an approval unless its declaration says otherwise', () => {
    const order = turn(['guarded', { message: 'secret' }]);
    const held = next(order);
    expect(held).toMatchObject({ kind: 'hold', calls: [{ tool: 'guarded', summary: 'Helps.' }] });
    expect(JSON.stringify(held.kind === 'hold' && held.calls)).not.toContain('secret');
    expect(next(order, decision('approve'))).toMatchObject({ kind: 'delegate' });
  });
});

describe('approvals', () => {
  const held = turn(['look', { at: 'a' }], ['pay', { amount: 50 }], ['sing']);

  it('one call that needs one holds its whole turn, before any of it runs', () => {
    expect(next(held)).toMatchObject({
      kind: 'hold',
      calls: [
        { id: 'c1', tool: 'look', summary: 'Looks.' },
        { id: 'c2', tool: 'pay', summary: 'Pay 50.' },
      ],
    });
  });

  it('depends on the arguments where the tool says so', () => {
    expect(next(turn(['pay', { amount: 5 }]))).toMatchObject({ kind: 'run' });
  });

  it('is not asked for what would not run anyway', () => {
    expect(next(turn(['pay', { amount: 'much' }]))).toMatchObject({ kind: 'refuse' });
  });

  it('approved, the calls run in their order', () => {
    expect(next(held, decision('approve'))).toMatchObject({ kind: 'run', callId: 'c1' });
    expect(next(held, decision('approve'), result('c1'))).toMatchObject({
      kind: 'run',
      callId: 'c2',
    });
    expect(next(held, decision('approve'), result('c1'), result('c2'))).toMatchObject({
      kind: 'refuse',
      callId: 'c3',
    });
  });

  it('denied, every call is refused and the model is told by whom', () => {
    const denied = next(held, decision('deny', 'operator'));
    expect(denied.kind === 'refuse' && denied.why).toMatch(/An operator declined/);
    const rest = next(held, decision('deny'), result('c1'));
    expect(rest).toMatchObject({ kind: 'refuse', callId: 'c2' });
    expect(rest.kind === 'refuse' && rest.why).toMatch(/The owner of the task declined/);
  });

  it('of one turn is none for another', () => {
    const earlier = [turn(['pay', { amount: 50 }]), decision('approve'), result('c1')];
    expect(next(...earlier, turn(['pay', { amount: 60 }]))).toMatchObject({ kind: 'hold' });
    // Not where one belongs: a decision counts only right behind its turn.
    const late = next(held, result('c1'), decision('approve'));
    expect(late).toMatchObject({ kind: 'refuse', callId: 'c2' });
  });

  it('if its author can not say that it needs none it needs one, and its description stands for its words', () => {
    expect(next(turn(['erratic']))).toMatchObject({
      kind: 'hold',
      calls: [{ summary: 'Does not know.' }],
    });
  });
});

describe('typed input', () => {
  const asking = turn(['choose']);

  it('is asked for before the tool runs, with its JSON Schema', () => {
    expect(next(asking)).toMatchObject({
      kind: 'ask',
      callId: 'c1',
      question: { words: 'Which?', schema: { type: 'object', required: ['n'] } },
    });
  });

  it.each<[string, Step]>([
    ['a stored decision', { ...decision('approve'), decision: 'input', input: { n: 2 } } as Step],
    ['data in the answer', said({ text: 'this' }, { data: { n: 2 } })],
    ['the second data part, if the first does not fit', said({ data: {} }, { data: { n: 2 } })],
    ['words that are its JSON', said({ text: '{"n": 2}' })],
  ])('comes from %s', (_what, step) => {
    expect(next(asking, step)).toMatchObject({ kind: 'run', input: { n: 2 } });
  });

  it('that does not fit is asked for again, with what was wrong; the newest answer counts', () => {
    const wrong = said({ data: { n: 9 } });
    expect(next(asking, wrong)).toMatchObject({
      kind: 'ask',
      problem: expect.stringMatching(/^n: /) as string,
    });
    expect(next(asking, said({ text: 'what?' }))).toMatchObject({ kind: 'ask' });
    expect(next(asking, wrong, said({ data: { n: 1 } }))).toMatchObject({ input: { n: 1 } });
  });

  it('is of one call alone', () => {
    const two = turn(['choose'], ['choose']);
    expect(next(two, said({ data: { n: 1 } }), result('c1'))).toMatchObject({
      kind: 'ask',
      callId: 'c2',
    });
  });
});
