import { describe, expect, it } from 'vitest';
import { sendName } from '../../shared/app/operators/unresolved-send.ts';
import { sendDoc } from '../../shared/app/records/work-documents.ts';
import { sendIds } from '../../shared/domain/send.ts';
import { openAt, passes, row, sends, suspended, total } from '../app/waiting.ts';
import { latch } from '../app/world.ts';
import { overwrite, unknownWorld, type Unknown } from './worlds.ts';

/** The send that stands in for the first, and how it is called. */
function second(taskId: string): { readonly id: string; readonly name: string } {
  const { messageId } = sendIds(taskId, 'call-1', 1);
  return { id: messageId, name: sendName(taskId, messageId) };
}

/** Nothing is sent by itself, however long it takes. */
async function restsOpen({ peer, taskId, world }: Unknown, sent = 1): Promise<void> {
  await passes(world, 60_000);
  expect(total(peer.sends)).toBe(sent);
  expect(await suspended(world, taskId)).toMatchObject({ dependency: { operation: null } });
}

describe('a send whose outcome is not known', () => {
  it('is shown, in the inbox and in the list, and never sent by itself (G15)', async () => {
    const made = await unknownWorld();
    const { api, send, taskId } = made;
    await restsOpen(made, 0);
    const { body } = await api.get('/inbox');
    expect(body).toMatchObject({
      decisions: [],
      sends: [
        { id: send, run: taskId, remote: 'peer', state: 'outcome_unknown', reason: 'no answer' },
      ],
    });
    const listed = await api.get('/runs?waitingFor=unknown-send');
    expect(listed.body.runs).toMatchObject([
      { id: taskId, waitsFor: { kind: 'unknown-send', remote: 'peer' } },
    ]);
    expect((await api.get('/status')).body.waiting).toEqual({
      approval: 0,
      input: 0,
      dependency: 1,
      unknownSend: 1,
    });
  });

  it('sent again, is a message of its own, linked to the first, and its answer resumes the run', async () => {
    const { agent, api, peer, send, taskId, world } = await unknownWorld();
    const answer = await api.post(`/sends/${send}/resend`);
    const { id, name } = second(taskId);
    expect(answer).toMatchObject({
      status: 200,
      body: { run: taskId, send: name, state: 'acknowledged' },
    });
    const [first, again] = sends(world, taskId);
    expect(first).toMatchObject({ state: 'superseded', replacedBy: id });
    expect(again).toMatchObject({ state: 'acknowledged', replaces: first?.messageId });
    expect(again?.contextId).not.toBe(first?.contextId);
    expect([...peer.sends]).toEqual([[id, 1]]);
    expect((await row(world, taskId)).spent).toMatchObject({ delegations: 2 });
    peer.settle(openAt(peer)[0] ?? '', 'COMPLETED', 'done');
    await passes(world, 60_000);
    expect(await world.state(taskId)).toBe('COMPLETED');
    expect(agent.seen.at(-1)).toMatchObject({ value: { status: 'completed' } });
    expect((await api.get('/inbox')).body.sends).toEqual([]);
  });

  it('sent again to a remote that had taken the first, makes a second task there, because an operator said so', async () => {
    const { api, peer, send } = await unknownWorld('after');
    await api.post(`/sends/${send}/resend`);
    expect(peer.tasks.size).toBe(2);
  });

  it('is sent again once when ten operators ask for it', async () => {
    const { api, peer, send, taskId } = await unknownWorld();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => api.post(`/sends/${send}/resend`)),
    );
    const codes = answers.map(({ body, status }) => (status === 200 ? 'sent' : body.error.code));
    expect(codes.filter((code) => code === 'sent')).toHaveLength(1);
    expect(codes.every((code) => ['sent', 'SEND_SETTLED', 'SEND_UNDER_WAY'].includes(code))).toBe(
      true,
    );
    expect([...peer.sends]).toEqual([[second(taskId).id, 1]]);
  });

  it('sent again and lost again, waits for a word once more, under its new name', async () => {
    const made = await unknownWorld();
    const { api, peer, send, taskId } = made;
    peer.script('send', { kind: 'drop', when: 'after' });
    const answer = await api.post(`/sends/${send}/resend`);
    const { name } = second(taskId);
    expect(answer.body).toMatchObject({ send: name, state: 'outcome_unknown' });
    expect((await api.get('/inbox')).body.sends).toMatchObject([{ id: name }]);
    await restsOpen(made, 1);
    expect((await api.post(`/sends/${send}/resend`)).body.error.code).toBe('SEND_SETTLED');
    expect((await api.post(`/sends/${name}/resend`)).body.state).toBe('acknowledged');
    expect(peer.sends.size).toBe(2);
  });

  it('that provably never left says so, and may leave under the same id, at no further cost', async () => {
    const { api, peer, send, taskId, world } = await unknownWorld();
    peer.reachable = false;
    const answer = await api.post(`/sends/${send}/resend`);
    expect(answer).toMatchObject({ status: 502, body: { error: { code: 'REMOTE_NOT_REACHED' } } });
    const { id, name } = second(taskId);
    expect((await api.get('/inbox')).body.sends).toMatchObject([{ id: name, state: 'not_sent' }]);
    peer.reachable = true;
    expect((await api.post(`/sends/${name}/resend`)).body).toMatchObject({ send: name });
    expect([...peer.sends]).toEqual([[id, 1]]);
    expect((await row(world, taskId)).spent).toMatchObject({ delegations: 2 });
  });

  it('that a busy remote did not take may leave again, and one that it refuses is a result', async () => {
    const { agent, api, peer, send, taskId, world } = await unknownWorld();
    peer.script('send', { kind: 'error', code: 429 }, { kind: 'error', code: 400 });
    expect((await api.post(`/sends/${send}/resend`)).status).toBe(502);
    const { name } = second(taskId);
    expect((await api.post(`/sends/${name}/resend`)).body).toMatchObject({ state: 'refused' });
    await world.work();
    expect(agent.seen.at(-1)).toMatchObject({ value: { status: 'refused', reason: 'http 400' } });
    expect(await world.state(taskId)).toBe('COMPLETED');
  });

  it('answered with a message, has that as its result', async () => {
    const { agent, api, peer, send, world } = await unknownWorld();
    peer.script('send', { kind: 'reply', text: 'no need for a task' });
    expect((await api.post(`/sends/${send}/resend`)).body.state).toBe('acknowledged');
    await world.work();
    expect(agent.seen.at(-1)).toMatchObject({
      value: { status: 'completed', message: [{ text: 'no need for a task' }] },
    });
  });

  it('is not sent again past the limit of delegations (G16)', async () => {
    const { api, peer, send, taskId, world } = await unknownWorld('before', {
      settings: { delegations: 1 },
    });
    const before = await row(world, taskId);
    const answer = await api.post(`/sends/${send}/resend`);
    expect(answer).toMatchObject({ status: 409, body: { error: { code: 'BUDGET_EXCEEDED' } } });
    expect(await row(world, taskId)).toEqual(before);
    expect(total(peer.sends)).toBe(0);
  });

  it('is committed before it leaves; while it is under way, no operator can touch it, and a crash leaves it unknown', async () => {
    const made = await unknownWorld();
    const { api, peer, send, taskId, world } = made;
    const never = latch();
    peer.script('send', { kind: 'hold', when: 'before', until: never.opened });
    const lost = api.post(`/sends/${send}/resend`).catch(() => undefined);
    const { id, name } = second(taskId);
    await expect.poll(async () => (await suspended(world, taskId)).dependency.sendId).toBe(id);
    expect(sends(world, taskId).at(-1)).toMatchObject({ state: 'prepared' });
    for (const verb of ['resend', 'abandon'])
      expect((await api.post(`/sends/${name}/${verb}`)).body.error.code).toBe('SEND_UNDER_WAY');
    // The process that sent it is gone for good.
    await passes(world, 60_000);
    expect((await api.get('/inbox')).body.sends).toMatchObject([
      { id: name, state: 'outcome_unknown' },
    ]);
    expect((await api.get(`/runs/${taskId}`)).body.sends.at(-1)).toMatchObject({
      state: 'outcome_unknown',
    });
    expect((await api.post(`/sends/${name}/abandon`)).status).toBe(200);
    never.open();
    await lost;
  });
});

