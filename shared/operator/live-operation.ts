import type { z } from 'zod';
import type { LiveNews } from '../app/operators/live-runs.ts';
import { rightsOf, type Seen } from '../app/operators/operator-rights.ts';
import { fail } from './failure.ts';
import { liveEvents } from './live-schemas.ts';
import { operation, requireOperator, type Surroundings } from './operation.ts';
import { rowOf } from './run-row.ts';

export const liveOperation = operation({
  id: 'live',
  method: 'GET',
  path: '/live',
  summary:
    'Changes of runs as they happen: server-sent events, named after the members of LiveEvents. With Last-Event-ID also what changed since then.',
  right: 'any',
  answer: liveEvents,
  stream: 'always; the JSON stands for the events by name',
  async handle(around) {
    await requireOperator(around);
    await stream(around);
    return undefined;
  },
});

async function stream(around: Surroundings): Promise<void> {
  const { app, console, live, reply } = around;
  const after = placeOf(reply.lastEventId);
  const over = reply.planned(app.settings.streamLife);
  reply.open();
  const at = app.clock.now();
  tell(around, { hello: { at, ...(console !== undefined && { build: console }) } });
  for await (const news of live.follow(after, over)) {
    if (over.aborted) break;
    await pass(around, news);
    await reply.drained();
  }
  reply.end('closing, resume with Last-Event-ID');
}

async function pass(around: Surroundings, news: LiveNews): Promise<void> {
  const { at } = news;
  if (news.kind === 'away') return tell(around, { away: { at } });
  if (news.kind === 'reset') return tell(around, { reset: { at } }, at);
  // Asked each time: a right that was taken away counts at once.
  const rights = rightsOf(around.app, around.caller.subject);
  const seen: Seen[] = [];
  for (const run of news.runs) {
    const may = await rights(run.agent);
    if (may.size > 0 && run.status !== 'purging') seen.push({ run, may });
  }
  if (seen.length > 0)
    tell(around, { runs: seen.map((each) => rowOf(each, around.app.settings)) }, at);
}

function tell({ reply }: Surroundings, event: z.input<typeof liveEvents>, id?: number): void {
  for (const [name, data] of Object.entries(liveEvents.parse(event))) reply.event(name, data, id);
}

function placeOf(header: string | undefined): number | undefined {
  if (header === undefined || header === '') return undefined;
  if (/^\d{1,15}$/.test(header)) return Number(header);
  const words = 'Last-Event-ID: must be the id of an event of this stream, a number';
  throw fail('INVALID_PARAMS', words, { field: 'Last-Event-ID' });
}
