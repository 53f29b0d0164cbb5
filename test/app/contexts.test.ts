import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineAgent } from '../../shared/agent/index.ts';
import { tightenCeiling } from '../../shared/app/privacy/tighten-ceiling.ts';
import type { Principal } from '../../shared/domain/ids.ts';
import { World } from './world.ts';
import { withCommit } from './wrapped.ts';

const asking = defineAgent({
  name: 'asking',
  description: 'Asks once.',
  run(ctx) {
    if (ctx.history.length === 0)
      ctx.ask('How many?', z.object({ count: z.number().int().min(1) }));
    return `${ctx.history.length} said before ${ctx.text || 'data'}`;
  },
});

describe('one task of a context at a time (G19)', () => {
  it('a second task is refused while the first is open, and taken when it has ended', async () => {
    const world = new World(asking);
    const { contextId, taskId } = await world.send('first', { contextId: 'ctx' });
    expect(await world.code(world.trySend([{ text: 'second' }], { contextId }))).toBe(
      'CONTEXT_BUSY',
    );
    await world.work();
    expect(await world.state(taskId)).toBe('INPUT_REQUIRED');
    expect(await world.code(world.trySend([{ text: 'second' }], { contextId }))).toBe(
      'CONTEXT_BUSY',
    );
    await world.send('three', { taskId });
    await world.work();
    expect(await world.state(taskId)).toBe('COMPLETED');
    await world.send('second', { contextId });
  });

  it('of ten tasks that are sent at once into one context exactly one is taken', async () => {
    const world = new World(asking);
    const sent = await Promise.all(
      Array.from({ length: 10 }, () => world.trySend([{ text: 'go' }], { contextId: 'ctx' })),
    );
    expect(sent.filter(({ kind }) => kind === 'accepted')).toHaveLength(1);
  });

  it('a parallel agent takes them all', async () => {
    const world = new World(
      defineAgent({ name: 'parallel', description: 'Parallel.', parallel: true, run: () => 'ok' }),
    );
    const sent = await Promise.all(
      Array.from({ length: 5 }, () => world.trySend([{ text: 'go' }], { contextId: 'ctx' })),
    );
    expect(sent.filter(({ kind }) => kind === 'accepted')).toHaveLength(5);
  });

  it('two callers may use one context id, and neither meets the other (G23)', async () => {
    const world = new World(asking);
    await world.send('mine', { contextId: 'ctx' });
    const other: Principal = { ...world.principal, owner: 'other', authenticated: true };
    const sent = await world.service.send(other, {
      message: { messageId: 'm', role: 'user', parts: [{ text: 'theirs' }] },
      contextId: 'ctx',
    });
    expect(sent.kind).toBe('accepted');
  });

  it('the last completed task is the one whose completion committed last', async () => {
    const world = new World(defineAgent({ name: 'quick', description: 'Quick.', run: () => 'ok' }));
    const first = await world.send('1', { contextId: 'ctx' });
    await world.work();
    const second = await world.send('2', { contextId: 'ctx' });
    await world.work();
    const [context] = await world.backend.query({
      collection: 'contexts',
      filters: [],
      order: undefined,
      limit: 10,
    });
    expect(context?.fields).toMatchObject({
      lastCompleted: second.taskId,
      activeTask: null,
    });
    expect(first.taskId).not.toBe(second.taskId);
  });
});

describe('the message that answers', () => {
  it('continues the same task with everything that was said before', async () => {
    const world = new World(asking);
    const { taskId } = await world.send('question');
    await world.work();
    await world.trySend([{ data: { count: 3 } }], { taskId });
    await world.work();
    const task = await world.get(taskId);
    expect(task.status.message?.parts).toEqual([{ text: '2 said before data' }]);
    expect(task.history.map(({ role }) => role)).toEqual(['user', 'agent', 'user', 'agent']);
  });

  it('is refused by the path of the value that does not fit the question, and the task goes on waiting (G18)', async () => {
    const world = new World(asking);
    const { taskId } = await world.send('question');
    await world.work();
    const refused = await world.trySend([{ data: { count: 0 } }], { taskId });
    expect(refused).toMatchObject({
      kind: 'refused',
      code: 'INVALID_PARAMS',
      field: 'message.parts[0].data.count',
    });
    expect(await world.state(taskId)).toBe('INPUT_REQUIRED');
  });

  it('is taken once: of two answers to one question the second finds the task busy', async () => {
    const world = new World(asking);
    const { taskId } = await world.send('question');
    await world.work();
    const sent = await Promise.all(['a', 'b'].map((text) => world.trySend([{ text }], { taskId })));
    expect(
      sent.map((answer) => (answer.kind === 'refused' ? answer.code : answer.kind)).sort(),
    ).toEqual(['TASK_BUSY', 'accepted']);
  });

  it('is refused while the task works, when it has ended, for an unknown task, and in another context', async () => {
    const world = new World(asking);
    const { taskId } = await world.send('question');
    expect(await world.code(world.trySend([{ text: 'x' }], { taskId }))).toBe('TASK_BUSY');
    await world.work();
    const elsewhere = await world.trySend([{ text: 'x' }], { taskId, contextId: 'other' });
    expect(elsewhere).toMatchObject({ code: 'INVALID_PARAMS', field: 'message.contextId' });
    await world.service.cancel(world.principal, taskId);
    expect(await world.code(world.trySend([{ text: 'x' }], { taskId }))).toBe('TASK_TERMINAL');
    const unknown = '00000000-0000-4000-8000-00000000dead';
    expect(await world.code(world.trySend([{ text: 'x' }], { taskId: unknown }))).toBe(
      'TASK_NOT_FOUND',
    );
  });
});

