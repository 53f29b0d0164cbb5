import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ServiceName, SERVICES } from '../../functions/function-names.ts';
import { readArguments } from '../../functions/start/arguments.ts';
import { BUCKET, type Rehearsal, startRehearsal } from '../../functions/start/rehearsal.ts';
import { createGcsBlobs } from '../../shared/gcp/storage/blobs.ts';
import { type FlakyLink, flakyLink } from '../emulator/flaky-link.ts';
import { type Emulator, restartEmulator, startEmulator } from '../../emulators/firestore/start.ts';
import { type AllEmulators, startAllEmulators } from '../../emulators/all.ts';
import { IdTokens } from '../../emulators/tasks/id-tokens.ts';
import { atRest } from './at-rest.ts';
import { type HttpBinding, HTTP_BINDINGS, callOf, Client, sendParams } from './client.ts';
import { seeded, Session } from './load.ts';
import { Oracle } from './oracle.ts';
import { BRISK, QUICK, useFleet } from './server.ts';
import { Transcript, play, playPaths } from './transcript.ts';
import { nameOf, stateOf, textOf } from './wire.ts';

const PROJECT = 'holdfast-rehearsal';
const INVOKER = `invoker@${PROJECT}.example`;
const KILLS = 12;
const SESSIONS = 4;
const BACK_WITHIN = 10_000;
/** HOLDFAST_SEED repeats a run's choices; the moments within the functions are their own. */
const SEED = Number(process.env['HOLDFAST_SEED'] ?? Math.floor(Math.random() * 2 ** 32));
const settings = {
  ...QUICK,
  ...BRISK,
  lease: 2_000,
  leaseRenewal: 500,
  requeues: 1_000,
  repeatAfter: 1_000,
};

const fleet = useFleet();
let system: Rehearsal;
let emulators: AllEmulators;
let firestore: Emulator;
let link: FlakyLink;
/**
 * Of both systems, so that what an answer says to browsers is compared, too, and what cards say of
 * callers who prove who they are.
 */
const ALIKE = ['--allow-origin', 'https://ui.example', '--access', 'google,open'];
/** How often each function was started. */
const starts = new Map<ServiceName, number>();

// One rehearsal for all: Java and eight processes take seconds to start.
beforeAll(async () => {
  firestore = await startEmulator({ ...process.env, FIRESTORE_EMULATOR_HOST: '' });
  link = await flakyLink(firestore.host);
  const set = Object.entries(settings).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
  const args = [
    '--store',
    'google',
    '--port',
    '0',
    '--project',
    PROJECT,
    '--idempotency',
    'always',
    '--grpc-port',
    '0',
    ...ALIKE,
  ];
  const options = readArguments(
    [...args, '--log', 'error', '--agents', 'test/fixtures/agents/scripted.ts', ...set],
    {},
  );
  if (options === undefined) throw new Error('no options');
  system = await startRehearsal(
    options,
    (name) => starts.set(name, (starts.get(name) ?? 0) + 1),
    async (wanted) => {
      emulators = await startAllEmulators(wanted, {
        host: link.host,
        stop: () => firestore.stop(),
      });
      return emulators;
    },
  );
}, 120_000);

afterAll(async () => {
  await system?.stop();
  link?.close();
});

test('the same calls are answered byte for byte as by the embedded system, but for ids and times', {
  timeout: 120_000,
}, async () => {
  const grpc = ['--grpc-port', '0', '--grpc-url', system.grpc ?? ''];
  const embedded = await fleet.start({
    store: 'embedded',
    settings,
    // So that both cards name the same address.
    args: ['--idempotency', 'always', ...grpc, ...ALIKE],
    env: { HOLDFAST_AUDIENCE: system.url },
  });
  for (const binding of HTTP_BINDINGS) {
    const [here, there] = await Promise.all(
      [embedded, system].map(async (server) => {
        const script = new Transcript(server, binding);
        await play(script, binding);
        return script.text().replaceAll(system.url, '<url>');
      }),
    );
    expect(there).toBe(here);
    expect(here).toContain('TASK_STATE_CANCELED');
  }
  const [here, there] = await Promise.all(
    [embedded, system].map(async (server) => {
      const script = new Transcript(server, 'rest');
      await playPaths(script);
      return script.text().replaceAll(system.url, '<url>');
    }),
  );
  expect(there).toBe(here);
});

