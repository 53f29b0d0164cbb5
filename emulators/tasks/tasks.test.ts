import { CloudTasksClient, type protos } from '@google-cloud/tasks';
import { credentials, status } from '@grpc/grpc-js';
import { OAuth2Client } from 'google-auth-library';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { VirtualClock } from '../../testing/virtual-clock.ts';
import { startTasksEmulator, type TasksEmulator } from './start.ts';
import { openTarget, type Target } from './target.ts';

type ITask = protos.google.cloud.tasks.v2.ITask;
type IQueue = protos.google.cloud.tasks.v2.IQueue;

const second = 1_000;
const hour = 3_600 * second;
const parent = 'projects/p/locations/l';
const clock = new VirtualClock();
let emulator: TasksEmulator;
let client: CloudTasksClient;
let target: Target;
let queue = '';
let count = 0;

beforeAll(async () => {
  emulator = await startTasksEmulator({ clock });
  target = await openTarget();
  client = new CloudTasksClient({
    apiEndpoint: '127.0.0.1',
    port: emulator.port,
    sslCreds: credentials.createInsecure(),
    projectId: 'p',
  });
});
beforeEach(async () => {
  count += 1;
  queue = `${parent}/queues/q-${count}`;
  target.deliveries.length = 0;
  target.answer = () => 200;
  emulator.engine.deliveryFault = undefined;
  await client.createQueue({ parent, queue: { name: queue } });
});
afterAll(async () => {
  await client.close();
  await emulator.close();
  target.close();
});

const at = (time: number) => ({ seconds: Math.floor(time / second), nanos: (time % second) * 1e6 });
const create = async (id: string, task: ITask = {}, http: ITask['httpRequest'] = {}) => {
  const httpRequest = { url: target.url, ...http };
  await client.createTask({
    parent: queue,
    task: { ...(id !== '' && { name: `${queue}/tasks/${id}` }), httpRequest, ...task },
  });
};
const configure = (config: IQueue) => client.updateQueue({ queue: { name: queue, ...config } });
const ids = () => target.deliveries.map(({ id }) => id);
const refusal = (code: status) => ({ code });

