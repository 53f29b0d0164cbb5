import { describe, expect, it } from 'vitest';
import { sweep } from '../../shared/app/worker/sweep.ts';
import { MemoryWebhooks } from '../doubles/memory-webhooks.ts';
import { type Break, Breaking, BREAKS } from '../../testing/breaking.ts';
import { asker, noticesFor, OPS, target, targetRow, toldTo } from './notice-world.ts';
import { World } from './world.ts';

/**
 * Runs wait and fail while two targets are looked after; at one call after the other, to the store
 * or to a target, the process fails or dies, between a message and the note that it was told, too.
 * Another one takes over. Whatever happened: each matter was told to each target, under one id, and
 * the target's row says so.
 */
const settings = { transactionDeadline: 200 };
const OTHER = `${OPS}/other`;

async function lives(world: World, span: number): Promise<void> {
  for (let passed = 0; passed < span; passed += 10_000) {
    await world.work();
    await world.clock.advance(10_000);
    void sweep(world.app).catch(() => undefined);
    await world.rest();
  }
  await world.work();
}

/** The names of the calls that were made while the targets were told. */
async function toldWith(how: Break, at: number): Promise<readonly string[]> {
  const webhooks = new MemoryWebhooks();
  const notices = noticesFor(target(), target({ name: 'other', at: { url: OTHER } }));
  const first = new World(asker, { settings });
  await first.send('ask');
  await first.send('ask');
  await first.work();
  const breaking = new Breaking(at, how);
  const world = new World(asker, {
    settings,
    notices,
    below: first,
    seed: 3,
    outgoing: breaking.outgoing(webhooks),
    wrap: (backend) => breaking.store(backend),
  });
  await lives(world, 40_000);
  const { names } = breaking;
  const last = new World(asker, { settings, notices, outgoing: webhooks, below: first, seed: 4 });
  await last.clock.advance(world.clock.now() - last.clock.now());
  await lives(last, 120_000);
  const where = `broken ${how} at call ${at}: ${names.at(at - 1) ?? 'none'}`;
  for (const [url, name] of [
    [OPS, 'ops'],
    [OTHER, 'other'],
  ] as const) {
    const told = toldTo(webhooks, url);
    expect(new Set(told.map(({ run }) => run)).size, where).toBe(2);
    expect(new Set(told.map(({ id }) => id)).size, where).toBe(2);
    // One call broke, so one message at most was told twice.
    expect(told.length, where).toBeLessThanOrEqual(4);
    expect(await targetRow(last, name), where).toMatchObject({
      seq: 2,
      cursor: 2,
      delivery: { status: 'idle' },
    });
  }
  return names;
}

describe('a target is told each matter, whatever breaks', () => {
  it.each(BREAKS)('%s any call', async (how) => {
    const whole = await toldWith('before', Infinity);
    expect(whole.filter((name) => name === 'post')).toHaveLength(2);
    // The calls behind the last post and its note are those of sweeps that find nothing.
    for (let at = 1; at <= whole.lastIndexOf('post') + 6; at += 1) await toldWith(how, at);
  });
});
