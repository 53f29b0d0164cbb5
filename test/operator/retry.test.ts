import { describe, expect, it } from 'vitest';
import { defineAgent } from '../../shared/agent/index.ts';
import { changeRun } from '../../shared/app/change/change-run.ts';
import { taskId as taskIdOf, type TaskId } from '../../shared/domain/ids.ts';
import { contentOf, write } from '../app/files-world.ts';
import { finish, rowOf } from '../app/turn-loop-world.ts';
import { World } from '../app/world.ts';
import { call } from '../../testing/scripted-model.ts';
import { Team } from './api.ts';
import { type Failed, failedWorld, newRequest, SECRET } from './trying.ts';
import { apiOver } from './worlds.ts';

async function retry({ api, taskId }: Pick<Failed, 'api' | 'taskId'>, more: object = {}) {
  return api.post(`/runs/${taskId}/retry`, { requestId: newRequest(), ...more });
}

function idOf(text: string): TaskId {
  const id = taskIdOf(text);
  if (id === undefined) throw new Error('no id of a task');
  return id;
}

/** Retried, with nothing in its way, and finished. */
async function retried(made: Failed, more: object = {}): Promise<string> {
  made.broken.now = false;
  const answer = await retry(made, more);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  await finish(made.world);
  return answer.body.run?.id ?? '';
}

describe('a failed run that is retried', () => {
  it('goes on from its last good step, in a new task of the context, and what ran is not run again', async () => {
    const made = await failedWorld();
    const before = await made.world.get(made.taskId);
    expect(before.status.state).toBe('FAILED');
    const id = await retried(made);
    const task = await made.world.get(id);
    expect(task.status.state).toBe('COMPLETED');
    expect(task.contextId).toBe('one');
    expect(made.ran.map(({ callId, tool }) => [tool, callId.split('.')[0]])).toEqual([
      ['look', made.taskId],
      ['pay', made.taskId],
    ]);
    // The model reads what it had read before it broke down.
    expect(made.model.seen.map(({ role }) => role)).toEqual([
      'user',
      'model',
      'tool',
      'model',
      'tool',
    ]);
    expect(await made.world.get(made.taskId)).toEqual(before);
  });

  it('shows its caller a standard task, whose message is its own and refers to the earlier one', async () => {
    const made = await failedWorld();
    const id = await retried(made);
    const [message, ...more] = (await made.world.get(id)).history;
    expect(message).toMatchObject({
      role: 'user',
      parts: [{ text: `go ${SECRET}` }],
      referenceTaskIds: [made.taskId],
    });
    expect(more.filter(({ role }) => role === 'user')).toEqual([]);
    const listed = await made.world.service.list(made.world.principal, {
      contextId: 'one',
      includeArtifacts: false,
    });
    expect(JSON.stringify(listed)).toContain(id);
  });

  it('says of which run it is, and the earlier one which run was made of it, and by whom', async () => {
    const made = await failedWorld();
    const id = await retried(made);
    const origin = { kind: 'retry', run: made.taskId, steps: 5 };
    expect((await made.api.get(`/runs/${id}`)).body).toMatchObject({ origin });
    const { acts } = (await made.api.get(`/runs/${made.taskId}`)).body;
    expect(acts).toMatchObject([{ kind: 'retry', run: id, operator: 'all' }]);
  });

  it('is made once for a request, however often and how close together it comes', async () => {
    const made = await failedWorld();
    made.broken.now = false;
    const requestId = newRequest();
    const answers = await Promise.all([1, 2, 3].map(() => retry(made, { requestId })));
    answers.push(await retry(made, { requestId }));
    const ids = new Set(answers.map(({ body }) => body.run?.id));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(ids.size).toBe(1);
    await finish(made.world);
    expect((await retry(made, { requestId })).body.run).toMatchObject({ status: 'completed' });
    expect((await made.api.get('/runs')).body.runs).toHaveLength(2);
    expect((await rowOf(made.world, made.taskId)).acts).toHaveLength(1);
  });

  it('waits for its turn: while a task of the context is not finished, nothing is made', async () => {
    const made = await failedWorld();
    made.broken.now = false;
    const other = await made.world.send('another', { contextId: 'one' });
    const refused = await retry(made);
    expect(refused).toMatchObject({ status: 409, body: { error: { code: 'CONTEXT_BUSY' } } });
    expect(refused.body.error.message).toContain(other.taskId);
    const dry = await retry(made, { dryRun: true });
    expect(dry).toMatchObject({ status: 200, body: { busy: other.taskId } });
    expect((await rowOf(made.world, made.taskId)).acts).toBeUndefined();
  });

  it('can be seen beforehand, and nothing is done', async () => {
    const made = await failedWorld();
    const rows = JSON.stringify(made.world.backend.everything());
    const dry = await retry(made, { dryRun: true });
    expect(dry.body).toEqual({
      of: made.taskId,
      agent: 'modelled',
      kept: 5,
      steps: 5,
      anew: [],
      unread: 0,
      risks: [],
      named: [],
    });
    expect(JSON.stringify(made.world.backend.everything())).toBe(rows);
  });

  it('has budgets of its own, and the stricter of what may be kept then and now', async () => {
    const made = await failedWorld();
    const id = await retried(made);
    const run = await rowOf(made.world, id);
    expect(run.spent.rounds).toBe(1);
    expect(run).toMatchObject({ answerCeiling: 'full', auditCeiling: 'full' });
  });

  it('is asked once more for the calls that were approved and not made', async () => {
    const script = [{ calls: [call('erase', { at: 'disk' })] }];
    const made = await failedWorld({ script });
    const { waitsFor } = (await made.api.get(`/runs/${made.taskId}`)).body;
    await made.api.post(`/runs/${made.taskId}/cancel`);
    expect(waitsFor.generation).toBe(1);
    const id = await retried(made);
    const run = (await made.api.get(`/runs/${id}`)).body;
    expect(run).toMatchObject({ status: 'waiting_for_approval' });
    const { digest, generation: pauseGeneration } = run.waitsFor;
    await made.api.post(`/runs/${id}/decisions`, { kind: 'approve', digest, pauseGeneration });
    await finish(made.world);
    expect(await made.world.state(id)).toBe('COMPLETED');
    expect(made.ran).toHaveLength(1);
  });

  it('is not one that completed, nor one that is open', async () => {
    const made = await failedWorld();
    const id = await retried(made);
    expect(await retry({ ...made, taskId: id })).toMatchObject({
      status: 409,
      body: { error: { code: 'RUN_COMPLETED' } },
    });
    const open = await made.world.send('more', { contextId: 'two' });
    expect(await retry({ ...made, taskId: open.taskId })).toMatchObject({
      status: 409,
      body: { error: { code: 'RUN_NOT_ENDED' } },
    });
    expect((await made.api.post(`/runs/${made.taskId}/retry`, {})).body.error).toMatchObject({
      code: 'INVALID_PARAMS',
      field: 'requestId',
    });
  });

  it('is left alone where a run was made of it already and that is asked for', async () => {
    const made = await failedWorld();
    made.broken.now = true;
    const first = await retry(made, { unlessTried: true });
    await finish(made.world);
    const second = await retry(made, { unlessTried: true });
    expect(second).toMatchObject({ status: 409, body: { error: { code: 'TRIED_ALREADY' } } });
    expect(second.body.error.message).toContain(first.body.run?.id);
    expect((await retry(made)).status).toBe(200);
  });

  it.each([
    [60 * 60_000 - 1, true],
    [60 * 60_000, false],
  ])('takes the place that another request noted and left empty %i ms ago: %s', async (ago, is) => {
    const made = await failedWorld();
    made.broken.now = false;
    const left = idOf(made.world.app.ids.uuid());
    // As a process leaves it that was lost between its two commits.
    await changeRun(made.world.app, await rowOf(made.world, made.taskId), {
      act: { kind: 'retry', task: left, operator: 'all' },
      decide: (run) => run,
    });
    await made.world.clock.advance(ago);
    const answer = await retry(made);
    expect([answer.status, answer.body.run?.id === left]).toEqual([200, is]);
  });
});

