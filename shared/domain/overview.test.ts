import { expect, test } from 'vitest';
import type { AgentName, Fence } from './ids.ts';
import { overviewOf, type RunFacts } from './overview.ts';

const run = (given: Partial<RunFacts>): RunFacts => ({
  agent: 'a' as AgentName,
  status: 'completed',
  createdAt: 0,
  statusAt: 1_500,
  segments: [],
  ...given,
});

const segment = (enqueued: number, claimed: number, committed: number) => ({
  fence: 1 as Fence,
  dispatched: enqueued,
  enqueued,
  claimed,
  committed,
});

const window = { since: 1_000, until: 2_000, buckets: 10 };

test('each run that ended in the span is counted once, where it ended and as it did', () => {
  const runs = [
    run({ statusAt: 999 }),
    run({ statusAt: 1_000 }),
    run({ statusAt: 1_099, status: 'failed', reason: 'AGENT_FAILED' }),
    run({ statusAt: 1_999, status: 'cancelled' }),
    run({ statusAt: 2_000 }),
    run({ statusAt: 1_500, status: 'running' }),
  ];
  const { agents, buckets, reasons } = overviewOf(runs, window);
  expect(buckets).toHaveLength(10);
  expect(buckets[0]).toEqual({ at: 1_000, completed: 1, failed: 1, cancelled: 0, rejected: 0 });
  expect(buckets[9]).toEqual({ at: 1_900, completed: 0, failed: 0, cancelled: 1, rejected: 0 });
  expect(reasons).toEqual([{ reason: 'AGENT_FAILED', count: 1 }]);
  expect(agents).toMatchObject([{ agent: 'a', ended: 3, failed: 1 }]);
});

test('times are values that there were: of a hundred the fiftieth, ninetieth and ninety-ninth', () => {
  const runs = Array.from({ length: 100 }, (_, index) =>
    run({
      statusAt: 1_500,
      createdAt: 1_500 - (index + 1),
      segments: [segment(0, index, index + 2 * (index + 1))],
    }),
  );
  const { agents, queued } = overviewOf(runs, window);
  expect(agents[0]?.whole).toEqual({ count: 100, p50: 50, p90: 90, p99: 99 });
  expect(agents[0]?.worked).toEqual({ count: 100, p50: 100, p90: 180, p99: 198 });
  expect(queued).toEqual({ count: 100, p50: 49, p90: 89, p99: 98 });
});

test('of nothing there are no times', () => {
  expect(overviewOf([], window)).toMatchObject({ agents: [], reasons: [] });
  expect(overviewOf([], window).queued).toBeUndefined();
});
