import { expect, test } from 'vitest';
import type { Timeline } from '../wire.ts';
import { entriesOf } from './entries.ts';
import { lanesOf } from './lanes.ts';

const at = (seconds: number): string => new Date(1_800_000_000_000 + seconds * 1_000).toISOString();
const sec = (seconds: number): number => 1_800_000_000_000 + seconds * 1_000;

const RUN: Timeline = {
  id: 'run-1',
  context: 'c',
  agent: 'assistant',
  status: 'completed',
  state: 'COMPLETED',
  open: false,
  createdAt: at(0),
  statusAt: at(100),
  may: ['view'],
  tenant: '',
  fence: 2,
  attempts: 0,
  deadlineAt: at(86_400),
  spent: {},
  limits: {},
  timeline: [
    { revision: 1, state: 'SUBMITTED', at: at(0) },
    { revision: 2, state: 'AUTH_REQUIRED', at: at(2) },
    { revision: 3, state: 'WORKING', at: at(90) },
    { revision: 4, state: 'COMPLETED', at: at(100) },
  ],
  segments: [
    {
      fence: 1,
      enqueued: at(0),
      dispatched: at(0),
      claimed: at(1),
      committed: at(2),
      waited: 1_000,
      worked: 1_000,
    },
    { fence: 2, enqueued: at(90), dispatched: at(90), claimed: at(91), waited: 1_000 },
    {
      fence: 3,
      enqueued: at(95),
      dispatched: at(95),
      claimed: at(96),
      committed: at(100),
      waited: 1_000,
      worked: 4_000,
    },
  ],
  steps: [{ step: 1, kind: 'turn', at: at(1.5), fence: 1 }],
  sends: [],
  pauses: [{ generation: 1, kind: 'approval', at: at(2) }],
  events: [],
  decisions: [
    {
      id: 'd',
      generation: 1,
      kind: 'approve',
      by: 'operator',
      mode: 'stored',
      state: 'consumed',
      storedAt: at(89),
    },
  ],
  errors: [],
  acts: [],
};

const lane = (run: Timeline, name: string) =>
  lanesOf(run, undefined).find((each) => each.name === name);

test('a pause ends with its decision, by what came next if there is none, and lasts while the run waits', () => {
  expect(lane(RUN, 'Waits')?.bars).toMatchObject([{ from: sec(2), to: sec(89) }]);
  expect(lane({ ...RUN, decisions: [] }, 'Waits')?.bars).toMatchObject([{ to: sec(90) }]);
  const waitsFor = { kind: 'approval', since: at(2), generation: 1 } as const;
  const waiting = { ...RUN, open: true, waitsFor, decisions: [] };
  expect(lane(waiting, 'Waits')?.bars[0]?.to).toBeUndefined();
});

test('a wait for an event lasts, the pause before it does not, and a delivery is a mark and in the log', () => {
  const waitsFor = { kind: 'event' as const, since: at(95), generation: 1, events: ['paid'] };
  const event = { number: 1, name: 'note', at: at(93), by: 'owner', content: 'hi' } as const;
  const run: Timeline = { ...RUN, open: true, waitsFor, events: [event] };
  expect(lane(run, 'Waits')?.bars).toMatchObject([
    { from: sec(2), to: sec(89) },
    { from: sec(95), to: undefined, words: 'event paid' },
  ]);
  expect(lane(run, 'People')?.marks.map(({ words }) => words)).toContain('event note by the owner');
  expect(entriesOf(run, undefined)).toContainEqual({
    at: sec(93),
    kind: 'person',
    words: 'event 1, note, is delivered by the owner',
    content: 'hi',
  });
});

test('a segment whose worker was lost says so, and one that works goes on', () => {
  const words = lane(RUN, 'Work')?.bars.map((bar) => bar.words);
  expect(words).toContain('segment 2: its worker was lost');
  const working = { ...RUN, open: true, segments: RUN.segments.slice(0, 2) };
  expect(lane(working, 'Work')?.bars.at(-1)).toMatchObject({
    words: 'segment 2 works',
    to: undefined,
  });
});

test('the log is in the order of time, and has everything', () => {
  const entries = entriesOf(RUN, undefined);
  expect(entries.map((entry) => entry.at)).toEqual(
    entries.map((entry) => entry.at).toSorted((a, b) => a - b),
  );
  expect(entries.filter(({ kind }) => kind === 'caller').map(({ words }) => words)).toEqual(
    RUN.timeline.map(({ state }) => state),
  );
  expect(entries.map(({ words }) => words)).toContain('approve of pause 1 by operator (consumed)');
});
