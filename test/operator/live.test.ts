import { describe, expect, it, onTestFinished } from 'vitest';
import { type Event, eventsOf } from '../../functions/cli/events.ts';
import { createLiveRuns, type LiveNews } from '../../shared/app/operators/live-runs.ts';
import type { Backend } from '../../shared/ports/backend.ts';
import { Unavailable } from '../../shared/ports/faults.ts';
import { finish } from '../app/turn-loop-world.ts';
import { approvalWorld, type Asking } from './worlds.ts';

const SECOND = 1_000;

async function listen({ api }: Asking, as = 'all', lastEventId?: string) {
  const over = new AbortController();
  onTestFinished(() => over.abort());
  const response = await fetch(`${api.url}/live`, {
    headers: {
      Authorization: `Bearer ${as}`,
      ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }),
    },
    signal: over.signal,
  });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  if (response.body === null) throw new Error('no body');
  const events = eventsOf(response.body);
  return async (): Promise<Event | undefined> => {
    const next = await events.next();
    return next.done === true ? undefined : next.value;
  };
}

/** News of a process, taken one by one. */
function viewer(asking: Asking, live = createLiveRuns(asking.world.app)) {
  const over = new AbortController();
  onTestFinished(() => over.abort());
  const news = live.follow(undefined, over.signal)[Symbol.asyncIterator]();
  return {
    live,
    next: async (): Promise<LiveNews | undefined> => {
      const { done, value } = await news.next();
      return done === true ? undefined : value;
    },
    leave: () => over.abort(),
  };
}

describe('GET /live', () => {
  it('tells of a run that changed, as a list shows it, with the place to resume behind', async () => {
    const asking = await approvalWorld();
    const { api, taskId, world } = asking;
    await world.clock.advance(60 * SECOND);
    const next = await listen(asking);
    expect(await next()).toMatchObject({ name: 'hello', data: { at: expect.any(String) } });
    await api.post(`/runs/${taskId}/cancel`);
    await world.clock.advance(SECOND);
    const told = await next();
    expect(told).toMatchObject({ name: 'runs', data: [{ id: taskId, status: 'cancelled' }] });
    expect(Number(told?.id)).toBe(world.clock.now());
    const { body } = await api.get('/runs');
    expect(told?.data).toEqual(body.runs);
  });

  it('tells a client that was cut off what it missed', async () => {
    const asking = await approvalWorld();
    const { api, taskId, world } = asking;
    await world.clock.advance(60 * SECOND);
    const seen = world.clock.now();
    await world.clock.advance(10 * SECOND);
    await api.post(`/runs/${taskId}/cancel`);
    await world.clock.advance(60 * SECOND);
    const next = await listen(asking, 'all', String(seen));
    await next();
    expect(await next()).toMatchObject({ name: 'runs', data: [{ id: taskId }] });
  });

  it('tells nothing of agents on which an operator has no right, from the next look on', async () => {
    const asking = await approvalWorld();
    const { api, taskId, team, world } = asking;
    await world.clock.advance(60 * SECOND);
    expect((await api.get('/live', 'nobody')).status).toBe(403);
    const [theirs, ours] = [await listen(asking, 'view'), await listen(asking)];
    await theirs();
    await ours();
    team.members.set('view', { may: [] });
    await api.post(`/runs/${taskId}/cancel`);
    await world.clock.advance(SECOND);
    expect(await ours()).toMatchObject({ name: 'runs' });
    team.members.set('view', { may: ['view'], agent: 'another' });
    world.clock.advance(world.app.settings.streamLife).catch(() => undefined);
    // The next thing that it hears is the end.
    expect(await theirs()).toBeUndefined();
  });

  it('ends as planned after the life of a stream', async () => {
    const asking = await approvalWorld();
    const next = await listen(asking);
    await asking.world.clock.advance(asking.world.app.settings.streamLife);
    const names: string[] = [];
    for (let event = await next(); event !== undefined; event = await next())
      names.push(event.name);
    // What changed just before it began is told, too.
    expect(names).toEqual(['hello', 'runs']);
  });

  it('refuses a place that is none', async () => {
    const { api } = await approvalWorld();
    const headers = { Authorization: 'Bearer all', 'Last-Event-ID': 'x' };
    const response = await fetch(`${api.url}/live`, { headers });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error: { field: 'Last-Event-ID' } },
    ]);
  });
});

describe('the look at what changed', () => {
  it('is one for all viewers of a process, and none without a viewer', async () => {
    let queries = 0;
    const wrap = (backend: Backend): Backend => ({
      read: (paths) => backend.read(paths),
      commit: (...given) => backend.commit(...given),
      query: (...given) => {
        queries += 1;
        return backend.query(...given);
      },
      count: (...given) => backend.count(...given),
      follow: (...given) => backend.follow(...given),
      watch: (...given) => backend.watch(...given),
      close: () => backend.close(),
    });
    const asking = await approvalWorld({ wrap });
    const { clock, app } = asking.world;
    await clock.advance(60 * SECOND);
    const first = viewer(asking);
    const others = Array.from({ length: 9 }, () => viewer(asking, first.live));
    const waiting = [first, ...others].map(({ next }) => next());
    queries = 0;
    await clock.advance(10 * SECOND);
    // A look a second, a query for each shard; what they find is no more than the index's entry.
    expect(queries).toBe(10 * app.settings.shards);
    for (const { leave } of [first, ...others]) leave();
    await Promise.all(waiting);
    await clock.advance(SECOND);
    queries = 0;
    await clock.advance(60 * SECOND);
    expect(queries).toBe(0);
  });

  it('tells each change once, however late it became visible within five seconds', async () => {
    const asking = await approvalWorld();
    const { api, taskId, world } = asking;
    await world.clock.advance(60 * SECOND);
    const { next } = viewer(asking);
    const news = next();
    await api.post(`/runs/${taskId}/cancel`);
    await world.clock.advance(SECOND);
    expect(await news).toMatchObject({ kind: 'runs', runs: [{ taskId, status: 'cancelled' }] });
    const more = next();
    await world.clock.advance(20 * SECOND);
    await world.send('go');
    await finish(world);
    await world.clock.advance(SECOND);
    const told = await more;
    expect(told?.kind === 'runs' && told.runs.map((run) => run.taskId)).not.toContain(taskId);
  });

  it('says that the store is away, and to read anew when it is back', async () => {
    let broken = false;
    const wrap = (backend: Backend): Backend => ({
      read: (paths) => backend.read(paths),
      commit: (...given) => backend.commit(...given),
      query: (...given) =>
        broken ? Promise.reject(new Unavailable('the store')) : backend.query(...given),
      count: (...given) => backend.count(...given),
      follow: (...given) => backend.follow(...given),
      watch: (...given) => backend.watch(...given),
      close: () => backend.close(),
    });
    const asking = await approvalWorld({ wrap });
    const { clock } = asking.world;
    await clock.advance(60 * SECOND);
    const { next } = viewer(asking);
    broken = true;
    const away = next();
    await clock.advance(SECOND);
    expect(await away).toMatchObject({ kind: 'away' });
    broken = false;
    let news: LiveNews | undefined;
    for (const told of [next(), next()]) {
      await clock.advance(SECOND);
      news = await Promise.race([told, Promise.resolve(news)]);
    }
    expect(news).toMatchObject({ kind: 'reset' });
  });
});