describe('a call that must not run twice', () => {
  /** Its worker is lost while it pays. */
  async function unknownEffect(): Promise<Failed> {
    const made = await failedWorld({
      during: ({ tool }, world) => (tool === 'pay' ? world().clock.sleep(10 * 60_000) : undefined),
    });
    await made.world.clock.advance(10 * 60_000);
    await finish(made.world);
    return made;
  }

  it('and may have run holds the retry, which names it', async () => {
    const made = await unknownEffect();
    expect(await rowOf(made.world, made.taskId)).toMatchObject({ status: 'failed' });
    const refused = await retry(made);
    expect(refused).toMatchObject({ status: 409, body: { error: { code: 'MAY_REPEAT' } } });
    expect(refused.body.error.message).toContain('pay (call-4-1, step 4, once, it may have run)');
    expect((await retry(made, { dryRun: true })).body).toMatchObject({
      kept: 4,
      risks: [{ callId: 'call-4-1', step: 4, name: 'pay', effect: 'once', made: false }],
    });
    expect((await made.api.get('/runs')).body.runs).toHaveLength(1);
  });

  it('and ran is kept with its result, unless it is named', async () => {
    const made = await failedWorld();
    const dry = await retry(made, { dryRun: true, again: ['call-4-1'] });
    expect(dry.body).toMatchObject({
      kept: 4,
      anew: [{ step: 5, kind: 'result', name: 'pay', effect: 'once' }],
      named: [{ callId: 'call-4-1', made: true }],
      risks: [],
    });
    await retried(made, { again: ['call-4-1'] });
    expect(made.ran.filter(({ tool }) => tool === 'pay')).toHaveLength(2);
  });

  it.each(['metadata', 'redacted'] as const)(
    'holds a retry from the message where the trail is kept %s: it says what ran',
    async (audit) => {
      const made = await failedWorld({ audit });
      const refused = await retry(made);
      expect(refused.body.error).toMatchObject({ code: 'MAY_REPEAT' });
      expect(refused.body.error.message).toContain('pay (call-4-1, step 4, once, it ran)');
      const id = await retried(made, { again: ['call-4-1'] });
      expect(await made.world.state(id)).toBe('COMPLETED');
      expect(made.ran.map(({ tool }) => tool)).toEqual(['look', 'pay', 'look', 'pay']);
    },
  );

  it('may have run in steps of which nothing is kept', async () => {
    const made = await failedWorld({ audit: 'none' });
    const refused = await retry(made, { again: ['call-4-1'] });
    expect(refused.body.error).toMatchObject({ code: 'MAY_REPEAT' });
    expect((await retry(made, { dryRun: true })).body).toMatchObject({ unread: 5, kept: 0 });
    const id = await retried(made, { again: ['*'] });
    expect(await made.world.state(id)).toBe('COMPLETED');
  });
});

