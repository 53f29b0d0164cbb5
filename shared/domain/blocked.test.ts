import { describe, expect, it } from 'vitest';
import {
  blockOf,
  type Change,
  changedStep,
  changesOf,
  type Declared,
  declaredRemote,
  facetOf,
  gone,
} from './blocked.ts';

const tool = (facets: Declared['facets'], name = 'pay'): Declared => ({
  kind: 'tool',
  name,
  facets,
});
const pin = (declared: Declared, callId = 'call-1') => ({ ...declared, callId });

describe('what a waiting call depends on', () => {
  const before = tool({ parameters: 'p', effect: 'once' });

  it.each<[string, readonly Declared[], readonly string[] | undefined]>([
    [
      'nothing, while it is declared as before',
      [tool({ effect: 'once', parameters: 'p' })],
      undefined,
    ],
    ['its absence', [tool({ parameters: 'p', effect: 'once' }, 'refund')], []],
    ['its absence, if a remote has its name', [{ ...before, kind: 'remote' }], []],
    ['a facet that is another', [tool({ parameters: 'q', effect: 'once' })], ['parameters']],
    [
      'facets that came and went, by name',
      [tool({ parameters: 'p', approval: 'always' })],
      ['approval', 'effect'],
    ],
  ])('shows %s', (_what, declared, facets) => {
    const changes = changesOf([pin(before)], declared);
    expect(changes.map((change) => change.facets)).toEqual(facets === undefined ? [] : [facets]);
    const [now] = declared;
    if (facets !== undefined && now !== undefined)
      expect(changes[0]?.now).toBe(facets.length === 0 ? '' : facetOf(now.facets));
  });

  it('is named once, however many calls depend on it', () => {
    const pins = [pin(before, 'call-1'), pin(before, 'call-2'), pin(tool({}, 'ship'), 'call-3')];
    expect(changesOf(pins, [])).toEqual([gone('tool', 'pay'), gone('tool', 'ship')]);
  });

  it('is a remote’s card, and whether it asks for an approval', () => {
    const remote = {
      name: 'peer',
      description: '',
      card: 'https://peer.example/card.json',
      pollInterval: 1,
      deadline: 1,
      messageBytes: 1,
      answerBytes: 1,
      push: false,
    };
    const card = facetOf(remote.card);
    expect(declaredRemote({ ...remote, approval: false }).facets).toEqual({
      card,
      approval: 'never',
    });
    expect(declaredRemote({ ...remote, approval: true }).facets).toEqual({
      card,
      approval: 'always',
    });
  });
});

describe('a block', () => {
  const change: Change = { kind: 'tool', name: 'pay', facets: ['effect'], now: 'n1' };
  const changed: Change = { ...change, now: 'n2' };
  const run = { pauseGeneration: 2 };

  it('stands while something is changed, since the first look', () => {
    expect(blockOf(run, [], 5)).toBeUndefined();
    expect(facetOf({ any: 'size' })).toHaveLength(16);
    const first = blockOf(run, [change], 5);
    expect(first).toMatchObject({ since: 5, changes: [change] });
    expect(first).not.toHaveProperty('accepted');
    expect(first && blockOf({ ...run, blocked: first }, [change], 9)).toEqual(first);
  });

  it.each<[string, readonly Change[], boolean]>([
    ['exactly what was accepted', [change], false],
    ['a part of it', [], false],
    ['something that changed again', [changed], true],
    ['something more', [change, { ...change, name: 'ship' }], true],
    ['something else of that name', [{ ...change, kind: 'remote' }], true],
  ])(
    'that an operator has accepted says of %s whether it stands anew',
    (_what, changes, stands) => {
      const blocked = { since: 1, changes: [change], digest: 'd', accepted: true as const };
      expect(blockOf({ ...run, blocked }, changes, 9) !== undefined).toBe(stands);
      const open = { since: 1, changes: [change], digest: 'd' };
      expect(blockOf({ ...run, blocked: open }, changes, 9) !== undefined).toBe(changes.length > 0);
    },
  );

  it('has a digest of its pause and of all that changed, which another pause does not share (G18)', () => {
    const digests = [
      blockOf(run, [change], 5),
      blockOf({ pauseGeneration: 3 }, [change], 5),
      blockOf(run, [changed], 5),
      blockOf(run, [{ ...change, name: 'ship' }], 5),
      blockOf(run, [{ ...change, kind: 'remote' }], 5),
    ].map((each) => each?.digest);
    expect(new Set(digests).size).toBe(digests.length);
  });

  it('of a step says what is recorded and what is asked for now, if anything is', () => {
    expect(changedStep({ at: '3', recorded: 'step charge', now: 'step ship' })).toEqual({
      kind: 'step',
      name: '3 step charge',
      facets: ['step ship'],
      now: facetOf('step ship'),
    });
    expect(changedStep({ at: '3', recorded: 'step charge', now: '' })).toEqual(
      gone('step', '3 step charge'),
    );
  });
});
