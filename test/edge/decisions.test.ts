import { readFile } from 'node:fs/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { approve, DIGEST, type Effects, held, input, TestGrants } from '../app/deciding.ts';
import { World } from '../app/world.ts';
import { detailsOf, type Json, request, rpc } from './calls.ts';
import { type EdgeServer, edgeServer } from './edge-server.ts';

let edge: EdgeServer | undefined;
afterEach(() => edge?.close());

interface Place {
  readonly served: EdgeServer;
  readonly world: World;
  readonly taskId: string;
  readonly effects: Effects;
}

/** The edge over the application itself, with a task that waits for a decision. */
async function waiting(
  decisions: Parameters<typeof held>[1] = { owner: true },
  asks?: 'input',
): Promise<Place> {
  const effects: Effects = [];
  const agent = held(effects, decisions, asks);
  const world = new World(agent, { grants: new TestGrants(), idempotency: 'always' });
  const served = await edgeServer({
    service: world.service,
    agents: [agent.card],
    defaultAgent: agent.name,
    v03: true,
  });
  edge = served;
  const { taskId } = await world.send('pay ada');
  await world.work();
  return { served, world, taskId, effects };
}

const later = { configuration: { returnImmediately: true } };
const saying = (taskId: string, parts: readonly object[], messageId = 'decides') => ({
  message: { messageId, taskId, role: 'ROLE_USER', parts },
});

const taskOf = (body: Json): Json => {
  const result = (body?.['result'] ?? body) as Json;
  return (result?.['task'] ?? result) as Json;
};
const stateOf = (task: Json): unknown => (task?.['status'] as Json)?.['state'];
const decisionOf = (task: Json): Json => (task?.['metadata'] as Json)?.['decision'] as Json;

describe.each(['JSON-RPC', 'HTTP+JSON'])('a decision over %s', (binding) => {
  const send = ({ served }: Place, params: object) =>
    binding === 'JSON-RPC'
      ? rpc(served, 'SendMessage', params)
      : request(served, 'POST', '/message:send', params);

  it('is stored and not carried out by the request; the receipt stands in the task (G18)', async () => {
    const runKey = await waiting();
    const { effects, taskId, world } = runKey;
    const sent = await send(runKey, { ...saying(taskId, [{ data: approve }]), ...later });
    expect(sent.status).toBe(200);
    const task = taskOf(sent.body);
    expect(stateOf(task)).toBe('TASK_STATE_WORKING');
    expect(decisionOf(task)).toEqual({
      id: expect.any(String),
      run: taskId,
      generation: 1,
      kind: 'approve',
      time: new Date(world.clock.now()).toISOString(),
    });
    expect(effects).toEqual([]);
    await world.work();
    expect(effects).toEqual(['paid']);
    const again = await send(runKey, { ...saying(taskId, [{ data: approve }]), ...later });
    expect(decisionOf(taskOf(again.body))).toEqual(decisionOf(task));
    expect(effects).toEqual(['paid']);
  });

  it('is waited for as any answer is', async () => {
    const runKey = await waiting();
    const { taskId, world } = runKey;
    const answer = send(runKey, saying(taskId, [{ data: approve }]));
    const done = answer.then(() => true);
    while (!(await Promise.race([done, world.work().then(() => world.rest())]))) await world.work();
    const { body } = await answer;
    expect(stateOf(taskOf(body))).toBe('TASK_STATE_COMPLETED');
  });

  it('is refused with the field that is wrong, and a code that says what to do', async () => {
    const runKey = await waiting();
    const refusal = async (parts: readonly object[]) => {
      const { body, status } = await send(runKey, saying(runKey.taskId, parts));
      const { fields, reasons } = detailsOf(body);
      return { status, reason: reasons.at(-1), fields };
    };
    const ok = binding === 'JSON-RPC' ? 200 : 400;
    expect(await refusal([{ text: 'yes' }])).toEqual({
      status: ok,
      reason: 'holdfast/DECISION_REQUIRED',
      fields: [],
    });
    expect(await refusal([{ data: { ...approve, pauseGeneration: 2 } }])).toEqual({
      status: ok,
      reason: 'holdfast/PAUSE_OVER',
      fields: ['message.parts[0].data.pauseGeneration'],
    });
    expect(await refusal([{ text: 'yes' }, { data: { ...approve, digest: 'x' } }])).toEqual({
      status: ok,
      reason: 'holdfast/DECISION_MISMATCH',
      fields: ['message.parts[1].data.digest'],
    });
    expect(await refusal([{ data: { ...approve, note: 'x' } }])).toEqual({
      status: ok,
      reason: 'a2a-protocol.org/INVALID_PARAMS',
      fields: ['message.parts[0].data.note'],
    });
    expect(
      stateOf(taskOf((await request(runKey.served, 'GET', `/tasks/${runKey.taskId}`)).body)),
    ).toBe('TASK_STATE_AUTH_REQUIRED');
  });

  it('that this caller may not make is forbidden', async () => {
    const runKey = await waiting({ owner: true, fourEyes: true });
    const { body, status } = await send(runKey, saying(runKey.taskId, [{ data: approve }]));
    expect(status).toBe(403);
    expect(detailsOf(body).reasons).toContain('holdfast/DECISION_NOT_ALLOWED');
  });

  it('names the path of a value that does not fit', async () => {
    const runKey = await waiting({}, 'input');
    const { body } = await send(runKey, saying(runKey.taskId, [{ data: input({ count: 0 }) }]));
    expect(detailsOf(body).fields).toEqual(['message.parts[0].data.input.count']);
  });
});

