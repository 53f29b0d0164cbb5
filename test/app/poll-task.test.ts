import { describe, expect, it } from 'vitest';
import { isRefused } from '../../shared/domain/refusal.ts';
import type { Polled, Polling } from '../../shared/app/service.ts';
import { defaults } from '../../shared/domain/settings.ts';
import { talker } from './webhook-world.ts';
import { World } from './world.ts';

const never = new AbortController().signal;

async function poll(world: World, id: string, polling: Polling = {}): Promise<Polled> {
  const polled = await world.service.poll(world.principal, id, polling, never);
  if (isRefused(polled)) throw new Error(polled.message);
  return polled;
}

describe('a poll of a task', () => {
  it('has the position of its newest event, and waits for one behind the position that it names', async () => {
    const world = new World(talker);
    const { taskId } = await world.send('ask');
    await world.work();
    const { seq, task } = await poll(world, taskId);
    expect(task.status.state).toBe('INPUT_REQUIRED');
    // Behind what its caller has seen there is something already.
    expect((await poll(world, taskId, { afterSeq: seq - 1 })).seq).toBe(seq);
    const page = await world.service.list(world.principal, { includeArtifacts: false });
    expect(page).toMatchObject({ seqs: [seq] });
    const waiting = poll(world, taskId, { afterSeq: seq });
    await world.send('words', { taskId });
    await world.work();
    const news = await waiting;
    expect(news.seq).toBeGreaterThan(seq);
    expect(news.task.status.state).not.toBe('INPUT_REQUIRED');
  });

  it('ends with the task as it stands: at the cap, when it is stopped, and where nothing comes any more', async () => {
    const world = new World(talker);
    const { taskId } = await world.send('ask');
    await world.work();
    const { seq } = await poll(world, taskId);
    const waiting = poll(world, taskId, { afterSeq: seq });
    await world.clock.advance(defaults.blockingCap);
    expect((await waiting).seq).toBe(seq);
    const stop = new AbortController();
    const stopped = world.service.poll(world.principal, taskId, { afterSeq: seq }, stop.signal);
    stop.abort('no more waiting');
    expect(await stopped).toMatchObject({ seq });
    await world.send('words', { taskId });
    await world.work();
    const { seq: last } = await poll(world, taskId);
    expect(await poll(world, taskId, { afterSeq: last })).toMatchObject({
      task: { status: { state: 'COMPLETED' } },
    });
    expect(world.clock.waiting).toBe(0);
  });

  it('of an unknown task, or of a foreign one, says that there is none', async () => {
    const world = new World(talker);
    const { taskId } = await world.send('ask');
    await world.work();
    const eve = { ...world.principal, owner: 'eve' };
    for (const [principal, id] of [
      [world.principal, 'nothing'],
      [eve, taskId],
    ] as const)
      expect(await world.service.poll(principal, id, { afterSeq: 99 }, never)).toMatchObject({
        code: 'TASK_NOT_FOUND',
      });
  });
});

describe('a message for a task as its sender has seen it', () => {
  it('is taken where the task is still so, and again when its answer was lost', async () => {
    const world = new World(talker, { idempotency: 'always' });
    const { taskId } = await world.send('ask');
    await world.work();
    const { seq } = await poll(world, taskId);
    const message = { messageId: 'once', role: 'user', parts: [{ text: 'words' }] } as const;
    const send = () => world.service.send(world.principal, { message, taskId, ifSeq: seq });
    expect(await send()).toMatchObject({ kind: 'accepted', taskId });
    expect(await send()).toMatchObject({ kind: 'accepted', taskId });
    await world.work();
    expect(await world.state(taskId)).toBe('COMPLETED');
  });

  it('is refused where the task has moved on, and changes nothing', async () => {
    const world = new World(talker);
    const { taskId } = await world.send('ask');
    await world.work();
    const { seq } = await poll(world, taskId);
    const message = { messageId: 'late', role: 'user', parts: [{ text: 'words' }] } as const;
    const late = { message, taskId, ifSeq: seq - 1 };
    expect(await world.service.send(world.principal, late)).toMatchObject({
      code: 'GENERATION_MISMATCH',
      metadata: { expectedGeneration: String(seq - 1), currentGeneration: String(seq) },
    });
    expect((await poll(world, taskId)).seq).toBe(seq);
    expect(await world.state(taskId)).toBe('INPUT_REQUIRED');
  });
});
