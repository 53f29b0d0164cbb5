import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineAgent } from '../../shared/agent/index.ts';
import { pauseDoc } from '../../shared/app/records/work-documents.ts';
import { storeDecision } from '../../shared/app/decisions/store-decision.ts';
import { tightenCeiling } from '../../shared/app/privacy/tighten-ceiling.ts';
import type { Decision } from '../../shared/domain/decision.ts';
import { isRefused } from '../../shared/domain/refusal.ts';
import {
  approve,
  DIGEST,
  type Effects,
  held,
  input,
  operator,
  part,
  rowOf,
  TestGrants,
  waitingWorld,
} from './deciding.ts';
import { SECRET } from './shapes.ts';
import { World } from './world.ts';

/** An agent that is held for an approval, and then says what it was given to work on. */
function repeating(seen: string[], publication: { readonly task?: 'redacted' } = {}) {
  const agent = held([], { owner: true });
  return {
    ...agent,
    publication: { ...agent.publication, ...publication },
    run: (segment: Parameters<typeof agent.run>[0]) => {
      const [first] = segment.message.parts;
      seen.push(first !== undefined && 'text' in first ? first.text : JSON.stringify(first));
      return agent.run(segment);
    },
  };
}

async function heldWorld(agent: ReturnType<typeof held>) {
  const world = new World(agent, { grants: new TestGrants() });
  const { taskId } = await world.send(`pay ${SECRET}`);
  await world.work();
  return { world, taskId };
}

describe('history survives an approval (G8)', () => {
  it('whole, in the order in which it was said, with any approver', async () => {
    const { world, taskId } = await heldWorld(held([], { owner: true }));
    await storeDecision(world.app, operator(), taskId, approve);
    await world.work();
    const { history } = await world.get(taskId);
    expect(history.map(({ parts: [first] }) => first)).toEqual([
      { text: `pay ${SECRET}` },
      { text: 'May I pay?' },
      { text: 'paid' },
    ]);
  });

  it('and the agent still works on the message from before it, not on the approval', async () => {
    const seen: string[] = [];
    const { world, taskId } = await heldWorld(repeating(seen));
    await world.trySend([part(approve)], { taskId });
    await world.work();
    expect(seen).toEqual([`pay ${SECRET}`, `pay ${SECRET}`]);
  });
});

describe('where only redacted text may be kept', () => {
  it('what must be named can be named, and the agent goes on with what it was really given', async () => {
    const seen: string[] = [];
    const { world, taskId } = await heldWorld(repeating(seen, { task: 'redacted' }));
    const asked = (await world.get(taskId)).status.message?.parts[1];
    expect(asked).toMatchObject({ data: { kind: 'approval', pauseGeneration: 1, digest: DIGEST } });
    await world.trySend([{ text: `yes, ${SECRET}` }, part(approve)], { taskId });
    await world.work();
    expect(seen).toEqual([`pay ${SECRET}`, `pay ${SECRET}`]);
    const task = await world.get(taskId);
    expect(task.status.state).toBe('COMPLETED');
    expect(JSON.stringify(task)).not.toContain(SECRET);
    expect(task.history[2]?.parts[0]).toEqual({ text: 'yes, [removed]' });
  });

  it('an input reaches the agent as it was put in, and the history without what is personal', async () => {
    const effects: Effects = [];
    const agent = held(effects, {}, 'words');
    const { world, taskId } = await waitingWorld({
      ...agent,
      publication: { ...agent.publication, task: 'redacted' },
    });
    await storeDecision(world.app, operator(), taskId, input(`to ${SECRET}`));
    expect(await rowOf(world, taskId)).toMatchObject({ hasInput: true });
    await world.work();
    const task = await world.get(taskId);
    expect(effects).toEqual(['paid']);
    expect(task.history[2]?.parts).toEqual([{ text: 'to [removed]' }]);
    // The agent repeats what it was given, and that is redacted, too.
    expect(task.status.message?.parts).toEqual([{ data: { got: 'to [removed]' } }]);
  });

  it('a redactor that takes everything leaves what a decision must name', async () => {
    const redactor = {
      redact: (texts: readonly string[]) => Promise.resolve(texts.map(() => '-')),
    };
    const { taskId, world } = await waitingWorld(repeating([], { task: 'redacted' }), { redactor });
    const task = await world.get(taskId);
    expect(task.status.message?.parts).toMatchObject([
      { text: '-' },
      { data: { kind: 'approval', pauseGeneration: 1, digest: DIGEST } },
    ]);
    expect(JSON.stringify(task)).not.toContain('a payment of 120');
    await world.trySend([part(approve)], { taskId });
    await world.work();
    expect(await world.state(taskId)).toBe('COMPLETED');
  });

  it('an answer is checked against the schema that was asked for, not against what is left of it', async () => {
    const choosing = defineAgent({
      name: 'choosing',
      description: 'Asks whom.',
      publication: { task: 'redacted' },
      run(ctx) {
        if (ctx.history.length > 0) return 'chosen';
        return ctx.ask('Whom?', z.object({ whom: z.enum([SECRET]) }));
      },
    });
    const { taskId, world } = await waitingWorld(choosing);
    const wrong = await world.trySend([{ data: { whom: '[removed]' } }], { taskId });
    expect(wrong).toMatchObject({ field: 'message.parts[0].data.whom' });
    await world.trySend([{ data: { whom: SECRET } }], { taskId });
    await world.work();
    expect(await world.state(taskId)).toBe('COMPLETED');
  });

  it.each(['before', 'after'])(
    'a ceiling that tightens %s the decision leaves both to go on',
    async (when) => {
      const seen: string[] = [];
      const { world, taskId } = await heldWorld(repeating(seen));
      const tighten = () => tightenCeiling(world.app, taskId, { answer: 'redacted' });
      if (when === 'before') expect(await tighten()).toBe('redacted');
      expect(isRefused(await storeDecision(world.app, operator(), taskId, approve))).toBe(false);
      if (when === 'after') expect(await tighten()).toBe('redacted');
      await world.work();
      const task = await world.get(taskId);
      expect(task.status.state).toBe('COMPLETED');
      expect(seen).toEqual([`pay ${SECRET}`, `pay ${SECRET}`]);
      expect(JSON.stringify(task)).not.toContain(SECRET);
    },
  );
});

