import { describe, expect, it } from 'vitest';
import type { RunRow } from '../wire.ts';
import { changed, knows } from './run-list.ts';

const row = (id: string, given: Partial<RunRow> = {}): RunRow => ({
  id,
  context: 'c',
  agent: 'a',
  status: 'running',
  state: 'WORKING',
  open: true,
  createdAt: '2026-11-30T00:00:00.000Z',
  statusAt: '2026-11-30T00:00:00.000Z',
  may: [],
  ...given,
});
const ids = (rows: readonly RunRow[]) => rows.map(({ id }) => id);
const query = (text: string) => new URLSearchParams(text);

describe('a list of runs', () => {
  it('has what changed last on top, each run once', () => {
    const rows = [row('1'), row('2'), row('3')];
    expect(ids(changed(rows, [row('3'), row('4')], query('')))).toEqual(['4', '3', '1', '2']);
  });

  it.each([
    ['status=running', { status: 'completed', open: false }],
    ['status=open', { status: 'completed', open: false }],
    ['status=ended', {}],
    ['agent=a', { agent: 'b' }],
    ['context=c', { context: 'd' }],
    ['reason=AGENT_FAILED', { reason: 'OTHER' }],
    ['waitingFor=blocked', {}],
    ['waitingFor=unknown-send', {}],
  ])('with the filter %s loses a run that does not fit it any more', (text, now) => {
    expect(ids(changed([row('1'), row('2')], [row('1', now)], query(text)))).toEqual(['2']);
  });

  it('takes what waits for an event, a circuit or a time for queued, too', () => {
    for (const status of ['queued', 'waiting_for_event', 'waiting_for_circuit', 'sleeping'])
      expect(ids(changed([], [row('1', { status })], query('status=queued')))).toEqual(['1']);
    expect(changed([], [row('1', { status: 'queued' })], query('status=sleeping'))).toEqual([]);
  });

  it.each([
    'sort=cost',
    'order=asc',
    'caller=ada',
    'minCost=1',
    'status=open&since=2026-01-01T00:00:00Z',
  ])('leaves to the server what belongs in it by %s, and changes rows where they stand', (text) => {
    expect(knows(query(text))).toBe(false);
    const rows = [row('1'), row('2')];
    const after = changed(rows, [row('2', { status: 'failed' }), row('3')], query(text));
    expect(after.map(({ id, status }) => [id, status])).toEqual([
      ['1', 'running'],
      ['2', 'failed'],
    ]);
  });
});
