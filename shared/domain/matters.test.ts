import { describe, expect, it } from 'vitest';
import {
  dependency,
  depending,
  ended,
  failed,
  queued,
  running,
  waiting,
} from '../../test/doubles/runs.ts';
import type { Blocked } from './blocked.ts';
import { isWanted, type Matter, mattersOf, type NoticeKind } from './notice.ts';
import type { Run } from './run.ts';

const LEAD = 1_000;
const blocked: Blocked = { since: 300, changes: [], digest: 'd' };
const unknown = { ...dependency, operation: null, deadlineAt: 9_000 };

describe('what a run has to tell', () => {
  it.each<[string, Run, number, readonly Matter[]]>([
    [
      'an approval',
      waiting({ status: 'waiting_for_approval' }),
      0,
      [{ kind: 'approval', mark: '1', at: 2_000 }],
    ],
    ['a question', waiting(), 0, [{ kind: 'input', mark: '1', at: 2_000 }]],
    [
      'a question, and until when',
      waiting({ purgeAt: 9_000 }),
      7_999,
      [{ kind: 'input', mark: '1', at: 2_000, until: 9_000 }],
    ],
    [
      'a question, and that its time is nearly up',
      waiting({ purgeAt: 9_000 }),
      8_000,
      [
        { kind: 'input', mark: '1', at: 2_000, until: 9_000 },
        { kind: 'deadline', mark: '1', at: 2_000, until: 9_000 },
      ],
    ],
    [
      'why it failed',
      failed(),
      0,
      [{ kind: 'failed', mark: '', at: 1_000, reason: 'AGENT_FAILED' }],
    ],
    [
      'why it failed, before its removal nears',
      { ...failed(), purgeAt: 9_000 },
      7_999,
      [{ kind: 'failed', mark: '', at: 1_000, reason: 'AGENT_FAILED' }],
    ],
    [
      'that it failed and is nearly removed',
      { ...failed(), purgeAt: 9_000 },
      8_000,
      [
        { kind: 'failed', mark: '', at: 1_000, reason: 'AGENT_FAILED' },
        { kind: 'purge', mark: '', at: 1_000, until: 9_000, reason: 'AGENT_FAILED' },
      ],
    ],
    [
      'that its wait has ended, of which it was told before',
      { ...failed(), reason: 'WAIT_ENDED', purgeAt: 9_000 },
      8_000,
      [{ kind: 'failed', mark: '', at: 1_000, reason: 'WAIT_ENDED' }],
    ],
    [
      'what blocks it, and no deadline',
      queued({ blocked, deadlineAt: 0 }),
      0,
      [{ kind: 'blocked', mark: 'd', at: 300 }],
    ],
    [
      'a send of unknown outcome',
      depending({ dependency: unknown }),
      0,
      [{ kind: 'unknown-send', mark: 'send-1', at: 2_000, until: 9_000 }],
    ],
    [
      'a send of unknown outcome, and that its time is nearly up',
      depending({ dependency: unknown }),
      8_000,
      [
        { kind: 'unknown-send', mark: 'send-1', at: 2_000, until: 9_000 },
        { kind: 'deadline', mark: '9000', at: 1_000, until: 9_000 },
      ],
    ],
    [
      'its own deadline, where that is earlier than the send’s',
      depending({ dependency: unknown, deadlineAt: 5_000 }),
      4_000,
      [
        { kind: 'unknown-send', mark: 'send-1', at: 2_000, until: 9_000 },
        { kind: 'deadline', mark: '5000', at: 1_000, until: 5_000 },
      ],
    ],
    [
      'its deadline while a known remote task goes on, whose own is polled for',
      depending({ dependency: { ...dependency, deadlineAt: 0 }, deadlineAt: 5_000 }),
      4_000,
      [{ kind: 'deadline', mark: '5000', at: 1_000, until: 5_000 }],
    ],
    ['nothing, far from its deadline', queued({ deadlineAt: 5_000 }), 3_999, []],
    [
      'that a queued run is nearly late',
      queued({ deadlineAt: 5_000 }),
      4_000,
      [{ kind: 'deadline', mark: '5000', at: 1_000, until: 5_000 }],
    ],
    [
      'that a running one is nearly late',
      running({ deadlineAt: 5_000 }),
      4_000,
      [{ kind: 'deadline', mark: '5000', at: 1_000, until: 5_000 }],
    ],
    [
      'nothing once it has completed',
      { ...ended('completed'), deadlineAt: 0, purgeAt: 0 },
      9_000,
      [],
    ],
  ])('is %s', (_what, run, now, matters) => {
    expect(mattersOf(run, now, LEAD)).toEqual(matters);
  });
});

describe('a target', () => {
  const kinds = [
    'approval',
    'input',
    'unknown-send',
    'blocked',
    'failed',
    'deadline',
    'purge',
  ] as const;
  const all = { events: kinds, after: 500 };
  const matter = (kind: NoticeKind): Matter => ({ kind, mark: '', at: 1_000 });

  it.each(kinds)('wants %s when it has waited long enough, and what ends at once', (kind) => {
    const waits = ['approval', 'input', 'unknown-send', 'blocked'].includes(kind);
    expect(isWanted(all, queued(), matter(kind), 1_000)).toBe(!waits);
    expect(isWanted(all, queued(), matter(kind), 1_499)).toBe(!waits);
    expect(isWanted(all, queued(), matter(kind), 1_500)).toBe(true);
    expect(isWanted(all, queued(), matter(kind), 999)).toBe(false);
  });

  it('wants its own events of its own agents alone', () => {
    const failure = matter('failed');
    expect(isWanted({ ...all, events: ['approval'] }, queued(), failure, 9_000)).toBe(false);
    expect(isWanted({ ...all, agents: ['agent'] }, queued(), failure, 9_000)).toBe(true);
    expect(isWanted({ ...all, agents: ['another'] }, queued(), failure, 9_000)).toBe(false);
  });
});
