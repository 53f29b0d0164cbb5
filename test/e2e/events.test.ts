import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { SendMessageRequest, type Task, TaskState } from '@a2a-js/sdk';
import { ClientFactory } from '@a2a-js/sdk/client';
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { EVENTS_EXTENSION } from '../../shared/domain/signal.ts';
import { eventually } from './eventually.ts';
import { asOperator } from './operating.ts';
import { BRISK, type Server, STORE, useFleet } from './server.ts';

const fleet = useFleet();
const run = promisify(execFile);
let server: Server;

beforeAll(async () => {
  const args = ['--agents', 'examples/order-flow/agent.ts', '--idempotency', 'always'];
  server = await fleet.start({ settings: BRISK, args });
});

const order = (data: object) => ({ parts: [{ data: { item: 'lamp', count: 3, ...data } }] });
const event = (taskId: string, name: string, part: object) => ({
  taskId,
  parts: [part],
  metadata: { [EVENTS_EXTENSION]: { name } },
});

const requestOf = (message: object) => ({
  message: { messageId: randomUUID(), role: 'ROLE_USER', ...message },
  configuration: { returnImmediately: true },
});

const answer = z.object({
  task: z.object({ id: z.string(), status: z.object({ state: z.string() }) }).optional(),
  error: z.unknown().optional(),
});

/** As any client over HTTP. */
async function post(message: object) {
  const response = await fetch(`${server.url}/message:send`, {
    method: 'POST',
    headers: { 'A2A-Version': '1.0', 'Content-Type': 'application/json' },
    body: JSON.stringify(requestOf(message)),
  });
  const { error, task } = answer.parse(await response.json());
  return { status: response.status, task, error: JSON.stringify(error) };
}

async function completed(id: string): Promise<Task> {
  const client = await new ClientFactory().createFromUrl(server.url);
  return eventually(
    () => client.getTask({ id, tenant: '' }),
    ({ status }) => status?.state === TaskState.TASK_STATE_COMPLETED,
  );
}

test("an owner's event is taken from a task at work, once, over a crash, by the official SDK's client", async () => {
  const client = await new ClientFactory().createFromUrl(server.url);
  const card = await client.getAgentCard();
  const extension = card.capabilities?.extensions.find(({ uri }) => uri === EVENTS_EXTENSION);
  expect(extension?.params).toEqual({ events: { place: { schema: expect.anything() } } });
  const { task } = await post(order({}));
  const id = task?.id ?? '';
  const request = SendMessageRequest.fromJSON(requestOf(event(id, 'place', { text: 'the shop' })));
  const sent = await client.sendMessage(request);
  expect('status' in sent && sent.id).toBe(id);
  await server.restart('kill');
  // The answer was lost, perhaps: the same message is the same event.
  await (await new ClientFactory().createFromUrl(server.url)).sendMessage(request);
  const { history, status } = await completed(id);
  expect(JSON.stringify(status?.message)).toContain('Shipped 3 of lamp to the shop');
  expect(history.filter(({ role }) => role === 1)).toHaveLength(1);
});

test.skipIf(STORE === 'google')(
  'an operator delivers at the command line what no caller may, and it counts once',
  async () => {
    const { task } = await post(order({ invoice: true }));
    const id = task?.id ?? '';
    const operator = await asOperator(server);
    await eventually(
      async () => JSON.stringify((await operator.get(`/runs/${id}`)).body),
      (body) => body.includes('"events":["paid"]'),
    );
    const forged = await post(event(id, 'paid', { data: { reference: 'P-7' } }));
    expect([forged.status, forged.error]).toEqual([400, expect.stringContaining('it takes place')]);
    const unfit = await operator.post(`/runs/${id}/events`, { name: 'paid', data: { ref: 1 } });
    expect(unfit).toMatchObject({ status: 400, body: { error: { field: 'data.reference' } } });
    const cli = ['functions/cli/holdfast.mjs', 'event', id.slice(0, 18), 'paid'];
    const said = ['{"reference":"P-7"}', '--id', 'transfer-7'];
    const env = { ...process.env, HOLDFAST_DATA: server.data };
    const delivered = [];
    for (let times = 1; times <= 2; times += 1)
      delivered.push((await run(process.execPath, [...cli, ...said], { env })).stdout);
    expect(delivered[0]).toContain('paid, event 1');
    expect(delivered[1]).toContain('event 1 (it was there already)');
    await post(event(id, 'place', { text: 'Kiel' }));
    const { status } = await completed(id);
    expect(JSON.stringify(status?.message)).toContain('Shipped 3 of lamp to Kiel');
    const shown = JSON.stringify((await operator.get(`/runs/${id}`)).body);
    expect(shown).toContain('"name":"paid","at"');
    const late = await operator.post(`/runs/${id}/events`, {
      name: 'paid',
      data: { reference: '' },
    });
    expect(late).toMatchObject({ status: 409, body: { error: { code: 'RUN_ENDED' } } });
    const audit = JSON.stringify((await operator.get(`/audit?act=event`)).body);
    expect(audit.split(id)).toHaveLength(2);
  },
);