describe('a retry from the message', () => {
  const LOOKED = [{ calls: [call('look', { at: 'shelf' })] }];

  it('is what is left where only what may run twice ran and the trail has no words', async () => {
    const made = await failedWorld({ audit: 'metadata', script: LOOKED });
    expect((await retry(made, { dryRun: true })).body).toMatchObject({
      kept: 0,
      beginsWith: 'not-kept',
      risks: [],
    });
    const id = await retried(made);
    expect(await made.world.state(id)).toBe('COMPLETED');
    expect(made.ran.map(({ tool }) => tool)).toEqual(['look', 'look']);
    expect((await rowOf(made.world, id)).origin).toMatchObject({ steps: 0 });
  });

  it('is what a function gets: it has no steps', async () => {
    const texts: string[] = [];
    const agent = defineAgent({
      name: 'fails-once',
      description: 'Fails once.',
      run(ctx) {
        texts.push(ctx.text);
        if (texts.length === 1) throw new Error('not yet');
        return `you said ${ctx.text}`;
      },
    });
    const team = new Team();
    const world = new World(agent, { grants: team });
    const { taskId } = await world.send('hello');
    await finish(world);
    const api = await apiOver(world);
    expect((await retry({ api, taskId }, { dryRun: true })).body).toMatchObject({
      beginsWith: 'no-steps',
      risks: [],
    });
    const { body } = await retry({ api, taskId });
    await finish(world);
    expect(await world.state(body.run?.id ?? '')).toBe('COMPLETED');
    expect(texts).toEqual(['hello', 'hello']);
  });

  it('is refused where the message is not kept as it came', async () => {
    const made = await failedWorld({
      script: LOOKED,
      audit: 'metadata',
      installation: { answer: 'redacted', audit: 'metadata' },
    });
    expect(await retry(made)).toMatchObject({
      status: 409,
      body: { error: { code: 'MESSAGE_NOT_KEPT' } },
    });
    expect((await rowOf(made.world, made.taskId)).acts).toBeUndefined();
  });
});

describe('a function that works in steps', () => {
  it('does the step anew that threw, under the key that it had, and none before it', async () => {
    const ran: string[] = [];
    const agent = defineAgent({
      name: 'stepwise',
      description: 'Works in steps.',
      async steps(ctx) {
        const read = await ctx.step('read', () => void ran.push('read'), { effect: 'once' });
        await ctx.step('charge', ({ key }) => {
          ran.push(key);
          if (ran.length < 3) throw new Error('not yet');
          return read;
        });
        return 'done';
      },
    });
    const team = new Team();
    const installation = { answer: 'full', audit: 'full' } as const;
    const world = new World(agent, { grants: team, installation });
    const { taskId } = await world.send('hello');
    await finish(world);
    expect(await world.state(taskId)).toBe('FAILED');
    const api = await apiOver(world);
    const { body, status } = await retry({ api, taskId });
    expect(status, JSON.stringify(body)).toBe(200);
    await finish(world);
    expect(await world.state(body.run?.id ?? '')).toBe('COMPLETED');
    expect(ran).toEqual(['read', `${taskId}.2`, `${taskId}.2`]);
  });
});

it('a run with files that is retried finds what completed last in its context, and not what the failed one wrote', async () => {
  const found: unknown[] = [];
  const keeper = defineAgent({
    name: 'keeper',
    description: 'Keeps files.',
    files: true,
    run(ctx) {
      const before = contentOf(ctx.files.folder);
      write(ctx.files.folder, `${ctx.taskId.slice(0, 8)}.txt`, ctx.text);
      if (ctx.text === 'second') found.push(before);
      if (ctx.text === 'second' && found.length === 1) throw new Error('not this time');
      return 'kept';
    },
  });
  const installation = { answer: 'full', audit: 'full' } as const;
  const world = new World(keeper, { grants: new Team(), installation });
  await world.send('first', { contextId: 'one' });
  await finish(world);
  const { taskId } = await world.send('second', { contextId: 'one' });
  await finish(world);
  expect(await world.state(taskId)).toBe('FAILED');
  const { body } = await retry({ api: await apiOver(world), taskId });
  await finish(world);
  expect(await world.state(body.run?.id ?? '')).toBe('COMPLETED');
  expect(found).toEqual([expect.any(Object), found[0]]);
  expect(Object.values(found[0] ?? {})).toEqual(['first']);
});