describe('linking the remote task that came of a send', () => {
  it('makes the run wait for that task, after the remote was asked for it', async () => {
    const { agent, api, peer, send, taskId, world } = await unknownWorld('after');
    const [found = ''] = openAt(peer);
    const answer = await api.post(`/sends/${send}/link`, { taskId: found });
    expect(answer).toMatchObject({ status: 200, body: { state: 'acknowledged' } });
    expect(peer.looks.get(found)).toBe(1);
    expect((await api.get(`/runs/${taskId}`)).body).toMatchObject({
      waitsFor: { kind: 'dependency' },
      dependency: { operation: { taskId: found } },
    });
    peer.settle(found, 'COMPLETED', 'done');
    await passes(world, 60_000);
    expect(agent.seen.at(-1)).toMatchObject({ value: { status: 'completed' } });
    expect(total(peer.sends)).toBe(1);
  });

  it.each([
    ['that the remote does not know', 'remote-task-99', undefined],
    ['of another context', 'remote-task-1', { kind: 'other context' } as const],
  ])('is refused for a task %s', async (_, task, fault) => {
    const made = await unknownWorld('after');
    const { api, peer, send } = made;
    if (fault !== undefined) peer.script('look', fault);
    const answer = await api.post(`/sends/${send}/link`, { taskId: task });
    expect(answer).toMatchObject({
      status: 409,
      body: { error: { code: 'REMOTE_TASK_UNKNOWN', field: 'taskId' } },
    });
    await restsOpen(made);
  });

  it('changes nothing while the remote does not answer', async () => {
    const made = await unknownWorld('after');
    const { api, peer, send } = made;
    peer.script('look', { kind: 'error', code: 503 });
    const answer = await api.post(`/sends/${send}/link`, { taskId: 'remote-task-1' });
    expect(answer).toMatchObject({ status: 502, body: { error: { code: 'REMOTE_NOT_REACHED' } } });
    await restsOpen(made);
  });
});