describe('the gRPC service', () => {
  const grpc = (headers: Readonly<Record<string, string>> = {}) =>
    new Client(system, new Oracle(), 'grpc', headers);

  test('serves the tasks of the functions beside it, and its errors are those of the table', async () => {
    const { id } = await grpc().send('steps=2');
    expect(await grpc().get(id)).toEqual(await new Client(system, new Oracle()).get(id));
    expect((await grpc().list({ pageSize: 5 })).tasks.map((task) => task.id)).toContain(id);
    await expect(grpc().cancel(id)).rejects.toMatchObject({ code: -32002 });
    await expect(grpc().get('nothing')).rejects.toMatchObject({ code: -32001 });
    const card = await fetch(`${system.url}/.well-known/agent-card.json`);
    expect(await card.json()).toMatchObject({
      supportedInterfaces: [{}, {}, { url: system.grpc, protocolBinding: 'GRPC' }],
    });
  });

  test('knows callers by a token for its own address, or for that of the functions', async () => {
    const { tokens } = emulators.tasks;
    const as = (token: string) => grpc({ authorization: `Bearer ${token}` });
    const of = (email: string, audience: string) => as(tokens.sign(email, audience));
    const own = `http://${system.grpc}`;
    const { id } = await of('ada@example.com', own).send('steps=1');
    const { url } = system;
    expect(stateOf(await of('ada@example.com', url).get(id))).toBe('COMPLETED');
    const foreign = of('eve@example.com', own).get(id);
    await expect(foreign).rejects.toMatchObject({ code: -32001 });
    const forged = new IdTokens(tokens.issuer).sign('ada@example.com', own);
    for (const refused of [of('ada@example.com', 'https://else.example'), as(forged), as('x')]) {
      const body = expect.stringContaining('"code":16');
      await expect(refused.get(id)).rejects.toMatchObject({ body });
    }
  });

  test('that is told to go ends its streams as planned, and its successor goes on with them', {
    timeout: 60_000,
  }, async () => {
    const client = grpc();
    const before = starts.get('grpc') ?? 0;
    const stream = await client.stream('steps=2 wait=60000');
    const first = await stream.next();
    const id = first !== undefined && 'task' in first.event ? first.event.task.id : '';
    const { seq } = await stream.reach('artifact step-2');
    system.processes.get('grpc')?.kill('SIGTERM');
    await stream.all();
    expect(stream.comments.join()).toContain('ends as planned');
    await expect.poll(() => starts.get('grpc'), { timeout: 30_000 }).toBeGreaterThan(before);
    const again = await client.subscribe(id, seq);
    await client.cancel(id);
    expect((await again.all()).map(({ event }) => nameOf(event))).toEqual([
      'task WORKING',
      'CANCELED',
    ]);
  });
});