describe('a task', () => {
  test('is delivered with its body, its headers and those of the service', async () => {
    await create(
      'a',
      {},
      {
        headers: { 'Content-Type': 'application/json', 'User-Agent': 'me', 'X-CloudTasks-x': '1' },
        body: Buffer.from('{"a":1}'),
      },
    );
    await emulator.engine.idle();
    const [delivery] = target.deliveries;
    expect(delivery?.body).toBe('{"a":1}');
    expect(delivery?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Google-Cloud-Tasks',
      'x-cloudtasks-queuename': `q-${count}`,
      'x-cloudtasks-taskname': 'a',
      'x-cloudtasks-taskretrycount': '0',
      'x-cloudtasks-taskexecutioncount': '0',
      'x-cloudtasks-tasketa': (clock.now() / second).toFixed(6),
    });
    expect(delivery?.headers).not.toHaveProperty('x-cloudtasks-x');
  });

  test("carries a token that Google's library finds genuine", async () => {
    const oidcToken = { serviceAccountEmail: 'tasks@p.example', audience: 'https://worker' };
    await create('a', {}, { oidcToken });
    await emulator.engine.idle();
    const token = target.deliveries[0]?.headers.authorization?.replace('Bearer ', '') ?? '';
    const verifier = new OAuth2Client({
      endpoints: { oauth2FederatedSignonPemCertsUrl: `${emulator.keysUrl}/certs` },
      issuers: [emulator.tokens.issuer],
    });
    const ticket = await verifier.verifyIdToken({ idToken: token, audience: 'https://worker' });
    expect(ticket.getPayload()?.email).toBe('tasks@p.example');
    const keys = await (await fetch(`${emulator.keysUrl}/jwks`)).json();
    expect(keys).toMatchObject({ keys: [{ kty: 'RSA', kid: 'emulator' }] });
  });

  test('waits for its time, and can be seen and deleted until then', async () => {
    await create('later', { scheduleTime: at(clock.now() + 10 * second) });
    const name = `${queue}/tasks/later`;
    const [seen] = await client.getTask({ name });
    expect(Number(seen.scheduleTime?.seconds)).toBe(clock.now() / second + 10);
    await create('deleted', { scheduleTime: at(clock.now() + 10 * second) });
    await client.deleteTask({ name: `${queue}/tasks/deleted` });
    await clock.advance(9_999);
    expect(ids()).toEqual([]);
    await clock.advance(1);
    await emulator.engine.idle();
    expect(ids()).toEqual(['later']);
    await expect(client.getTask({ name })).rejects.toMatchObject(refusal(status.NOT_FOUND));
  });

  test('holds its name while it waits and for an hour after its end or deletion', async () => {
    const taken = refusal(status.ALREADY_EXISTS);
    await create('done');
    await emulator.engine.idle();
    const later = { scheduleTime: at(clock.now() + 60 * second) };
    await create('waiting', later);
    await create('deleted', later);
    await expect(create('waiting')).rejects.toMatchObject(taken);
    await client.deleteTask({ name: `${queue}/tasks/deleted` });
    await clock.advance(60 * second);
    await emulator.engine.idle();
    await clock.advance(hour - 60 * second - 1);
    for (const id of ['done', 'deleted']) await expect(create(id)).rejects.toMatchObject(taken);
    await clock.advance(60 * second);
    await create('done');
    await create('deleted');
    await emulator.engine.idle();
    expect(ids().toSorted()).toEqual(['deleted', 'done', 'done', 'waiting']);
  });

  test.each<[string, string, ITask, ITask['httpRequest']]>([
    ['an id with a dot', 'a.b', {}, {}],
    ['a deadline under 15 s', 'a', { dispatchDeadline: { seconds: 14 } }, {}],
    ['a deadline over 30 min', 'a', { dispatchDeadline: { seconds: 1_801 } }, {}],
    ['a body with GET', 'a', {}, { httpMethod: 'GET', body: Buffer.from('x') }],
    ['a body of 1 MiB', 'a', {}, { body: Buffer.alloc(1024 * 1024) }],
    ['a time in 31 days', 'a', { scheduleTime: at(clock.now() + 31 * 24 * hour) }, {}],
    ['another scheme', 'a', {}, { url: 'ftp://x' }],
  ])('with %s is refused', async (_, id, task, http) => {
    const refused = refusal(status.INVALID_ARGUMENT);
    await expect(create(id, task, http)).rejects.toMatchObject(refused);
  });
});

describe('a failed attempt', () => {
  const retryConfig = { minBackoff: at(second), maxBackoff: at(4 * second), maxAttempts: 4 };

  test('is repeated with growing pauses until the attempts are used up', async () => {
    await configure({ retryConfig });
    const times: number[] = [];
    target.answer = () => {
      times.push(clock.now());
      return times.length === 1 ? 429 : 500;
    };
    await create('a');
    for (let n = 0; n < 20; n += 1) {
      await emulator.engine.idle();
      await clock.advance(second);
    }
    expect(times.map((time) => time - (times[0] ?? 0))).toEqual([
      0,
      second,
      3 * second,
      7 * second,
    ]);
    const seen = target.deliveries.map(({ headers }) => [
      headers['x-cloudtasks-taskretrycount'],
      headers['x-cloudtasks-taskexecutioncount'],
      headers['x-cloudtasks-taskpreviousresponse'],
    ]);
    expect(seen.slice(0, 3)).toEqual([
      ['0', '0', undefined],
      ['1', '1', '429'],
      ['2', '1', '500'],
    ]);
    const gone = client.getTask({ name: `${queue}/tasks/a` });
    await expect(gone).rejects.toMatchObject(refusal(status.NOT_FOUND));
  });

  test('waits as long as Retry-After asks', async () => {
    target.answer = (_, response) => {
      response.setHeader('retry-after', '30');
      return target.deliveries.length === 1 ? 503 : 200;
    };
    await create('a');
    await emulator.engine.idle();
    await clock.advance(29_999);
    expect(ids()).toHaveLength(1);
    await clock.advance(1);
    await emulator.engine.idle();
    expect(ids()).toHaveLength(2);
  });

  test('includes one whose handler does not answer within the dispatch deadline', async () => {
    const asked = Promise.withResolvers<void>();
    target.answer = () => {
      asked.resolve();
      return target.deliveries.length === 1 ? undefined : 200;
    };
    await create('a', { dispatchDeadline: { seconds: 15 } });
    await asked.promise;
    await clock.advance(15 * second);
    await clock.untilWaiting(1);
    await clock.advance(second);
    await emulator.engine.idle();
    expect(ids()).toEqual(['a', 'a']);
  });
});