describe('giving a send up', () => {
  it('resumes the run with a result that says so, and a late answer of it changes nothing', async () => {
    const { agent, api, send, taskId, world } = await unknownWorld('after');
    const answer = await api.post(`/sends/${send}/abandon`);
    expect(answer).toMatchObject({ status: 200, body: { state: 'abandoned' } });
    await world.work();
    expect(agent.seen.at(-1)).toMatchObject({ value: { status: 'abandoned' } });
    expect(await world.state(taskId)).toBe('COMPLETED');
    for (const [verb, body] of [
      ['abandon', {}],
      ['resend', {}],
      ['link', { taskId: 'remote-task-1' }],
    ] as const)
      expect((await api.post(`/sends/${send}/${verb}`, body)).body.error.code).toBe('SEND_SETTLED');
  });

  it('of two operators who say different things one is right, and the run is resumed once', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { agent, api, peer, send, world } = await unknownWorld('after');
      const [found = ''] = openAt(peer);
      const answers = await Promise.all([
        api.post(`/sends/${send}/abandon`),
        api.post(`/sends/${send}/link`, { taskId: found }),
        api.post(`/sends/${send}/resend`),
      ]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      for (const task of openAt(peer)) peer.settle(task, 'COMPLETED', 'done');
      await passes(world, 60_000);
      expect(new Set(agent.seen.map(({ value }) => JSON.stringify(value))).size).toBe(1);
    }
  });
});

describe('what is said after another operator was faster', () => {
  it.each(['abandon', 'resend', 'cancel'] as const)(
    'a link that is overtaken by %s is refused, and makes nothing known that could be cancelled',
    async (verb) => {
      const made = await unknownWorld('after');
      const { api, peer, send, taskId, world } = made;
      const [found = ''] = openAt(peer);
      const asked = latch();
      const look = world.app.remotes.poll.bind(world.app.remotes);
      world.app.remotes.poll = async (...given) => {
        await asked.opened;
        return look(...given);
      };
      const linked = api.post(`/sends/${send}/link`, { taskId: found });
      const path = verb === 'cancel' ? `/runs/${taskId}/cancel` : `/sends/${send}/${verb}`;
      expect((await api.post(path)).status).toBe(200);
      const before = sends(world, taskId);
      asked.open();
      expect((await linked).body.error.code).toBe('SEND_SETTLED');
      expect(sends(world, taskId)).toEqual(before);
      // Its task is looked for, as of every send that no run waits for any more; the link has told
      // nothing about it.
      expect((await row(world, taskId)).orphans).toMatchObject([{ operation: null }]);
      expect(peer.cancels.size).toBe(0);
    },
  );
});

describe('a send that is no question', () => {
  it('is refused by what is wrong', async () => {
    const { api, send, taskId, world } = await unknownWorld();
    const code = async (name: string) => (await api.post(`/sends/${name}/abandon`)).body.error.code;
    expect(await code('nonsense')).toBe('SEND_NOT_FOUND');
    expect(await code(sendName(taskId, taskId))).toBe('SEND_NOT_FOUND');
    await overwrite(world, taskId, { status: 'waiting_for_the_moon' });
    expect(await code(send)).toBe('STATUS_UNKNOWN');
    const { messageId } = sendIds(taskId, 'call-1');
    const kept = await world.app.store.get(sendDoc(taskId, messageId));
    expect(kept).toMatchObject({ state: 'outcome_unknown' });
  });

  it.each(['resend', 'abandon'])(
    'of a run whose key is gone, is ended with it (%s)',
    async (verb) => {
      const { api, send, taskId, world } = await unknownWorld();
      await overwrite(world, taskId, { wrappedKey: new Uint8Array(60) });
      expect((await api.post(`/sends/${send}/${verb}`)).body.error.code).toBe('SEND_SETTLED');
      expect(await row(world, taskId)).toMatchObject({ reason: 'STATE_UNREADABLE' });
    },
  );

  it('is settled once its run was cancelled', async () => {
    const { api, send, taskId } = await unknownWorld();
    expect((await api.post(`/runs/${taskId}/cancel`)).body).toMatchObject({ status: 'cancelled' });
    expect((await api.post(`/sends/${send}/resend`)).body.error.code).toBe('SEND_SETTLED');
  });
});
