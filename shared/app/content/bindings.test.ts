import { describe, expect, it } from 'vitest';
import {
  type Bound,
  boundDecision,
  boundEntry,
  boundPause,
  boundRevision,
  boundSend,
  boundSignal,
  boundStep,
  boundView,
} from './bindings.ts';

const view = {
  contextId: 'c',
  state: 'WORKING',
  statusAt: 1,
  createdAt: 2,
  projectedRevision: 3,
  lastSeq: 4,
  scrubbedRevision: 5,
  pages: [],
};
const entry = {
  fromSeq: 1,
  toSeq: 2,
  revision: 3,
  state: 'WORKING',
  at: 4,
  epoch: 5,
  states: [],
};
const send = {
  messageId: 'm',
  owner: 'o',
  remote: 'r',
  callId: 'c',
  contextId: 'x',
  digest: 'd',
  preparedAt: 1,
  replaces: null,
};
const decision = {
  id: 'i',
  generation: 1,
  kind: 'approve',
  by: 'owner',
  mode: 'direct',
  storedAt: 2,
} as const;

/** What is bound of a document, and of the same with one other field each. */
interface Case {
  readonly name: string;
  readonly of: () => Bound;
  readonly others: () => readonly Bound[];
}

function bound<T extends object>(
  name: string,
  of: (doc: T) => Bound,
  doc: T,
  others: readonly Partial<T>[],
): Case {
  return { name, of: () => of(doc), others: () => others.map((other) => of({ ...doc, ...other })) };
}

const CASES: readonly Case[] = [
  bound('a revision', boundRevision, { state: 'WORKING', at: 1, announces: false }, [
    { state: 'FAILED' },
    { at: 2 },
    { announces: true },
  ]),
  bound<Parameters<typeof boundView>[0]>('a view', boundView, view, [
    { contextId: 'd' },
    { state: 'FAILED' },
    { statusAt: 9 },
    { createdAt: 9 },
    { projectedRevision: 9 },
    { lastSeq: 9 },
    { scrubbedRevision: 9 },
    { pages: [{ object: 'a', bytes: 1 }] },
    { pages: [{ object: 'b', bytes: 1 }] },
    { pages: [{ object: 'a', bytes: 2 }] },
  ]),
  bound<Parameters<typeof boundEntry>[0]>('an entry', boundEntry, entry, [
    { fromSeq: 9 },
    { toSeq: 9 },
    { revision: 9 },
    { state: 'FAILED' },
    { at: 9 },
    { epoch: 9 },
    { states: [{ at: 1, seq: 2, state: 'WORKING' }] },
    { states: [{ at: 9, seq: 2, state: 'WORKING' }] },
    { states: [{ at: 1, seq: 9, state: 'WORKING' }] },
    { states: [{ at: 1, seq: 2, state: 'FAILED' }] },
    { own: { commitId: 'c', fromSeq: 1, announces: false } },
    { own: { commitId: 'c', fromSeq: 9, announces: false } },
    { own: { commitId: 'c', fromSeq: 1, announces: true } },
  ]),
  bound('a step', boundStep, { step: 1, kind: 'turn', at: 2, fence: 3 }, [
    { step: 9 },
    { kind: 'result' },
    { at: 9 },
    { fence: 9 },
  ]),
  bound<Parameters<typeof boundSend>[0]>('a send', boundSend, send, [
    { messageId: 'other' },
    { owner: 'other' },
    { remote: 'other' },
    { callId: 'other' },
    { contextId: 'other' },
    { digest: 'other' },
    { preparedAt: 9 },
    { replaces: 'other' },
  ]),
  bound<Parameters<typeof boundPause>[0]>(
    'a pause',
    boundPause,
    { generation: 1, kind: 'approval', at: 2, sendId: null },
    [{ generation: 9 }, { kind: 'input' }, { at: 9 }, { sendId: 'other' }],
  ),
  bound<Parameters<typeof boundDecision>[0]>('a decision', boundDecision, decision, [
    { id: 'other' },
    { generation: 9 },
    { kind: 'deny' },
    { by: 'operator' },
    { mode: 'stored' },
    { storedAt: 9 },
  ]),
  bound<Parameters<typeof boundSignal>[0]>(
    'an event',
    boundSignal,
    { number: 1, name: 'paid', at: 2, by: 'owner' },
    [{ number: 9 }, { name: 'other' }, { at: 9 }, { by: 'operator' }],
  ),
];

describe('what stands in clear beside sealed content is bound to it', () => {
  it.each(CASES)('of $name: each field that is another binds otherwise', ({ of, others }) => {
    const all = [of(), ...others()].map((each) => JSON.stringify(each));
    expect(new Set(all).size).toBe(all.length);
    expect(of().length).toBeGreaterThan(2);
  });

  it('in one order for good: what is stored by then opens beside nothing else', () => {
    expect(CASES.map(({ of }) => of())).toEqual([
      ['WORKING', 1, false],
      ['c', 'WORKING', 1, 2, 3, 4, 5],
      [1, 2, 3, 'WORKING', 4, 5],
      [1, 'turn', 2, 3],
      ['m', 'o', 'r', 'c', 'x', 'd', 1, null],
      [1, 'approval', 2, null],
      ['i', 1, 'approve', 'owner', 'direct', 2],
      [1, 'paid', 2, 'owner'],
    ]);
    expect(boundView({ ...view, pages: [{ object: 'a', bytes: 6 }] }).slice(7)).toEqual(['a', 6]);
    const own = { commitId: 'c', fromSeq: 7, announces: true };
    const states = [{ at: 6, seq: 2, state: 'WORKING' }];
    expect(boundEntry({ ...entry, own, states }).slice(6)).toEqual([2, 'WORKING', 6, 7, true]);
  });
});
