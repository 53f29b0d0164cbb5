import { describe, expect, it } from 'vitest';
import { purgeRun } from '../../shared/app/privacy/purge-run.ts';
import { answered } from '../doubles/memory-webhooks.ts';
import { held } from './deciding.ts';
import {
  CONSOLE,
  noticesFor,
  noticeWorld,
  OPS,
  target,
  targetRow,
  toldTo,
} from './notice-world.ts';
import { begun, waitingWorld } from './waiting.ts';
import { passes } from './webhook-world.ts';
import { MemoryWebhooks } from '../doubles/memory-webhooks.ts';
import { World } from './world.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const kinds = (webhooks: MemoryWebhooks, url?: string) =>
  toldTo(webhooks, url).map(({ kind }) => kind);

describe('what waits for a person', () => {
  it('is told once, with its agent, its id, its age and where the console has it', async () => {
    const { webhooks, world } = noticeWorld();
    const { taskId } = await world.send('ask');
    await world.work();
    await passes(world, hour);
    expect(webhooks.posts).toHaveLength(1);
    const [post] = webhooks.posts;
    expect(post?.headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8' });
    expect(post?.body).toEqual({
      version: 1,
      at: expect.any(String) as string,
      console: `${CONSOLE}/console`,
      notices: [
        {
          id: expect.stringMatching(/^[0-9a-f]{40}$/) as string,
          kind: 'input',
          agent: 'asker',
          run: taskId,
          shortId: taskId.slice(0, 13),
          since: expect.any(String) as string,
          ageSeconds: 10,
          until: expect.any(String) as string,
          link: `${CONSOLE}/console/runs/${taskId}`,
        },
      ],
    });
  });

  it('is told anew when it asks again, and not when it has been answered', async () => {
    const { webhooks, world } = noticeWorld();
    const { taskId } = await world.send('ask');
    await passes(world, minute);
    await world.send('ask', { taskId });
    await passes(world, minute);
    await world.send('done', { taskId });
    await passes(world, hour);
    const told = toldTo(webhooks);
    expect(told.map(({ kind }) => kind)).toEqual(['input', 'input']);
    expect(new Set(told.map(({ id }) => id)).size).toBe(2);
  });

  it('is told after it has waited as long as the target wants, and not if it is over by then', async () => {
    const { webhooks, world } = noticeWorld([target({ after: 10 * minute })]);
    const { taskId } = await world.send('ask');
    const other = await world.send('ask');
    await passes(world, 9 * minute);
    expect(webhooks.posts).toHaveLength(0);
    await world.send('done', { taskId: other.taskId });
    await passes(world, 2 * minute);
    expect(toldTo(webhooks)).toMatchObject([{ run: taskId }]);
  });

  it('is told to a target that comes later, too, because it waits now', async () => {
    const { webhooks, world } = noticeWorld([]);
    const { taskId } = await world.send('ask');
    await world.send('fail');
    await passes(world, 2 * hour);
    const notices = noticesFor(target());
    const later = new World(held([]), { below: world, outgoing: webhooks, notices });
    await later.clock.advance(world.clock.now() - later.clock.now());
    await passes(later, hour);
    expect(toldTo(webhooks)).toMatchObject([{ kind: 'input', run: taskId }]);
  });

  it('is told again shortly before its wait is over', async () => {
    const { webhooks, world } = noticeWorld();
    await world.send('ask');
    await world.work();
    await passes(world, 30 * day - 2 * hour, hour);
    expect(kinds(webhooks)).toEqual(['input']);
    await passes(world, 90 * minute, 10 * minute);
    expect(kinds(webhooks)).toEqual(['input', 'deadline']);
  });
});

describe('what an approval is about', () => {
  const asked = async (content: boolean, form: 'json' | 'slack' = 'json') => {
    const webhooks = new MemoryWebhooks();
    const notices = noticesFor(target({ content, form }));
    const world = new World(held([]), { outgoing: webhooks, notices });
    await world.send('go');
    await passes(world, minute);
    return JSON.stringify(webhooks.posts.map(({ body }) => body));
  };

  it('is told only where the configuration says so, and its arguments never', async () => {
    expect(await asked(false)).not.toContain('pay');
    expect(await asked(true)).toContain('pay: a payment of 120');
    expect(await asked(true)).not.toContain('my-secret-word');
    expect(await asked(true, 'slack')).toContain('\\n> pay: a payment of 120');
  });
});

describe('a run that failed', () => {
  it('is told with its reason, and once more before it is removed', async () => {
    const { webhooks, world } = noticeWorld();
    await passes(world, minute);
    const { taskId } = await world.send('fail');
    await passes(world, hour);
    expect(toldTo(webhooks)).toMatchObject([
      { kind: 'failed', run: taskId, reason: 'AGENT_FAILED' },
    ]);
    await passes(world, 30 * day - 90 * minute, hour);
    expect(kinds(webhooks)).toEqual(['failed', 'purge']);
  });

  it('is told of its removal and its end though they are nearer than the target wants to know', async () => {
    const settings = { waitingRetention: day, retention: day };
    const { webhooks, world } = noticeWorld([target({ lead: 2 * day })], { settings });
    await passes(world, minute);
    await world.send('fail');
    await world.send('ask');
    await passes(world, minute);
    expect(kinds(webhooks).toSorted()).toEqual(['deadline', 'failed', 'input', 'purge']);
  });

  it('before the target was known is not told of', async () => {
    const { webhooks, world } = noticeWorld();
    await world.send('fail');
    await world.work();
    await passes(world, 29 * day, hour);
    expect(webhooks.posts).toHaveLength(0);
  });
});

describe('a message to a remote agent that may have arrived', () => {
  it('is told, with the place where an operator says what became of it', async () => {
    const webhooks = new MemoryWebhooks();
    const notices = noticesFor(target({ content: true, lead: 10 * minute }));
    const { peer, world } = waitingWorld({ outgoing: webhooks, notices, peer: { canList: false } });
    peer.script('send', { kind: 'drop', when: 'before' });
    await begun(world);
    await passes(world, minute);
    expect(toldTo(webhooks)).toMatchObject([
      { kind: 'unknown-send', link: `${CONSOLE}/console/sends`, content: ['peer'] },
    ]);
    await passes(world, 55 * minute);
    expect(kinds(webhooks)).toEqual(['unknown-send', 'deadline']);
  });
});

describe('a target', () => {
  it('is told only the kinds and agents that it names', async () => {
    const { webhooks, world } = noticeWorld([
      target({ events: ['failed'] }),
      target({ name: 'other', at: { url: `${OPS}/other` }, agents: ['nobody'] }),
    ]);
    await passes(world, minute);
    await world.send('ask');
    await world.send('fail');
    await passes(world, hour);
    expect(kinds(webhooks)).toEqual(['failed']);
    expect(kinds(webhooks, `${OPS}/other`)).toEqual([]);
  });

  it('that collects is told in one message, and not of what is over by then', async () => {
    const { webhooks, world } = noticeWorld([target({ digest: 15 * minute })]);
    const first = await world.send('ask');
    await passes(world, 5 * minute);
    const second = await world.send('ask');
    await passes(world, 5 * minute);
    await world.send('done', { taskId: first.taskId });
    await passes(world, 4 * minute);
    expect(webhooks.posts).toHaveLength(0);
    await passes(world, 3 * minute);
    expect(webhooks.posts).toHaveLength(1);
    expect(toldTo(webhooks)).toMatchObject([{ run: second.taskId }]);
  });

  it('is left alone in its quiet hours, and told afterwards what still waits', async () => {
    // The virtual clock begins at 08:00 UTC.
    const quiet = { from: 8 * 60, to: 9 * 60, timezone: 'UTC' };
    const { webhooks, world } = noticeWorld([target({ quiet })]);
    const { taskId } = await world.send('ask');
    const other = await world.send('ask');
    await passes(world, 50 * minute);
    await world.send('done', { taskId: other.taskId });
    expect(webhooks.posts).toHaveLength(0);
    await passes(world, 20 * minute);
    expect(toldTo(webhooks)).toMatchObject([{ run: taskId }]);
  });

  it('that takes nothing is tried again under the same key, and slows no other', async () => {
    const { webhooks, world } = noticeWorld([
      target(),
      target({ name: 'other', at: { url: `${OPS}/other` } }),
    ]);
    webhooks.at(OPS, (_post, nth) => answered(nth < 3 ? 500 : 200));
    await world.send('ask');
    await passes(world, 10_000);
    expect(kinds(webhooks, `${OPS}/other`)).toEqual(['input']);
    expect(await targetRow(world)).toMatchObject({
      cursor: 0,
      delivery: { status: 'waiting', failures: 1, reason: 'http 500' },
    });
    await passes(world, 5 * minute);
    const posts = webhooks.posts.filter(({ url }) => url === OPS);
    expect(posts).toHaveLength(3);
    expect(new Set(posts.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(await targetRow(world)).toMatchObject({ cursor: 1, delivery: { status: 'idle' } });
  });

  it('waits for Retry-After where that is longer', async () => {
    const { webhooks, world } = noticeWorld();
    webhooks.at(OPS, (_post, nth) => answered(nth === 1 ? 429 : 200, hour));
    await world.send('ask');
    await passes(world, 50 * minute, minute);
    expect(webhooks.posts).toHaveLength(1);
    await passes(world, 15 * minute, minute);
    expect(webhooks.posts).toHaveLength(2);
  });

  it('is parked after as many failures as a webhook has, and nothing is asked for it from then on', async () => {
    const { webhooks, world } = noticeWorld([target()], { settings: { pushAttempts: 2 } });
    webhooks.at(OPS, () => answered(404));
    await world.send('ask');
    await passes(world, day, minute);
    expect(webhooks.posts).toHaveLength(2);
    expect(await targetRow(world)).toMatchObject({
      delivery: { status: 'parked', failures: 2, reason: 'http 404' },
    });
    expect(world.logged).toContainEqual(
      expect.objectContaining({ event: 'notice target parked' }) as unknown,
    );
  });

  it('whose secret is not at hand says so', async () => {
    const { webhooks, world } = noticeWorld([target({ at: { secret: 'GONE' } })]);
    await world.send('ask');
    await passes(world, 10_000);
    expect(webhooks.posts).toHaveLength(0);
    expect(await targetRow(world)).toMatchObject({ delivery: { reason: 'secret not at hand' } });
  });

  it('is told of 120 runs at once in messages of 20, each run once', async () => {
    const { webhooks, world } = noticeWorld();
    for (let at = 0; at < 120; at += 1) await world.send('ask');
    await passes(world, minute);
    expect(webhooks.posts).toHaveLength(6);
    expect(new Set(toldTo(webhooks).map(({ run }) => run)).size).toBe(120);
  });

  it('has no row left of what was told a day ago, and is told nothing twice for that', async () => {
    const { webhooks, world } = noticeWorld();
    const { taskId } = await world.send('ask');
    await passes(world, 2 * day, 10 * minute);
    expect(world.backend.all('noticeTargets/ops/notices')).toEqual([]);
    await purgeRun(world.app, taskId);
    await passes(world, hour);
    expect(webhooks.posts).toHaveLength(1);
  });
});

describe('an installation without targets', () => {
  it('writes no row and hands nothing over for them', async () => {
    const { webhooks, world } = noticeWorld([]);
    await world.send('ask');
    await passes(world, hour);
    expect(webhooks.posts).toEqual([]);
    expect(world.backend.all('noticeTargets')).toEqual([]);
  });
});