describe('a queue', () => {
  test('is created once, and found by its name', async () => {
    const again = client.createQueue({ parent, queue: { name: queue } });
    await expect(again).rejects.toMatchObject(refusal(status.ALREADY_EXISTS));
    const [found] = await client.getQueue({ name: queue });
    expect(found).toMatchObject({ state: 'RUNNING', rateLimits: { maxBurstSize: 100 } });
    const [all] = await client.listQueues({ parent });
    expect(all.map(({ name }) => name)).toContain(queue);
    const none = client.getQueue({ name: `${queue}-none` });
    await expect(none).rejects.toMatchObject(refusal(status.NOT_FOUND));
  });

  test('delivers to no more handlers at once than its limit', async () => {
    await configure({ rateLimits: { maxConcurrentDispatches: 3 } });
    const latch = Promise.withResolvers<void>();
    const full = Promise.withResolvers<void>();
    let [running, most] = [0, 0];
    target.answer = async () => {
      running += 1;
      most = Math.max(most, running);
      if (running === 3) full.resolve();
      await latch.promise;
      running -= 1;
      return 200;
    };
    for (let n = 0; n < 10; n += 1) await create('');
    await full.promise;
    latch.resolve();
    await emulator.engine.idle();
    expect([most, ids().length]).toEqual([3, 10]);
  });

  test('delivers no faster than its rate, after a burst', async () => {
    await configure({ rateLimits: { maxDispatchesPerSecond: 10 } });
    for (let n = 0; n < 30; n += 1) await create('');
    const busy = emulator.engine.idle();
    await clock.advance(second);
    expect(emulator.engine.queue(queue).tasks.size).toBeGreaterThan(15);
    await clock.advance(3 * second);
    await busy;
    expect(ids()).toHaveLength(30);
  });

  test('delivers nothing while it is paused, and what is purged never', async () => {
    await client.pauseQueue({ name: queue });
    for (const id of ['a', 'b', 'c']) await create(id);
    const [page] = await client.listTasks({ parent: queue, pageSize: 2 }, { autoPaginate: false });
    expect(page).toHaveLength(2);
    await client.purgeQueue({ name: queue });
    await create('d');
    await emulator.engine.idle();
    expect(ids()).toEqual([]);
    await client.runTask({ name: `${queue}/tasks/d` });
    await emulator.engine.idle();
    await create('e');
    await client.resumeQueue({ name: queue });
    await emulator.engine.idle();
    expect(ids()).toEqual(['d', 'e']);
  });
});

describe('planned faults', () => {
  test.each(['duplicate', 'lost-answer'] as const)('a %s delivers twice', async (fault) => {
    emulator.engine.deliveryFault = (task) => (task.dispatchCount === 1 ? fault : undefined);
    await create('a');
    await emulator.engine.idle();
    await clock.advance(second);
    await emulator.engine.idle();
    expect(ids()).toEqual(['a', 'a']);
  });

  test('a swallowed task counts as done and was never delivered', async () => {
    emulator.engine.deliveryFault = () => 'swallowed';
    await create('a');
    await emulator.engine.idle();
    expect(ids()).toEqual([]);
    await expect(create('a')).rejects.toMatchObject(refusal(status.ALREADY_EXISTS));
  });

  test('a call that is refused did nothing, one whose answer is lost did it', async () => {
    const unavailable = refusal(status.UNAVAILABLE);
    emulator.plan(() => 'unavailable');
    await expect(create('refused')).rejects.toMatchObject(unavailable);
    emulator.plan(() => 'lost-answer');
    await expect(create('lost')).rejects.toMatchObject(unavailable);
    emulator.plan(undefined);
    await emulator.engine.idle();
    expect(ids()).toEqual(['lost']);
  });
});
