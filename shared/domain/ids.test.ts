import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  agentName,
  type AgentName,
  contextId,
  listedAs,
  listedIn,
  scopeOf,
  taskId,
} from './ids.ts';

const hostile = [
  '../x',
  '..%2fx',
  'a/b',
  'a\\b',
  'a\u0000b',
  'a\u202eb',
  '.',
  '..',
  '__x__',
  '____',
  '__reserved__',
  '',
  'x'.repeat(10_000),
  'a b',
  'ä',
  '%2e',
  'a\nb',
];

describe('ids from callers (G21)', () => {
  it.each(hostile)('%j names no context and no task', (value) => {
    expect(contextId(value)).toBeUndefined();
    expect(taskId(value)).toBeUndefined();
    expect(agentName(value)).toBeUndefined();
  });

  it('an accepted context id is one path segment, the same in every encoding', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 20 }), (value) => {
        const id = contextId(value);
        if (id === undefined) return;
        expect(id).toBe(value);
        expect(id).not.toMatch(/[/\\%\s]/);
        expect(new URL(`http://h/a/${id}/b`).pathname.split('/')).toHaveLength(4);
      }),
    );
  });

  it('usual ids are accepted unchanged', () => {
    for (const id of [
      'ctx-1',
      'user:42',
      'a.b',
      '~x',
      '__x',
      'x__',
      'a__b__',
      '__a__b',
      'AbC=',
      'user@example.org',
      '0f8fad5b-d9cb-469f-a165-70867728950e',
    ]) {
      expect(contextId(id)).toBe(id);
    }
  });

  it('only lower-case UUIDs can be task ids', () => {
    expect(taskId('0f8fad5b-d9cb-469f-a165-70867728950e')).toBeDefined();
    expect(taskId('0F8FAD5B-D9CB-469F-A165-70867728950E')).toBeUndefined();
  });
});

describe('scopes (G23)', () => {
  it('two callers share a scope only if agent, tenant and owner are all equal', () => {
    const text = fc.string({ maxLength: 4 });
    const principal = fc.record({
      agent: text.map((name) => name as AgentName),
      tenant: text,
      owner: text,
    });
    fc.assert(
      fc.property(principal, principal, (a, b) => {
        const same = a.agent === b.agent && a.tenant === b.tenant && a.owner === b.owner;
        expect(scopeOf(a) === scopeOf(b)).toBe(same);
      }),
    );
  });
});

it('a list names its scope and its range, and the first range is the scope itself', () => {
  expect(listedAs('scope', 0)).toBe('scope');
  expect(listedAs('scope', 3)).toBe('scope.3');
  for (const listShard of [0, 3, 12])
    expect(listedIn(listedAs('scope', listShard))).toEqual({ scope: 'scope', listShard });
});