describe('a stream', () => {
  it('shows the receipt with the state that the decision led to', async () => {
    const { served, taskId, world } = await waiting();
    const response = await fetch(`${served.url}/message:stream`, {
      method: 'POST',
      headers: { 'A2A-Version': '1.0', 'Content-Type': 'application/json' },
      body: JSON.stringify(saying(taskId, [{ data: approve }])),
    });
    const text = response.text();
    for (let turn = 0; turn < 50; turn += 1) await world.work();
    const frames = (await text)
      .split('\n')
      .flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6)) as Json] : []));
    expect(decisionOf(taskOf(frames[0]))).toMatchObject({ kind: 'approve', generation: 1 });
    const last = frames.at(-1)?.['statusUpdate'] as Json;
    expect(stateOf(last)).toBe('TASK_STATE_COMPLETED');
  });
});

describe('a client of v0.3', () => {
  it('sees auth-required, and approves by a data part', async () => {
    const { effects, served, taskId, world } = await waiting();
    const call = (method: string, params: object) =>
      request(
        served,
        'POST',
        '/',
        { jsonrpc: '2.0', id: 1, method, params },
        { 'A2A-Version': '0.3' },
      );
    const { body } = await call('tasks/get', { id: taskId });
    expect(stateOf(body?.['result'] as Json)).toBe('auth-required');
    const message = {
      kind: 'message',
      messageId: 'decides',
      taskId,
      role: 'user',
      parts: [{ kind: 'data', data: approve }],
    };
    const sent = await call('message/send', { message, configuration: { blocking: false } });
    expect(decisionOf(sent.body?.['result'] as Json)).toMatchObject({ kind: 'approve' });
    await world.work();
    expect(effects).toEqual(['paid']);
  });
});

describe('the documentation', () => {
  it('shows what a task says and what is taken as its approval', async () => {
    const { effects, served, taskId, world } = await waiting();
    const text = await readFile(new URL('../../docs/approvals.md', import.meta.url), 'utf8');
    const [asked, said, shown] = [...text.matchAll(/```json\n(.*?)```/gs)].map(
      ([, block = '']) => JSON.parse(block) as Readonly<Record<string, unknown>>,
    );
    if (asked === undefined || said === undefined || shown === undefined)
      throw new Error('the examples are gone');
    const { body } = await request(served, 'GET', `/tasks/${taskId}`);
    const parts = ((taskOf(body)?.['status'] as Json)?.['message'] as Json)?.['parts'];
    const [, real] = parts as Record<string, Record<string, unknown>>[];
    expect(Object.keys(asked)).toEqual(Object.keys(real ?? {}));
    expect(asked['mediaType']).toBe(real?.['mediaType']);
    expect(Object.keys(asked['data'] as object)).toEqual(Object.keys(real?.['data'] ?? {}));
    const data = { ...(said['data'] as object), digest: DIGEST };
    const sent = await rpc(served, 'SendMessage', { ...saying(taskId, [{ data }]), ...later });
    const receipt = decisionOf(taskOf(sent.body));
    expect(Object.keys(shown['decision'] as object)).toEqual(Object.keys(receipt ?? {}));
    await world.work();
    expect(effects).toEqual(['paid']);
  });
});