test('deliveries without a token, with a foreign one or with one of another account are refused', async () => {
  const { tokens } = emulators.tasks;
  const { id } = await new Client(system, new Oracle()).send('steps=1');
  const forged = new IdTokens(tokens.issuer);
  const kinds = {
    worker: 'run',
    projector: 'project',
    coordinator: 'poll',
    push: 'push',
  } as const;
  for (const name of ['worker', 'projector', 'coordinator', 'push'] as const) {
    const url = system.urls[name];
    const deliver = async (authorization?: string): Promise<number> => {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(authorization !== undefined && { authorization }),
        },
        body: JSON.stringify({ kind: kinds[name], taskId: id, revision: 1, at: Date.now() }),
      });
      const body = await response.text();
      // A refused caller learns nothing.
      if (response.status !== 200) expect(body).toBe('');
      return response.status;
    };
    expect(await deliver()).toBe(401);
    expect(await deliver('Bearer x.y.z')).toBe(401);
    expect(await deliver(`Basic ${tokens.sign(INVOKER, url)}`)).toBe(401);
    expect(await deliver(`Bearer ${forged.sign(INVOKER, url)}`)).toBe(401);
    expect(await deliver(`Bearer ${tokens.sign(INVOKER, system.urls.a2a)}`)).toBe(401);
    expect(
      await deliver(`Bearer ${tokens.sign(INVOKER, url, { iss: 'https://else.example' })}`),
    ).toBe(401);
    expect(await deliver(`Bearer ${tokens.sign(INVOKER, url, { exp: 1 })}`)).toBe(401);
    expect(await deliver(`Bearer ${tokens.sign('mallory@else.example', url)}`)).toBe(403);
    expect(await deliver(`Bearer ${tokens.sign(INVOKER, url, { email_verified: false })}`)).toBe(
      403,
    );
    expect(await deliver(`Bearer ${tokens.sign(INVOKER, url)}`)).toBe(200);
  }
});

test('the operator function serves an operator whose token is for it, and no other caller', async () => {
  const { id } = await new Client(system, new Oracle()).send('steps=1');
  const url = system.urls.operator;
  const ask = (token?: string) =>
    fetch(`${url}/runs`, {
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    });
  const operator = await (await fetch(system.operatorToken)).text();
  const answered = await ask(operator);
  expect(answered.status).toBe(200);
  expect(JSON.stringify(await answered.json())).toContain(id);
  const { tokens } = emulators.tasks;
  const address = `operator@${PROJECT}.example`;
  expect((await ask()).status).toBe(401);
  expect((await ask(tokens.sign(address, system.urls.worker))).status).toBe(401);
  expect((await ask(new IdTokens(tokens.issuer).sign(address, url))).status).toBe(401);
  // The identity of the queues is no operator.
  expect((await ask(tokens.sign(INVOKER, url))).status).toBe(403);
});

test('deliveries that come twice, and answers that get lost on either side, still make one result', {
  timeout: 60_000,
}, async () => {
  // In turn, so that each comes, whichever delivery it meets.
  const faults = { deliveries: 0, calls: 0 };
  emulators.tasks.engine.deliveryFault = () =>
    (['duplicate', 'lost-answer', undefined] as const)[faults.deliveries++ % 3];
  emulators.tasks.plan((method) => {
    if (method !== 'CreateTask') return undefined;
    return (['lost-answer', 'unavailable', undefined] as const)[faults.calls++ % 3];
  });
  try {
    const oracle = new Oracle();
    const client = new Client(system, oracle);
    const tasks = await Promise.all(
      Array.from({ length: 8 }, () => client.send('steps=3 delay=30 count')),
    );
    for (const task of tasks) {
      const end = await client.finished(task.id, 30_000);
      expect(stateOf(end)).toBe('COMPLETED');
      expect(textOf(end.status.message)).toBe('started 1 times');
      expect(end.artifacts).toHaveLength(3);
      expect(end.history).toHaveLength(2);
    }
    expect(oracle.contradictions()).toEqual([]);
    expect(Math.min(faults.deliveries, faults.calls)).toBeGreaterThan(3);
  } finally {
    emulators.tasks.engine.deliveryFault = undefined;
    emulators.tasks.plan(undefined);
  }
});

