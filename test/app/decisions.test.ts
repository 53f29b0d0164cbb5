import { describe, expect, it } from 'vitest';
import { decideDirectly } from '../../shared/app/decisions/decide-directly.ts';
import { heldCalls, readPause } from '../../shared/app/content/read-pause.ts';
import { runSegment } from '../../shared/app/worker/run-segment.ts';
import { storeDecision } from '../../shared/app/decisions/store-decision.ts';
import type { Principal } from '../../shared/domain/ids.ts';
import type { DecisionReceipt } from '../../shared/domain/decision.ts';
import { isRefused, type Refused } from '../../shared/domain/refusal.ts';
import {
  approve,
  CALLS,
  deny,
  DIGEST,
  type Effects,
  held,
  input,
  operator,
  owner,
  part,
  rowOf,
  SCHEMA,
  waitingWorld,
} from './deciding.ts';

/** A receipt as a task shows it. */
function shown(receipt: DecisionReceipt | Refused): object {
  if (isRefused(receipt)) throw new Error(receipt.message);
  return { ...receipt, time: new Date(receipt.time).toISOString() };
}

describe('a run that is held for an approval', () => {
  it('is AUTH_REQUIRED and says what a decision must name, but no argument of any call (G4)', async () => {
    const { world, taskId } = await waitingWorld(held([]));
    const task = await world.get(taskId);
    expect(task.status.state).toBe('AUTH_REQUIRED');
    expect(task.status.message?.parts).toEqual([
      { text: 'May I pay?' },
      {
        data: {
          kind: 'approval',
          pauseGeneration: 1,
          digest: DIGEST,
          calls: [{ tool: 'pay', summary: 'a payment of 120' }],
        },
        mediaType: 'application/vnd.holdfast.approval+json',
      },
    ]);
    expect(JSON.stringify(task)).not.toContain('my-secret-word');
  });

  it('holds nothing and is due for nothing but its own removal (G10)', async () => {
    const { world, taskId } = await waitingWorld(held([]));
    const run = await rowOf(world, taskId);
    expect(run).not.toHaveProperty('claim');
    expect(world.queue).toEqual([]);
    expect(world.app.segments.size).toBe(0);
  });

  it('shows an operator the very calls, arguments included', async () => {
    const { world, taskId } = await waitingWorld(held([]));
    const run = await rowOf(world, taskId);
    const request = await readPause(world.app, run);
    expect(request).toMatchObject({ kind: 'approval', digest: DIGEST });
    const [call] = await heldCalls(world.app, run, request);
    expect(call).toEqual({
      id: 'call-1',
      tool: 'pay',
      summary: 'a payment of 120',
      arguments: CALLS[0]?.arguments,
    });
  });
});