it('a ceiling that comes to keep nothing ends the run before its decision takes effect (G7)', async () => {
  const effects: Effects = [];
  const { world, taskId } = await waitingWorld(held(effects));
  await storeDecision(world.app, operator(), taskId, approve);
  expect(await tightenCeiling(world.app, taskId, { answer: 'none' })).toBe('failed');
  await world.work();
  expect(effects).toEqual([]);
  const task = await world.get(taskId);
  expect(task.status.state).toBe('FAILED');
  expect(task.metadata?.['reason']).toBe('RESULT_NOT_KEPT');
});

describe('an agent without a model', () => {
  const asking = defineAgent({
    name: 'asking',
    description: 'Asks once.',
    run(ctx) {
      if (ctx.history.length === 0) ctx.ask('How many?', z.object({ count: z.number().min(1) }));
      const [first] = ctx.message.parts;
      return [{ data: { got: first !== undefined && 'data' in first ? first.data : null } }];
    },
  });
  const decision: Decision = { kind: 'input', pauseGeneration: 1, input: { count: 3 } };

  it('that asks is INPUT_REQUIRED with its question and never completed', async () => {
    const { world, taskId } = await waitingWorld(asking);
    await world.clock.advance(world.app.settings.runDeadline * 2);
    await world.work();
    const { status } = await world.get(taskId);
    expect(status.state).toBe('INPUT_REQUIRED');
    expect(status.message?.parts[0]).toEqual({ text: 'How many?' });
  });

  it('that answers at once is COMPLETED, and asks nothing', async () => {
    const quick = defineAgent({ name: 'quick', description: 'Quick.', run: () => 'ok' });
    const { world, taskId } = await waitingWorld(quick);
    expect(await world.state(taskId)).toBe('COMPLETED');
    expect((await rowOf(world, taskId)).pauseGeneration).toBe(0);
  });

  it('gets an operator\u2019s input as its next message; there is no digest to name', async () => {
    const { world, taskId } = await waitingWorld(asking);
    const named = storeDecision(world.app, operator(), taskId, { ...decision, digest: 'x' });
    expect(await world.code(named)).toBe('DECISION_MISMATCH');
    const wrong = storeDecision(world.app, operator(), taskId, {
      ...decision,
      input: { count: 0 },
    });
    expect(await wrong).toMatchObject({ code: 'INVALID_PARAMS', field: 'input.count' });
    await storeDecision(world.app, operator(), taskId, decision);
    await world.work();
    const { history, status } = await world.get(taskId);
    expect(status.message?.parts).toEqual([{ data: { got: { count: 3 } } }]);
    expect(history[2]).toMatchObject({ role: 'user', parts: [{ data: { count: 3 } }] });
  });

  it('that asked before there were checkpoints is answered by what it published', async () => {
    const { world, taskId } = await waitingWorld(asking);
    await world.app.store.transact(async (tx) => tx.delete(pauseDoc(taskId, 1)));
    const wrong = await world.trySend([{ data: { count: 0 } }], { taskId });
    expect(wrong).toMatchObject({ field: 'message.parts[0].data.count' });
    const misfit = storeDecision(world.app, operator(), taskId, { ...decision, input: 'x' });
    expect(await misfit).toMatchObject({ field: 'input' });
    await storeDecision(world.app, operator(), taskId, decision);
    await world.work();
    expect(await world.state(taskId)).toBe('COMPLETED');
  });

  it('gets the input of a message with a decision, while the history keeps the message as it was sent', async () => {
    const { world, taskId } = await waitingWorld(asking);
    const wrong = await world.trySend([part({ ...decision, input: { count: 0 } })], { taskId });
    expect(wrong).toMatchObject({ field: 'message.parts[0].data.input.count' });
    await world.trySend([part(decision)], { taskId });
    await world.work();
    const { history, status } = await world.get(taskId);
    expect(status.message?.parts).toEqual([{ data: { got: { count: 3 } } }]);
    expect(history[2]?.parts).toEqual([part(decision)]);
  });
});
