import { describe, expect, it } from 'vitest';
import { sweep } from '../../shared/app/worker/sweep.ts';
import { MemoryWebhooks } from '../doubles/memory-webhooks.ts';
import { type Break, Breaking, BREAKS } from '../../testing/breaking.ts';
import { HOOK, rowOf, talker, URL } from './webhook-world.ts';
import { World } from './world.ts';

/**
 * A task with a webhook is accepted, worked on and told; at one call after the other, to the store
 * or to the webhook, a process fails or dies, between a send and its cursor, too. Another one takes
 * over. Whatever happened: each event was told, first times in the order of the journal, and the
 * webhook's row says so.
 */
const settings = { transactionDeadline: 200 };

async function lives(world: World, span: number): Promise<void> {
  for (let passed = 0; passed < span; passed += 10_000) {
    await world.work();
    await world.clock.advance(10_000);
    void sweep(world.app).catch(() => undefined);
    await world.rest();
  }
  await world.work();
}

/** The names of the calls that were made while the task was worked on and told. */
async function toldWith(how: Break, at: number): Promise<readonly string[]> {
  const webhooks = new MemoryWebhooks();
  const breaking = new Breaking(at, how);
  const world = new World(talker, {
    settings,
    outgoing: breaking.outgoing(webhooks),
    wrap: (backend) => breaking.store(backend),
  });
  const webhook = { ...HOOK, id: 'a' };
  void world.trySend([{ text: 'words' }], { webhook }).catch(() => undefined);
  await world.rest();
  await lives(world, 40_000);
  const { names } = breaking;
  const other = new World(talker, { settings, outgoing: webhooks, below: world });
  await other.clock.advance(world.clock.now() - other.clock.now());
  await lives(other, 120_000);
  const where = `broken ${how} at call ${at}: ${names.at(at - 1) ?? 'none'}`;
  for (const { fields } of world.backend.all('tasks')) {
    const { taskId } = fields as { readonly taskId: string };
    const lastSeq = Number(fields['lastSeq']);
    const seqs = webhooks.seqsTo(URL);
    expect([...new Set(seqs)], where).toEqual(Array.from({ length: lastSeq }, (_, n) => n + 1));
    // One call broke, so one event at most was told twice.
    expect(seqs.length, where).toBeLessThanOrEqual(lastSeq + 1);
    const { webhook: row } = await rowOf(other, taskId, 'a');
    expect(row, where).toMatchObject({ status: 'idle', cursor: lastSeq });
  }
  return names;
}

describe('a webhook is told every event, in order, whatever breaks', () => {
  it.each(BREAKS)('%s any call', async (how) => {
    const whole = await toldWith('before', Infinity);
    expect(whole.filter((name) => name === 'post').length).toBeGreaterThan(2);
    // The calls behind the last post and its cursor are those of sweeps that find nothing.
    for (let at = 1; at <= whole.lastIndexOf('post') + 6; at += 1) await toldWith(how, at);
  });
});