describe('retried messages (G22)', () => {
  it('the same message makes one task, however often and however parallel it is sent', async () => {
    const world = new World(asking, { idempotency: 'always' });
    const sent = await Promise.all(
      Array.from({ length: 10 }, () => world.send('go', { messageId: 'm1' })),
    );
    expect(new Set(sent.map(({ taskId }) => taskId)).size).toBe(1);
    await world.work();
    expect((await world.send('go', { messageId: 'm1' })).taskId).toBe(sent[0]?.taskId);
  });

  it('a message whose twin is taken between two of its reads is answered by the same task, not by CONTEXT_BUSY', async () => {
    let twin: (() => Promise<unknown>) | undefined;
    const world = new World(asking, {
      idempotency: 'always',
      wrap: (below) => ({
        ...withCommit(below, (checks, writes) => below.commit(checks, writes)),
        async read(paths) {
          const rows = await below.read(paths);
          const first = twin;
          twin = undefined;
          await first?.();
          return rows;
        },
      }),
    });
    const send = () => world.send('go', { messageId: 'm1', contextId: 'ctx' });
    twin = send;
    const { taskId } = await send();
    expect((await send()).taskId).toBe(taskId);
  });

  it('another body under the same id is refused by the field', async () => {
    const world = new World(asking, { idempotency: 'always' });
    await world.send('go', { messageId: 'm1' });
    expect(await world.trySend([{ text: 'other' }], { messageId: 'm1' })).toMatchObject({
      code: 'INVALID_PARAMS',
      field: 'message.messageId',
    });
  });

  it('a retried answer is answered by its task, also when the task has gone on', async () => {
    const world = new World(asking, { idempotency: 'always' });
    const { taskId } = await world.send('go', { messageId: 'm1' });
    await world.work();
    await world.send('answer', { taskId, messageId: 'm2' });
    await world.work();
    expect(await world.state(taskId)).toBe('COMPLETED');
    expect((await world.send('answer', { taskId, messageId: 'm2' })).taskId).toBe(taskId);
  });

  it('callers who can not be told apart are not recognised by default, and authenticated ones are', async () => {
    const world = new World(defineAgent({ name: 'quick', description: 'Quick.', run: () => 'ok' }));
    const anonymous = await Promise.all([
      world.send('go', { messageId: 'm' }),
      world.send('go', { messageId: 'm' }),
    ]);
    expect(anonymous[0]?.taskId).not.toBe(anonymous[1]?.taskId);
    const known: Principal = { ...world.principal, owner: 'ada', authenticated: true };
    const send = () =>
      world.service.send(known, {
        message: { messageId: 'm', role: 'user', parts: [{ text: 'go' }] },
      });
    const recognised = await Promise.all([send(), send()]);
    expect(recognised[0]).toEqual(recognised[1]);
  });

  it('a receipt ends with its 24 hours', async () => {
    const world = new World(
      defineAgent({ name: 'quick', description: 'Quick.', run: () => 'ok' }),
      { idempotency: 'always' },
    );
    const first = await world.send('go', { messageId: 'm' });
    await world.work();
    await world.clock.advance(world.app.settings.receiptLife + 1);
    expect((await world.send('go', { messageId: 'm' })).taskId).not.toBe(first.taskId);
  });
});

describe('what a receipt says of its message', () => {
  const agent = defineAgent({ name: 'quick', description: 'Quick.', run: () => 'ok' });

  async function received() {
    const world = new World(agent, { idempotency: 'always' });
    const { taskId } = await world.send('my pin is 4711', { messageId: 'm' });
    const [row] = await world.backend.query({
      collection: 'receipts',
      filters: [],
      order: undefined,
      limit: 9,
    });
    return { world, taskId, digest: row?.fields['digest'] };
  }

  it('is nothing that a guess could be checked by: the same message of another task has another', async () => {
    const { digest } = await received();
    const other = new World(agent, { idempotency: 'always', seed: 7 });
    await other.send('my pin is 4711', { messageId: 'm' });
    const [row] = await other.backend.query({
      collection: 'receipts',
      filters: [],
      order: undefined,
      limit: 9,
    });
    expect(digest).toEqual(expect.stringMatching(/^[\w-]{43}$/));
    expect(row?.fields['digest']).not.toBe(digest);
  });

  it('ends with the content: its retry is still answered by its task, and makes none anew', async () => {
    const { world, taskId } = await received();
    expect(await world.code(world.trySend([{ text: 'another' }], { messageId: 'm' }))).toBe(
      'INVALID_PARAMS',
    );
    await tightenCeiling(world.app, taskId, { answer: 'none' });
    expect(await world.send('my pin is 4711', { messageId: 'm' })).toMatchObject({ taskId });
  });
});
