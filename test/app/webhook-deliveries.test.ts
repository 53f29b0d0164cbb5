import { describe, expect, it } from 'vitest';
import { purgeRun } from '../../shared/app/privacy/purge-run.ts';
import { tightenCeiling } from '../../shared/app/privacy/tighten-ceiling.ts';
import { deliverWebhook } from '../../shared/app/webhooks/deliver-webhook.ts';
import { runDoc, viewDoc } from '../../shared/app/records/documents.ts';
import { defaults } from '../../shared/domain/settings.ts';
import { answered } from '../doubles/memory-webhooks.ts';
import { latch, World } from './world.ts';
import { created, HOOK, passes, rowOf, talker, URL, webhookWorld } from './webhook-world.ts';

const minute = 60_000;
const hour = 60 * minute;
const NAMED = { ...HOOK, id: 'a' };

describe('a notification', () => {
  it('carries the credentials, the token, an id of its event and a key, the same at each attempt', async () => {
    const { webhooks, world } = webhookWorld();
    webhooks.at(URL, (_post, nth) => answered(nth < 3 ? 500 : 200));
    const authentication = { scheme: 'Bearer', credentials: 'c-1' };
    const { taskId } = await world.send('hi', {
      webhook: { ...NAMED, token: 't-1', authentication },
    });
    await passes(world, 5 * minute);
    const firsts = webhooks.posts.filter(({ seq }) => seq === 1);
    expect(firsts).toHaveLength(3);
    for (const { headers } of firsts)
      expect(headers).toEqual({
        'a2a-version': '1.0',
        authorization: 'Bearer c-1',
        'content-type': 'application/a2a+json',
        'holdfast-event-id': `${taskId}/1`,
        'idempotency-key': `"${taskId}/a/1"`,
        'user-agent': 'holdfast',
        'x-a2a-notification-token': 't-1',
      });
    expect(new Set(firsts.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });

  it('of v0.3 says so, and has no header for what was not given', async () => {
    const { webhooks, world } = webhookWorld();
    await world.send('hi', { webhook: { ...NAMED, version: '0.3' } });
    await world.work();
    expect(webhooks.posts[0]?.headers).toMatchObject({
      'a2a-version': '0.3',
      'content-type': 'application/json',
    });
    expect(webhooks.posts[0]?.headers).not.toHaveProperty('authorization');
    expect(webhooks.posts[0]?.headers).not.toHaveProperty('x-a2a-notification-token');
  });

  it('that was answered 500 three times comes a fourth time, before any later one', async () => {
    const { webhooks, world } = webhookWorld();
    webhooks.at(URL, (_post, nth) => answered(nth <= 3 ? 500 : 204));
    const { taskId } = await world.send('hi', { webhook: NAMED });
    const at = world.clock.now();
    await passes(world, 4 * minute);
    const seqs = webhooks.seqsTo(URL);
    expect(seqs.slice(0, 5)).toEqual([1, 1, 1, 1, 2]);
    expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
    const { lastSeq = 0 } = (await world.app.store.get(viewDoc(taskId))) ?? {};
    expect((await rowOf(world, taskId, 'a')).webhook).toMatchObject({
      status: 'idle',
      cursor: lastSeq,
    });
    // 15, 45 and 135 seconds, give or take a tenth and the pace of the clock.
    expect(world.clock.now() - at).toBeLessThan(5 * minute);
  });

  it.each([
    ['a redirect', answered(307), 'http 307'],
    ['an answer that is cut', { kind: 'lost', reason: 'broken answer' } as const, 'broken answer'],
    ['a timeout', { kind: 'lost', reason: 'timeout' } as const, 'timeout'],
    [
      'a private address',
      { kind: 'refused', objection: 'private address' } as const,
      'private address',
    ],
  ])('counts %s as a failure, and says so in the row', async (_what, outcome, reason) => {
    const { webhooks, world } = webhookWorld();
    webhooks.at(URL, () => outcome);
    const { taskId } = await world.send('hi', { webhook: NAMED });
    await world.work();
    expect((await rowOf(world, taskId, 'a')).webhook).toMatchObject({
      status: 'waiting',
      failures: 1,
      reason,
    });
  });

  it('waits for Retry-After where that is longer, and holds nothing meanwhile (G24)', async () => {
    const { webhooks, world } = webhookWorld();
    webhooks.at(URL, (_post, nth) => answered(nth === 1 ? 429 : 204, hour));
    const { taskId } = await world.send('hi', { webhook: NAMED });
    await world.work();
    const { webhook } = await rowOf(world, taskId, 'a');
    expect(webhook).toMatchObject({ status: 'waiting', nextAt: world.clock.now() + hour });
    expect(world.clock.waiting).toBe(0);
    await passes(world, hour - minute, 10 * minute);
    expect(webhooks.posts).toHaveLength(1);
    await passes(world, 2 * minute);
    expect(webhooks.posts.length).toBeGreaterThan(1);
  });

  it('is tried ten times within about a day; then its webhook is parked, and no later event is told', async () => {
    const { webhooks, world } = webhookWorld();
    webhooks.at(URL, () => answered(503));
    const { taskId } = await world.send('ask', { webhook: NAMED });
    const began = world.clock.now();
    const times: number[] = [];
    for (let seen = 0; seen < 10; ) {
      await passes(world, minute, minute);
      if (webhooks.posts.length > seen) times.push(world.clock.now() - began);
      seen = webhooks.posts.length;
    }
    expect(webhooks.seqsTo(URL)).toEqual(Array.from({ length: 10 }, () => 1));
    expect(times.at(-1)).toBeGreaterThan(20 * hour);
    expect(times.at(-1)).toBeLessThan(30 * hour);
    expect((await rowOf(world, taskId, 'a')).webhook).toMatchObject({
      status: 'parked',
      failures: 10,
      reason: 'http 503',
    });
    expect(world.logged.map(({ event }) => event)).toContain('webhook parked');
    await world.send('words', { taskId });
    await passes(world, 2 * hour, 10 * minute);
    expect(webhooks.posts).toHaveLength(10);
    // Nothing is due for it any more.
    expect(world.queue).toEqual([]);
  });

  it('that is lost on the way to the queue is told by the sweep, after a crash as well', async () => {
    const { webhooks, world } = webhookWorld();
    const { taskId } = await world.send('ask', { webhook: NAMED });
    await world.work();
    const before = webhooks.posts.length;
    await world.send('words', { taskId });
    // The queue loses every push.
    for (let round = 0; round < 5; round += 1) {
      world.queue.splice(
        0,
        world.queue.length,
        ...world.queue.filter(({ kind }) => kind !== 'push'),
      );
      const [next] = world.queue;
      if (next === undefined) break;
      await world.work();
    }
    await passes(world, 3 * minute);
    const { lastSeq = 0 } = (await world.app.store.get(viewDoc(taskId))) ?? {};
    expect(webhooks.posts.length).toBeGreaterThan(before);
    expect((await rowOf(world, taskId, 'a')).webhook.cursor).toBe(lastSeq);
  });

  it('leaves nothing due when its task rests: the run has noted that it was told', async () => {
    const { world } = webhookWorld();
    const { taskId } = await world.send('hi', { webhook: NAMED });
    await passes(world, minute);
    const run = await world.app.store.get(runDoc(taskId));
    expect(run?.webhooks?.told).toBe(run?.projectedRevision);
    expect(world.queue).toEqual([]);
  });
});

describe('a webhook whose task', () => {
  it('is scrubbed is told how it ended, and nothing of what was scrubbed (G7)', async () => {
    const { webhooks, world } = webhookWorld();
    webhooks.at(URL, (_post, nth) => answered(nth === 1 ? 500 : 204));
    const { taskId } = await world.send('ask', { webhook: { ...NAMED, token: 't-1' } });
    await world.work();
    expect(await tightenCeiling(world.app, taskId, { answer: 'none' })).toBe('failed');
    await passes(world, 2 * minute);
    const [, ...told] = webhooks.posts;
    const states = told.map(({ body }) => /TASK_STATE_\w+/.exec(JSON.stringify(body))?.[0]);
    expect(states[0]).toBe('TASK_STATE_SUBMITTED');
    expect(states.at(-1)).toBe('TASK_STATE_FAILED');
    expect(JSON.stringify(told.map(({ body }) => body))).not.toMatch(/What\?|"ask"/);
    for (const { headers } of told) expect(headers['x-a2a-notification-token']).toBe('t-1');
  });

  it('is redacted while it waits is told redacted words alone (G5)', async () => {
    const installation = { answer: 'redacted', audit: 'metadata' } as const;
    const { webhooks, world } = webhookWorld({ installation });
    await world.send('my secret', { webhook: NAMED });
    await passes(world, minute);
    expect(webhooks.posts.length).toBeGreaterThan(2);
    expect(JSON.stringify(webhooks.posts)).not.toContain('secret');
  });

  it('is removed is told nothing more, and no row of it is left (G9)', async () => {
    const { webhooks, world } = webhookWorld();
    webhooks.at(URL, () => answered(500));
    const { taskId } = await world.send('hi', { webhook: NAMED });
    await passes(world, minute);
    expect(await purgeRun(world.app, taskId)).toBe('purged');
    const before = webhooks.posts.length;
    await passes(world, hour, 10 * minute);
    expect(webhooks.posts).toHaveLength(before);
    expect(world.backend.all('webhooks')).toEqual([]);
  });
});

describe('two processes', () => {
  it('deliver to one webhook one after the other: while one is at it the other does nothing', async () => {
    const { webhooks, world } = webhookWorld();
    const answering = latch();
    webhooks.at(URL, async () => {
      await answering.opened;
      return answered(204);
    });
    const { taskId } = await world.send('hi', { webhook: NAMED });
    await world.work();
    const other = new World(talker, { outgoing: webhooks, below: world });
    await deliverWebhook(other.app, { taskId, id: 'a' });
    expect(webhooks.posts).toHaveLength(1);
    answering.open();
    await world.rest();
    await world.work();
    const seqs = webhooks.seqsTo(URL);
    expect(seqs).toEqual(seqs.map((_, at) => at + 1));
    expect((await rowOf(world, taskId, 'a')).webhook.status).toBe('idle');
  });

  it('of which one was killed while it waited for the answer: the other tells the same event again', async () => {
    const { webhooks, world } = webhookWorld();
    webhooks.at(URL, (_post, nth) => (nth === 1 ? new Promise(() => undefined) : answered(204)));
    const { taskId } = await world.send('hi', { webhook: NAMED });
    await world.work();
    const other = new World(talker, { outgoing: webhooks, below: world });
    await other.clock.advance(2 * defaults.pushTimeout + 2 * defaults.sweepGrace);
    await passes(other, 2 * minute);
    expect(webhooks.seqsTo(URL).slice(0, 3)).toEqual([1, 1, 2]);
    expect((await rowOf(other, taskId, 'a')).webhook.status).toBe('idle');
  });

  it('of which one comes back after its claim: what it notes changes nothing', async () => {
    const { webhooks, world } = webhookWorld();
    const answering = latch();
    webhooks.at(URL, async (_post, nth) => {
      if (nth === 1) await answering.opened;
      return answered(nth === 1 ? 500 : 204);
    });
    const { taskId } = await world.send('hi', { webhook: NAMED });
    await world.work();
    const other = new World(talker, { outgoing: webhooks, below: world });
    await other.clock.advance(2 * minute);
    await passes(other, 2 * minute);
    const before = await rowOf(other, taskId, 'a');
    answering.open();
    await world.rest();
    expect(await rowOf(other, taskId, 'a')).toEqual(before);
  });
});

describe('two hundred webhooks', () => {
  it('of which half are dead: the other half is told on time', async () => {
    const { webhooks, world } = webhookWorld();
    // Each at a host of its own: those at one host share its places (below).
    const urls = Array.from({ length: 200 }, (_, n) => `https://hooks-${n}.example/`);
    const { clock } = world;
    const toldAt = new Map<string, number>();
    for (const [n, url] of urls.entries()) {
      webhooks.at(url, async () => {
        // Half of the dead ones stall until the timeout, half answer 500 at once.
        if (n % 4 === 0) await clock.sleep(defaults.pushTimeout);
        if (n % 2 === 0) return n % 4 === 0 ? { kind: 'lost', reason: 'timeout' } : answered(500);
        toldAt.set(url, clock.now());
        return answered(204);
      });
    }
    const began = clock.now();
    for (let task = 0; task < 20; task += 1) {
      const { taskId } = await world.send('ask');
      await world.work();
      for (const url of urls.slice(task * 10, task * 10 + 10))
        await created(world, taskId, { url, version: '1.0' });
      await world.send('words', { taskId });
      await world.work();
    }
    const late = [...toldAt.values()].filter((at) => at - began > 1_000);
    expect(toldAt.size).toBe(100);
    expect(late).toEqual([]);
    await passes(world, 20 * minute, minute);
    const alive = urls.filter((_, n) => n % 2 === 1);
    for (const url of alive) {
      const seqs = webhooks.seqsTo(url);
      expect(seqs.length).toBeGreaterThan(1);
      expect(new Set(seqs).size).toBe(seqs.length);
    }
  });

  it('of which many hosts stall: few are waited for, and the attempts at the others fail after a second', async () => {
    const { webhooks, world } = webhookWorld({ settings: { pushSlow: 2 } });
    const urls = Array.from({ length: 5 }, (_, n) => `https://slow-${n}.example/`);
    for (const url of urls)
      webhooks.at(url, () => world.clock.sleep(10_000).then(() => answered(204)));
    const tasks: string[] = [];
    for (const url of urls)
      tasks.push((await world.send('hi', { webhook: { ...NAMED, url } })).taskId);
    await world.work();
    await world.clock.advance(1_000);
    await world.work();
    const rows = await Promise.all(tasks.map((taskId) => rowOf(world, taskId, 'a')));
    expect(rows.map(({ webhook }) => webhook.status).toSorted()).toEqual([
      'delivering',
      'delivering',
      ...Array.from({ length: 3 }, () => 'waiting'),
    ]);
    const failed = { failures: 1, reason: 'slow' };
    for (const { webhook } of rows.filter((row) => row.webhook.status === 'waiting'))
      expect(webhook).toMatchObject(failed);
    // Whom it waits for is told in the end.
    await passes(world, 20 * minute);
    for (const [n, url] of urls.entries()) {
      const { lastSeq = 0 } = (await world.app.store.get(viewDoc(tasks[n] ?? ''))) ?? {};
      expect(new Set(webhooks.seqsTo(url)).has(lastSeq), url).toBe(true);
    }
  });

  it('of which many are at one host that stalls: it has some places, and no other webhook waits', async () => {
    const { webhooks, world } = webhookWorld({ settings: { pushHost: 3 } });
    const { clock } = world;
    const slow = Array.from({ length: 20 }, (_, n) => `https://slow.example/${n}`);
    const state = { stalls: true, onTheirWay: 0, most: 0 };
    for (const url of slow)
      webhooks.at(url, async () => {
        state.onTheirWay += 1;
        state.most = Math.max(state.most, state.onTheirWay);
        if (state.stalls) await clock.sleep(defaults.pushTimeout);
        state.onTheirWay -= 1;
        return state.stalls ? { kind: 'lost', reason: 'timeout' } : answered(204);
      });
    const tasks: { readonly taskId: string; readonly url: string }[] = [];
    for (const url of [...slow, URL]) {
      const { taskId } = await world.send('hi', { webhook: { ...HOOK, id: 'a', url } });
      tasks.push({ taskId, url });
    }
    await world.work();
    expect(webhooks.seqsTo(URL).length).toBeGreaterThan(0);
    await passes(world, minute);
    expect(state.most).toBe(3);
    const rows = await Promise.all(tasks.map(({ taskId }) => rowOf(world, taskId, 'a')));
    const failures = rows.flatMap(({ webhook }) =>
      'failures' in webhook ? [webhook.failures] : [],
    );
    // Being put off is no attempt.
    expect(failures.filter((count) => count === 0).length).toBeGreaterThan(5);
    state.stalls = false;
    await passes(world, hour, minute);
    for (const { taskId, url } of tasks) {
      const { lastSeq = 0 } = (await world.app.store.get(viewDoc(taskId))) ?? {};
      expect(new Set(webhooks.seqsTo(url)).has(lastSeq), url).toBe(true);
    }
  });
});