describe('a stored decision (G18)', () => {
  it('is answered with a receipt, and the run is queued with a reference to it: nothing has run yet', async () => {
    const effects: Effects = [];
    const { world, taskId } = await waitingWorld(held(effects));
    const receipt = await storeDecision(world.app, operator(), taskId, approve);
    expect(receipt).toEqual({
      id: expect.any(String),
      run: taskId,
      generation: 1,
      kind: 'approve',
      time: world.clock.now(),
    });
    expect(await rowOf(world, taskId)).toMatchObject({
      status: 'queued',
      continuation: { kind: 'decision', generation: 1 },
    });
    expect(effects).toEqual([]);
    await world.work();
    expect(effects).toEqual(['paid']);
    const task = await world.get(taskId);
    expect(task.status.state).toBe('COMPLETED');
    expect(task.metadata?.['decision']).toEqual(shown(receipt));
    expect(JSON.stringify(task)).not.toContain('grace');
  });

  it('that declines is told to the model with who declined', async () => {
    const effects: Effects = [];
    const { world, taskId } = await waitingWorld(held(effects));
    await storeDecision(world.app, operator(), taskId, deny);
    await world.work();
    expect(effects).toEqual(['declined by operator']);
  });

  it('that is repeated by the same decider is answered by the same receipt, before it ran and after', async () => {
    const effects: Effects = [];
    const { world, taskId } = await waitingWorld(held(effects));
    const receipt = await storeDecision(world.app, operator(), taskId, approve);
    await world.clock.advance(5);
    expect(await storeDecision(world.app, operator(), taskId, approve)).toEqual(receipt);
    await world.work();
    expect(await storeDecision(world.app, operator(), taskId, approve)).toEqual(receipt);
    expect(effects).toEqual(['paid']);
  });

  it('comes too late after another one, or after the same one of another decider', async () => {
    const { world, taskId, grants } = await waitingWorld(held([]));
    grants.given.set('other@example.com', ['decide']);
    await storeDecision(world.app, operator(), taskId, approve);
    const code = (decider = operator(), decision = approve) =>
      world.code(storeDecision(world.app, decider, taskId, decision));
    expect(await code(operator(), deny)).toBe('PAUSE_OVER');
    expect(await code(operator('other@example.com'))).toBe('PAUSE_OVER');
    await world.work();
    expect(await code(operator('other@example.com'))).toBe('PAUSE_OVER');
  });

  it('is stored sealed: neither the decider nor the input can be read in the rows', async () => {
    const { world, taskId } = await waitingWorld(held([], {}, 'words'));
    await storeDecision(world.app, operator(), taskId, input('my-secret-word'));
    const rows = JSON.stringify(world.backend.everything(), (_key, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
    );
    expect(rows).not.toContain('my-secret-word');
    expect(rows).not.toContain('grace');
  });

  it('does not count the time that the person took against the deadline', async () => {
    const { world, taskId } = await waitingWorld(held([]));
    await world.clock.advance(3 * world.app.settings.runDeadline);
    await storeDecision(world.app, operator(), taskId, approve);
    await world.work();
    expect(await world.state(taskId)).toBe('COMPLETED');
  });
});

describe('what is refused before anything is stored (G18)', () => {
  const refusal = async (
    decision: unknown,
    asks: 'approval' | 'input' = 'approval',
    decider = operator(),
  ) => {
    const { world, taskId } = await waitingWorld(held([], { owner: true }, asks));
    const before = await rowOf(world, taskId);
    const answer = await storeDecision(world.app, decider, taskId, decision as never);
    expect(await rowOf(world, taskId)).toEqual(before);
    if (!isRefused(answer)) throw new Error('it was taken');
    return { code: answer.code, field: answer.field };
  };

  it.each([
    ['an earlier pause', { ...approve, pauseGeneration: 0 }, 'PAUSE_OVER', 'pauseGeneration'],
    ['a pause to come', { ...approve, pauseGeneration: 2 }, 'PAUSE_OVER', 'pauseGeneration'],
    ['another turn', { ...approve, digest: 'other' }, 'DECISION_MISMATCH', 'digest'],
    ['no turn', { kind: 'approve', pauseGeneration: 1 }, 'INVALID_PARAMS', 'digest'],
    ['an input where an approval is asked', input('x'), 'INVALID_PARAMS', 'kind'],
    ['an approval with an input in it', { ...approve, input: 1 }, 'INVALID_PARAMS', 'input'],
  ])('a decision about %s', async (_what, decision, code, field) => {
    expect(await refusal(decision)).toEqual({ code, field });
  });

  it.each([
    ['an approval where an input is asked', approve, 'INVALID_PARAMS', 'kind'],
    ['no input', input(undefined), 'INVALID_PARAMS', 'input'],
    ['an input that does not fit its schema', input({ count: 0 }), 'INVALID_PARAMS', 'input.count'],
    [
      'an input for another turn',
      { ...input({ count: 1 }), digest: 'x' },
      'DECISION_MISMATCH',
      'digest',
    ],
  ])('%s', async (_what, decision, code, field) => {
    expect(await refusal(decision, 'input')).toEqual({ code, field });
  });

  it('a decision of an operator without the right, who sees the run or does not', async () => {
    const { world, taskId, grants } = await waitingWorld(held([]));
    const code = () => world.code(storeDecision(world.app, operator(), taskId, approve));
    grants.given.set('grace@example.com', ['view']);
    expect(await code()).toBe('DECISION_NOT_ALLOWED');
    grants.given.set('grace@example.com', []);
    expect(await code()).toBe('TASK_NOT_FOUND');
    expect(await world.state(taskId)).toBe('AUTH_REQUIRED');
  });

  it('a decision about a task of another caller is answered like one about no task (G23)', async () => {
    const { world, taskId } = await waitingWorld(held([], { owner: true }));
    const principal: Principal = { ...world.principal, owner: 'other', authenticated: true };
    const answer = storeDecision(world.app, { kind: 'owner', principal }, taskId, approve);
    expect(await world.code(answer)).toBe('TASK_NOT_FOUND');
    const nowhere = '00000000-0000-4000-8000-00000000dead';
    for (const decider of [owner(world), operator()])
      expect(await world.code(storeDecision(world.app, decider, nowhere, approve))).toBe(
        'TASK_NOT_FOUND',
      );
  });
});

describe('who may decide', () => {
  const decides = async (
    decisions: Parameters<typeof held>[1],
    asks: 'approval' | 'input',
    by: 'owner' | 'operator',
    subject = 'grace@example.com',
  ) => {
    const { world, taskId } = await waitingWorld(held([], decisions, asks));
    const decider = by === 'owner' ? owner(world) : operator(subject);
    const decision = asks === 'approval' ? approve : input({ count: 2 });
    const answer = await storeDecision(world.app, decider, taskId, decision);
    return isRefused(answer) ? answer.code : 'stored';
  };

  it.each([
    ['an owner approves nothing by default', {}, 'approval', 'owner', 'DECISION_NOT_ALLOWED'],
    [
      'an owner may approve where the agent says so',
      { owner: true },
      'approval',
      'owner',
      'stored',
    ],
    [
      'under four eyes an owner may not',
      { owner: true, fourEyes: true },
      'approval',
      'owner',
      'DECISION_NOT_ALLOWED',
    ],
    [
      'an owner may always put in what its task asks for',
      { fourEyes: true },
      'input',
      'owner',
      'stored',
    ],
    ['an operator with the right approves', {}, 'approval', 'operator', 'stored'],
    ['under four eyes an operator does, too', { fourEyes: true }, 'approval', 'operator', 'stored'],
  ] as const)('%s', async (_title, decisions, asks, by, expected) => {
    expect(await decides(decisions, asks, by)).toBe(expected);
  });

  it.each([
    [
      'an operator may not approve a task of their own',
      'approval',
      approve,
      'DECISION_NOT_ALLOWED',
    ],
    [
      'an operator may answer what a task of their own asks',
      'input',
      input({ count: 2 }),
      undefined,
    ],
  ] as const)(
    'under four eyes another person approves than the one who asked: %s',
    async (_title, asks, decision, own) => {
      const { world, grants } = await waitingWorld(held([], { fourEyes: true }, asks));
      grants.given.set('ada@example.com', ['decide']);
      const principal: Principal = {
        ...world.principal,
        owner: 'Ada@example.com',
        authenticated: true,
      };
      for (const [subject, code] of [
        ['ada@example.com', own],
        ['grace@example.com', undefined],
      ] as const) {
        const sent = await world.service.send(principal, {
          message: { messageId: subject, role: 'user', parts: [{ text: 'pay me' }] },
        });
        if (sent.kind !== 'accepted') throw new Error('not accepted');
        await world.work();
        const stored = storeDecision(world.app, operator(subject), sent.taskId, decision);
        expect(await world.code(stored)).toBe(code);
      }
    },
  );
});

describe('rights that are withdrawn between storing and the worker', () => {
  it('put the run back into its pause, one generation on, and nothing has happened', async () => {
    const effects: Effects = [];
    const { world, taskId, grants } = await waitingWorld(held(effects));
    const receipt = await storeDecision(world.app, operator(), taskId, approve);
    grants.given.clear();
    await world.work();
    expect(effects).toEqual([]);
    const task = await world.get(taskId);
    expect(task.status.state).toBe('AUTH_REQUIRED');
    expect(task.status.message?.parts[1]).toMatchObject({
      data: { kind: 'approval', pauseGeneration: 2, digest: DIGEST },
    });
    expect(task.metadata?.['decision']).toEqual({ ...shown(receipt), refused: true });
    const refused = world.logged.find(({ event }) => event === 'decision refused');
    expect(refused?.fields).toMatchObject({ task: taskId, generation: 1 });
    expect(JSON.stringify(refused)).not.toContain('grace');
  });

  it('leave the decision no second chance: it must be made anew, for the new generation', async () => {
    const effects: Effects = [];
    const { world, taskId, grants } = await waitingWorld(held(effects));
    await storeDecision(world.app, operator(), taskId, approve);
    grants.given.clear();
    await world.work();
    grants.given.set('grace@example.com', ['decide']);
    const decide = (pauseGeneration: number) =>
      world.code(storeDecision(world.app, operator(), taskId, { ...approve, pauseGeneration }));
    expect(await decide(1)).toBe('PAUSE_OVER');
    expect(await decide(2)).toBeUndefined();
    await world.work();
    expect(effects).toEqual(['paid']);
  });

  it('hold for owners, too, and for an input that asks again with its schema', async () => {
    const effects: Effects = [];
    const decisions = { owner: true };
    const { world, taskId } = await waitingWorld(held(effects, decisions));
    await storeDecision(world.app, owner(world), taskId, approve);
    decisions.owner = false;
    await world.work();
    expect(await world.state(taskId)).toBe('AUTH_REQUIRED');

    const asked = await waitingWorld(held(effects, {}, 'input'));
    await storeDecision(asked.world.app, operator(), asked.taskId, input({ count: 2 }));
    asked.grants.given.clear();
    await asked.world.work();
    const task = await asked.world.get(asked.taskId);
    expect(task.status.state).toBe('INPUT_REQUIRED');
    expect(task.status.message?.parts).toMatchObject([
      { text: 'May I pay?' },
      { data: SCHEMA, mediaType: 'application/schema+json' },
      { data: { kind: 'input', pauseGeneration: 2, digest: DIGEST } },
    ]);
    expect(effects).toEqual([]);
  });
});

describe('a direct decision', () => {
  it('claims the run at once, and its segment is run by the process that decided', async () => {
    const effects: Effects = [];
    const agent = held(effects);
    const { world, taskId } = await waitingWorld(agent);
    const decided = await decideDirectly(world.app, operator(), taskId, approve);
    if (isRefused(decided) || decided.claimed === undefined) throw new Error('not claimed');
    const until = world.clock.now() + world.app.settings.lease;
    const claimed = { status: 'running', steps: 2, claim: { until } };
    expect(await rowOf(world, taskId)).toMatchObject(claimed);
    expect(await rowOf(world, taskId)).not.toHaveProperty('continuation');
    await runSegment(world.app, decided.claimed, agent, decided.delivery);
    expect(effects).toEqual(['paid']);
    const task = await world.get(taskId);
    expect(task.status.state).toBe('COMPLETED');
    expect(task.metadata?.['decision']).toEqual(shown(decided.receipt));
  });

  it('is refused by the same checks, and repeated it gets its receipt and no second claim', async () => {
    const { world, taskId, grants } = await waitingWorld(held([]));
    const direct = (decision = approve) => decideDirectly(world.app, operator(), taskId, decision);
    expect(await world.code(direct({ ...approve, digest: 'other' }))).toBe('DECISION_MISMATCH');
    grants.given.set('grace@example.com', ['view']);
    expect(await world.code(direct())).toBe('DECISION_NOT_ALLOWED');
    grants.given.set('grace@example.com', ['decide']);
    const first = await direct();
    const second = await direct();
    if (isRefused(first) || isRefused(second)) throw new Error('refused');
    expect(second.receipt).toEqual(first.receipt);
    expect(second.claimed).toBeUndefined();
    expect(await world.code(storeDecision(world.app, operator(), taskId, deny))).toBe('PAUSE_OVER');
  });

  it('that no process carries out is taken up by another worker when its lease has lapsed', async () => {
    const effects: Effects = [];
    const { world, taskId } = await waitingWorld(held(effects));
    await decideDirectly(world.app, operator(), taskId, approve);
    await world.clock.advance(world.app.settings.lease + 1);
    world.queue.push({ kind: 'check-lease', taskId, at: world.clock.now(), revision: 0 } as never);
    await world.work();
    expect(effects).toEqual(['paid']);
    expect(await world.state(taskId)).toBe('COMPLETED');
  });
});

describe('an input', () => {
  it('that fits is the next message of the task, and the step that the model reads', async () => {
    const { world, taskId } = await waitingWorld(held([], {}, 'input'));
    await storeDecision(world.app, operator(), taskId, input({ count: 2 }));
    await world.work();
    const task = await world.get(taskId);
    expect(task.status.message?.parts).toEqual([{ data: { got: { count: 2 } } }]);
    expect(task.history.map(({ role }) => role)).toEqual(['user', 'agent', 'user', 'agent']);
    expect(task.history[2]?.parts).toEqual([{ data: { count: 2 } }]);
  });

  it('in words is text where no data was asked for', async () => {
    const { world, taskId } = await waitingWorld(held([], {}, 'words'));
    await storeDecision(world.app, operator(), taskId, input('to ada'));
    await world.work();
    expect((await world.get(taskId)).history[2]?.parts).toEqual([{ text: 'to ada' }]);
  });
});

describe('a message with a decision', () => {
  it('is stored as its owner\u2019s, carried out by a worker, and the history keeps it (G8)', async () => {
    const effects: Effects = [];
    const { world, taskId } = await waitingWorld(held(effects, { owner: true }));
    const said = [{ text: 'yes, do' }, part(approve)];
    expect(await world.trySend(said, { taskId })).toMatchObject({ kind: 'accepted', taskId });
    expect(effects).toEqual([]);
    expect((await world.get(taskId)).metadata?.['decision']).toMatchObject({
      run: taskId,
      generation: 1,
      kind: 'approve',
    });
    await world.work();
    expect(effects).toEqual(['paid']);
    const { history } = await world.get(taskId);
    expect(history.map(({ role }) => role)).toEqual(['user', 'agent', 'user', 'agent']);
    expect(history[2]?.parts).toEqual(said);
  });

  it('that is retried is answered by the same task, and its decision counts once (G22)', async () => {
    const effects: Effects = [];
    const agent = held(effects, { owner: true });
    const { world, taskId } = await waitingWorld(agent, { idempotency: 'always' });
    const send = (decision = approve) =>
      world.trySend([part(decision)], { taskId, messageId: 'decides' });
    const [first, twin] = await Promise.all([send(), send()]);
    expect(twin).toEqual(first);
    await world.work();
    expect(await send()).toEqual(first);
    expect(await world.code(send(deny))).toBe('INVALID_PARAMS');
    await world.work();
    expect(effects).toEqual(['paid']);
    expect((await world.get(taskId)).history).toHaveLength(4);
  });

  it('under an id that another message has taken at the same moment decides nothing (G22)', async () => {
    const effects: Effects = [];
    const agent = { ...held(effects, { owner: true }), parallel: true };
    const { world, taskId } = await waitingWorld(agent, { idempotency: 'always' });
    const other = await world.send('pay ada again');
    await world.work();
    const sent = await Promise.all(
      [taskId, other.taskId].map((id) =>
        world.trySend([part(approve)], { taskId: id, messageId: 'one id' }),
      ),
    );
    const codes = sent.map((answer) => (isRefused(answer) ? answer.code : answer.kind));
    expect(codes.toSorted()).toEqual(['INVALID_PARAMS', 'accepted']);
    await world.work();
    expect(effects).toEqual(['paid']);
  });

  it('of a caller whose retries are not recognised is still one decision', async () => {
    const effects: Effects = [];
    const { world, taskId } = await waitingWorld(held(effects, { owner: true }));
    const first = await world.trySend([part(approve)], { taskId });
    expect(await world.trySend([part(approve)], { taskId })).toEqual(first);
    expect(await world.code(world.trySend([part(deny)], { taskId }))).toBe('PAUSE_OVER');
    await world.work();
    expect(effects).toEqual(['paid']);
  });

  it('is refused by the name of the field that is wrong', async () => {
    const { world, taskId } = await waitingWorld(held([], { owner: true }));
    const field = async (data: object, before: readonly { text: string }[] = []) => {
      const answer = await world.trySend([...before, { data: data as never }], { taskId });
      return isRefused(answer) ? answer.field : 'taken';
    };
    expect(await field({ ...approve, comment: 'x' })).toBe('message.parts[0].data.comment');
    expect(await field({ ...approve, kind: 'maybe' })).toBe('message.parts[0].data.kind');
    expect(await field({ pauseGeneration: 1 })).toBe('message.parts[0].data.kind');
    expect(await field({ ...approve, input: 1 })).toBe('message.parts[0].data.input');
    expect(await field({ kind: 'input', pauseGeneration: 1 })).toBe('message.parts[0].data.input');
    expect(await field({ ...approve, pauseGeneration: '1' })).toBe(
      'message.parts[0].data.pauseGeneration',
    );
    expect(await field({ ...approve, digest: 'x' }, [{ text: 'yes' }])).toBe(
      'message.parts[1].data.digest',
    );
    const two = await world.trySend([part(approve), part(deny)], { taskId });
    expect(two).toMatchObject({ code: 'INVALID_PARAMS', field: 'message.parts[1].data' });
    expect(await world.state(taskId)).toBe('AUTH_REQUIRED');
  });

  it('without a decision approves nothing, and is told what to send', async () => {
    const { world, taskId } = await waitingWorld(held([], { owner: true }));
    const before = await rowOf(world, taskId);
    const answer = await world.trySend([{ text: 'yes, approved' }], { taskId });
    expect(answer).toMatchObject({ code: 'DECISION_REQUIRED' });
    expect(JSON.stringify(answer)).toMatch(/pauseGeneration.*digest/);
    expect(await rowOf(world, taskId)).toEqual(before);
  });

  it('to a task that waits for nothing is refused, and nothing is stored', async () => {
    const { world, taskId } = await waitingWorld(held([], { owner: true }));
    await world.trySend([part(approve)], { taskId });
    await world.work();
    const rows = world.backend.everything().length;
    const late = { ...approve, pauseGeneration: 2 };
    expect(await world.code(world.trySend([part(late)], { taskId }))).toBe('PAUSE_OVER');
    expect(world.backend.everything()).toHaveLength(rows);
  });
});

describe('an ended run', () => {
  it('has no use for a decision that no worker took in, and its content can be read no more', async () => {
    const effects: Effects = [];
    const { world, taskId } = await waitingWorld(held(effects));
    await storeDecision(world.app, operator(), taskId, approve);
    await world.service.cancel(world.principal, taskId);
    await world.work();
    expect(effects).toEqual([]);
    expect(await world.state(taskId)).toBe('CANCELED');
    expect(await rowOf(world, taskId)).not.toHaveProperty('payloadKey');
  });
});
