import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decisionOn, effectsIn } from './approving.ts';
import { Client } from './client.ts';
import { eventually } from './eventually.ts';
import { asOperator } from './operating.ts';
import { useOracle } from './oracle.ts';
import { type Books, contextOf, openBooks } from './remote-books.ts';
import { Front } from './remote-front.ts';
import { BRISK, type Server, useFleet } from './server.ts';
import { stateOf, textOf, type WireTask } from './wire.ts';

const fleet = useFleet();
const oracle = useOracle({ reruns: true });
const front = new Front();
let here: Server;
let there: Server;
let books: Books;
let effects: string;

beforeAll(async () => {
  effects = join(await fleet.folder(), 'effects');
  there = await fleet.start({ store: 'embedded' });
  front.remote = there;
  await front.open();
  const card = `${front.url}/.well-known/agent-card.json`;
  here = await fleet.start({
    store: 'embedded',
    settings: { ...BRISK, pollMin: 100, pollMax: 400, remoteCall: 3_000 },
    args: ['--agents', 'test/fixtures/agents/e2e-delegation.ts', '--remote-private', 'loopback'],
    env: {
      HOLDFAST_E2E_REMOTES: JSON.stringify({ there: { card }, guarded: { card, approval: true } }),
      HOLDFAST_E2E_EFFECTS: effects,
    },
  });
  books = openBooks(here);
});

afterAll(async () => {
  await books.close();
  await front.close();
});

const client = () => new Client(here, oracle);
const remote = () => new Client(there, oracle);

/** A run whose send has an unknown outcome, and how the send is called. */
async function lost(text: string, when: 'before' | 'after') {
  front.seen.length = 0;
  front.next('SendMessage', { kind: 'cut', when });
  const { id } = await client().send(text, { ri: true });
  await eventually(async () => (await books.send(id))?.state, 'outcome_unknown');
  const operator = await asOperator(here);
  const { body } = await operator.get(`/runs/${id}`);
  expect(body).toMatchObject({
    id,
    waitsFor: { kind: 'unknown-send', remote: 'there' },
    sends: [{ remote: 'there', state: 'outcome_unknown' }],
  });
  const { sends } = body as { readonly sends: readonly { readonly id: string }[] };
  return { id, operator, send: sends[0]?.id ?? '' };
}

test('an operator sees a send whose outcome is not known, and sends it again under another id', async () => {
  const { id, operator, send } = await lost('to=there steps=1', 'before');
  expect((await operator.get('/inbox')).body).toMatchObject({ sends: [{ id: send, run: id }] });
  expect((await operator.post(`/sends/${send}/resend`)).body).toMatchObject({ run: id });
  const done = await client().finished(id);
  expect(textOf(done.status.message)).toBe('there completed: done: steps=1');
  expect(await books.send(id)).toMatchObject({ state: 'superseded' });
  expect((await remote().list({ contextId: contextOf(id) })).totalSize).toBe(0);
  expect(front.count('SendMessage')).toBe(2);
  expect((await operator.post(`/sends/${send}/resend`)).status).toBe(409);
});

test('an operator links the task that the remote made of a message whose answer was lost', async () => {
  const none = JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32_004, message: 'No.' } });
  const unlisted = { kind: 'say', when: 'before', status: 200, body: none } as const;
  front.next('ListTasks', ...Array.from({ length: 99 }, () => unlisted));
  const { id, operator, send } = await lost('to=there steps=1', 'after');
  const { tasks } = await remote().list({ contextId: contextOf(id) });
  const linked = await operator.post(`/sends/${send}/link`, { taskId: tasks[0]?.id ?? '' });
  expect(linked).toMatchObject({ status: 200, body: { run: id, state: 'acknowledged' } });
  const done = await client().finished(id);
  expect(textOf(done.status.message)).toBe('there completed: done: steps=1');
  expect(front.count('SendMessage')).toBe(1);
});

test('an operator gives a send up, and the run goes on without knowing', async () => {
  const { id, operator, send } = await lost('to=there steps=1', 'before');
  expect((await operator.post(`/sends/${send}/abandon`)).status).toBe(200);
  const done = await client().finished(id);
  expect(textOf(done.status.message)).toBe('there abandoned');
  expect(front.count('SendMessage')).toBe(1);
});

test('an operator cancels a run that waits, and the remote is told once', async () => {
  front.seen.length = 0;
  const { id } = await client().send('to=there wait=60000', { ri: true });
  await eventually(async () => (await books.send(id))?.state, 'acknowledged');
  const operator = await asOperator(here);
  expect((await operator.post(`/runs/${id}/cancel`)).status).toBe(200);
  expect(stateOf(await client().get(id))).toBe('CANCELED');
  await eventually(async () => (await books.send(id))?.cancelled, 'CANCELED');
  expect(front.count('CancelTask')).toBe(1);
});

test('a remote that needs an approval is sent nothing before it has one, over a crash', async () => {
  front.seen.length = 0;
  const asked = await client().send('to=guarded steps=1');
  expect(stateOf(asked)).toBe('AUTH_REQUIRED');
  await here.restart('kill');
  expect(front.count('SendMessage')).toBe(0);
  const done = await client().send('', {
    taskId: asked.id,
    parts: [decisionOn(asked, 'approve')],
  });
  expect(textOf(done.status.message)).toBe('guarded completed: done: steps=1');
  expect(front.count('SendMessage')).toBe(1);
});

test('an approval carried out in the request itself streams the run to its rest; a stored one after it comes too late', async () => {
  const keeper = new Client(
    {
      get url() {
        return `${here.url}/agents/keeper`;
      },
    },
    oracle,
  );
  const asked = await keeper.send('note pay');
  const decision = decisionOn(asked, 'approve').data as object;
  const operator = await asOperator(here);
  const path = `/runs/${asked.id}/decisions`;
  const direct = await operator.post(path, { ...decision, mode: 'direct' });
  expect(direct.text).toMatch(/event: receipt[\s\S]*event: rest/);
  expect(await ended(keeper, asked)).toBe('note done, pay done');
  expect((await effectsIn(effects)).filter((line) => line.startsWith('pay'))).toHaveLength(1);
  const late = await operator.post(path, { ...decision, kind: 'deny', mode: 'stored' });
  expect(late).toMatchObject({ status: 409, body: { error: { code: 'PAUSE_OVER' } } });
});

async function ended(at: Client, { id }: WireTask): Promise<string | undefined> {
  return textOf((await at.finished(id)).status.message);
}