test(`${KILLS} functions killed under load, each kind among them, lose nothing that a client was told`, {
  timeout: 240_000,
}, async () => {
  process.stdout.write(`HOLDFAST_SEED=${SEED}\n`);
  const random = seeded(SEED);
  const load = startLoad(random);
  const names = Array.from(
    { length: KILLS },
    (_, at) => SERVICES[at % SERVICES.length] ?? 'worker',
  );
  while (names.length > 0) {
    await wait(50 + random() * 500);
    const [name = 'worker'] = names.splice(Math.floor(random() * names.length), 1);
    const before = starts.get(name) ?? 0;
    system.processes.get(name)?.kill('SIGKILL');
    // The others go on; this one is not killed again before it served.
    await expect.poll(() => starts.get(name), { timeout: 60_000 }).toBeGreaterThan(before);
    expect(load.faults(), `seed ${SEED}`).toEqual([]);
  }
  const told = await load.end();
  process.stdout.write(`${KILLS} kills, ${told}\n`);
});

/**
 * A real restart would leave nothing: the emulator keeps its rows in memory only. So its
 * connections are cut, its rows exported, the process killed, and another one started on its port
 * with the export: which is how a restart of the service looks from outside, but that each document
 * then has a new version.
 */
test('while Firestore is away calls fail cleanly or wait, and after its restart everything goes on', {
  timeout: 240_000,
}, async () => {
  const random = seeded(SEED);
  const load = startLoad(random);
  const client = new Client(system, new Oracle());
  const { id } = await client.send('steps=1');
  await wait(1_000);
  link.cut();
  await Promise.all(HTTP_BINDINGS.map((binding) => expectUnavailable(binding, id)));
  firestore = await restartEmulator(firestore, PROJECT);
  link.mend();
  // Without its ceiling the pause between two connections would be half as long as the outage.
  await expect
    .poll(() => client.get(id).then(stateOf, () => 'unavailable'), { timeout: BACK_WITHIN })
    .toBe('COMPLETED');
  await wait(1_000);
  process.stdout.write(`${await load.end()}\n`);
});

/**
 * Every operation is answered in time by an error that says when to come again, and nothing of what
 * is behind it.
 */
async function expectUnavailable(binding: HttpBinding, id: string): Promise<void> {
  const calls = [
    ['GetTask', { id }],
    ['ListTasks', {}],
    ['CancelTask', { id }],
    ['SubscribeToTask', { id }],
    ['SendMessage', sendParams('steps=1', {})],
    ['SendStreamingMessage', sendParams('steps=1', {})],
  ] as const;
  const answers = calls.map(async ([operation, params]) => {
    const { method, path, body } = callOf(binding, operation, params);
    const response = await fetch(`${system.url}${path}`, {
      method,
      headers: {
        'A2A-Version': '1.0',
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    expect(text, operation).toContain('"UNAVAILABLE"');
    expect(text, operation).not.toMatch(/firestore|127\.0\.0\.1|\.ts/i);
    expect(response.status, operation).toBe(binding === 'rest' ? 503 : 200);
    if (binding === 'jsonrpc') expect(text, operation).toContain('"code":-32603');
    expect(response.headers.get('retry-after'), operation).toBe('1');
  });
  await Promise.all(answers);
}

/**
 * Sessions at work until the end is asked for, which waits until everything is at rest and looks at
 * all that was ever shown.
 */
function startLoad(random: () => number) {
  const oracle = new Oracle({ reruns: true });
  const over = new AbortController();
  const sessions = Array.from({ length: SESSIONS }, () => new Session(system, oracle, random));
  const working = Promise.all(sessions.map((session) => session.work(over.signal)));
  return {
    faults: () => sessions.flatMap(({ faults }) => faults),
    async end(): Promise<string> {
      over.abort();
      await working;
      const endpoint = emulators.storage.url;
      const blobs = createGcsBlobs({ bucket: BUCKET, endpoint });
      await atRest({ server: system, blobs, sessions, oracle, hint: `seed ${SEED}` });
      const ended = sessions.reduce((sum, session) => sum + session.ended, 0);
      const cuts = sessions.reduce((sum, session) => sum + session.cuts, 0);
      expect(ended).toBeGreaterThan(SESSIONS);
      return `${ended} tasks ended, ${cuts} calls cut`;
    },
  };
}
