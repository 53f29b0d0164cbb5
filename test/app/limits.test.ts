import { describe, expect, it, test } from 'vitest';
import { defineAgent } from '../../shared/agent/index.ts';
import { isRefused } from '../../shared/domain/refusal.ts';
import type { Settings } from '../../shared/domain/settings.ts';
import { World } from './world.ts';

const agent = defineAgent({
  name: 'asks',
  description: 'Asks once.',
  run: (ctx) => (ctx.text === 'done' ? 'done' : ctx.ask('Well?')),
});

const ada = { tenant: '', owner: 'ada', authenticated: true };

const worldOf = (settings: Partial<Settings>, caller = ada) =>
  new World(agent, { settings, caller });

describe('open tasks of one owner', () => {
  it('are as many as there may be, and the next is refused by the limit until one is over', async () => {
    const world = worldOf({ ownerTasks: 3 });
    const [first] = [await world.send('a'), await world.send('b'), await world.send('c')];
    await world.work();
    expect(await world.trySend([{ text: 'd' }])).toMatchObject({
      kind: 'refused',
      code: 'QUOTA_EXCEEDED',
      message: expect.stringMatching(/3 open tasks .* \(limit ownerTasks\); wait/),
      metadata: { limit: 'ownerTasks' },
      retryAfter: 5,
    });
    // Its question may be answered all the same.
    const { taskId } = first;
    await world.send('done', { taskId });
    await world.work();
    expect(await world.state(taskId)).toBe('COMPLETED');
    await world.clock.advance(2_000);
    expect((await world.trySend([{ text: 'd' }])).kind).toBe('accepted');
    expect((await world.trySend([{ text: 'e' }])).kind).toBe('refused');
  });

  it('are counted for each owner, and by a share at a time for owners of many', async () => {
    const world = worldOf({ ownerTasks: 40 });
    const accepted: string[] = [];
    for (let n = 0; n < 60; n += 1) {
      const sent = await world.trySend([{ text: 'a' }]);
      if (sent.kind === 'accepted') accepted.push(sent.taskId);
    }
    expect(accepted).toHaveLength(40);
    const other = new World(agent, {
      settings: { ownerTasks: 40 },
      caller: { ...ada, owner: 'ben' },
      below: world,
    });
    expect((await other.trySend([{ text: 'a' }])).kind).toBe('accepted');
    // Another process does not know of the share that this one began.
    const second = new World(agent, {
      settings: { ownerTasks: 40 },
      caller: ada,
      below: world,
      seed: 3,
    });
    const more: string[] = [];
    for (let n = 0; n < 10; n += 1) more.push((await second.trySend([{ text: 'a' }])).kind);
    expect(more.filter((kind) => kind === 'accepted')).toHaveLength(2);
  });

  it.each([
    [
      'of callers who can not be told apart',
      { ownerTasks: 1 },
      { ...ada, owner: '', authenticated: false },
    ],
    ['without a limit', { ownerTasks: 0 }, ada],
  ])('%s are as many as they like', async (_, settings, caller) => {
    const world = worldOf(settings, caller);
    for (let n = 0; n < 5; n += 1) await world.send('a');
  });
});

describe('streams of one owner', () => {
  async function opening(settings: Partial<Settings>, caller = ada) {
    const world = worldOf(settings, caller);
    const { taskId } = await world.send('a');
    await world.work();
    const open = async () => {
      const over = new AbortController();
      const request = { until: 'terminal' } as const;
      const frames = await world.service.stream(world.principal, taskId, request, over.signal);
      return { frames, over };
    };
    return { open, taskId, world };
  }

  it('are as many as there may be in a process, and one more once one has ended, however it ends', async () => {
    const { open, taskId, world } = await opening({ ownerStreams: 2 });
    const ends = [
      // Its client leaves before it reads anything.
      async ({ over }: Awaited<ReturnType<typeof open>>) => over.abort(),
      async ({ frames }: Awaited<ReturnType<typeof open>>) => {
        if (isRefused(frames)) throw new Error(frames.code);
        for await (const frame of frames) if (frame.kind === 'task') break;
      },
    ];
    for (const end of ends) {
      const [first, second] = [await open(), await open()];
      const { frames } = await open();
      expect(frames).toMatchObject({
        code: 'QUOTA_EXCEEDED',
        message: expect.stringContaining('limit ownerStreams'),
        metadata: { limit: 'ownerStreams' },
      });
      await end(first);
      const third = await open();
      expect(isRefused(third.frames)).toBe(false);
      second.over.abort();
      third.over.abort();
    }
    // One that is refused for another reason takes no place.
    const nothing = world.service.stream(
      world.principal,
      'unknown',
      { until: 'terminal' },
      new AbortController().signal,
    );
    expect(await world.code(nothing)).toBe('TASK_NOT_FOUND');
    expect(taskId).not.toBe('');
    const [first, second] = [await open(), await open()];
    expect([first, second].map(({ frames }) => isRefused(frames))).toEqual([false, false]);
  });

  it.each([
    [
      'of callers who can not be told apart',
      { ownerStreams: 1 },
      { ...ada, owner: '', authenticated: false },
    ],
    ['without a limit', { ownerStreams: 0 }, ada],
  ])('%s are as many as they like', async (_, settings, caller) => {
    const { open } = await opening(settings, caller);
    for (let n = 0; n < 3; n += 1) expect(isRefused((await open()).frames)).toBe(false);
  });
});

test('a task takes as many messages as it may, and a repeat of the last one is recognised after that', async () => {
  const world = worldOf({ taskMessages: 3 });
  const { taskId } = await world.send('a');
  const last = { taskId, messageId: 'last' };
  for (const over of [{ taskId }, last]) {
    await world.work();
    await world.send('b', over);
  }
  await world.work();
  expect(await world.trySend([{ text: 'c' }], { taskId })).toMatchObject({
    code: 'TASK_TOO_LARGE',
    message: expect.stringContaining('limit taskMessages'),
    metadata: { limit: 'taskMessages' },
  });
  expect((await world.trySend([{ text: 'b' }], last)).kind).toBe('accepted');
  expect(await world.state(taskId)).toBe('INPUT_REQUIRED');
});

describe('what a message holds', () => {
  const world = worldOf({ messageParts: 2, metadataBytes: 10 });
  const text = { text: 'a' };
  // {"a":"12"} has ten bytes.
  const fits = { a: '12' };
  const over = { a: 'ä2' };

  it('at the limits is taken', async () => {
    const part = { ...text, metadata: fits };
    const sent = await world.trySend([part, part], { beside: { metadata: fits } });
    expect(sent.kind).toBe('accepted');
  });

  it.each([
    ['message.parts', [text, text, text], {}, 'messageParts'],
    ['message.parts[1].metadata', [text, { ...text, metadata: over }], {}, 'metadataBytes'],
    ['metadata', [text], { beside: { metadata: over } }, 'metadataBytes'],
  ] as const)('over them is refused by the field: %s', async (field, parts, more, limit) => {
    expect(await world.trySend(parts, more)).toMatchObject({
      code: 'INVALID_PARAMS',
      field,
      message: expect.stringContaining(`limit ${limit}`),
    });
  });
});
