import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { ServiceName } from '../../functions/function-names.ts';
import { readArguments } from '../../functions/start/arguments.ts';
import { type Rehearsal, startRehearsal } from '../../functions/start/rehearsal.ts';
import { finding } from '../../shared/operator/doctor-schemas.ts';
import { Client } from './client.ts';
import { eventually } from './eventually.ts';
import { useOracle } from './oracle.ts';
import { OperatorsPlace } from './operators-place.ts';
import { contextOf } from './remote-books.ts';
import { Front } from './remote-front.ts';
import { BRISK, QUICK, type Server, useFleet } from './server.ts';
import { artifactIds, stateOf, textOf, type WireTask } from './wire.ts';

const AGENTS = 'test/fixtures/agents/e2e-delegation.ts';
const settings = {
  ...QUICK,
  ...BRISK,
  lease: 2_000,
  leaseRenewal: 500,
  requeues: 1_000,
  repeatAfter: 1_000,
  pollMin: 200,
  pollMax: 1_000,
  pushTimeout: 2_000,
  // A wait for a person nears its end at once for whom it is told a week before.
  waitingRetention: 6 * 86_400_000,
};
const fleet = useFleet();
const oracle = useOracle({ reruns: true });
const [toHere, toThere] = [new Front(), new Front()];
const operators = new OperatorsPlace();
/** As deployed, over emulators: worker, coordinator and all others are processes of their own. */
let here: Rehearsal;
let there: Server;
const starts = new Map<ServiceName, number>();

beforeAll(async () => {
  await Promise.all([toHere.open(), toThere.open(), operators.open()]);
  const card = (front: Front, agent: string) => ({
    card: `${front.url}/agents/${agent}/.well-known/agent-card.json`,
  });
  there = await fleet.start({
    store: 'embedded',
    settings: { ...BRISK, pollMin: 100 },
    args: ['--agents', AGENTS, '--base-url', toThere.url, '--remote-private', 'loopback'],
    env: { HOLDFAST_E2E_REMOTES: JSON.stringify({ back: card(toHere, 'scripted') }) },
  });
  toThere.remote = there;
  // The functions inherit it.
  process.env['HOLDFAST_E2E_REMOTES'] = JSON.stringify({
    there: card(toThere, 'relay'),
    worker: card(toThere, 'scripted'),
  });
  const set = Object.entries(settings).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
  const events = ['approval', 'input', 'unknown-send', 'failed', 'deadline'];
  const targets = [
    { name: 'service', url: operators.url('/service'), events, lead: '7d' },
    { name: 'chat', form: 'slack', secret: 'HOLDFAST_E2E_CHAT', events, agents: ['keeper'] },
  ];
  process.env['HOLDFAST_E2E_CHAT'] = operators.url('/chat');
  // An emulator that others use, too, has rows of theirs.
  const project = ['--project', `holdfast-${randomUUID().slice(0, 8)}`];
  const args = [
    '--store',
    'google',
    ...project,
    '--port',
    '0',
    '--agents',
    AGENTS,
    '--log',
    'error',
  ];
  const about = ['--notices', JSON.stringify(targets), '--allow-private-webhooks'];
  const options = readArguments(
    [...args, ...about, '--base-url', toHere.url, '--remote-private', 'loopback', ...set],
    {},
  );
  if (options === undefined) throw new Error('no options');
  here = await startRehearsal(options, (name) => starts.set(name, (starts.get(name) ?? 0) + 1));
  toHere.remote = here;
}, 120_000);

afterAll(async () => {
  await here?.stop();
  await Promise.all([toHere.close(), toThere.close()]);
  operators.close();
});

const client = () => new Client(here, oracle);
const agentHere = (name: string) => new Client({ url: `${here.url}/agents/${name}` }, oracle);

/** As an operator asks the operator function. */
async function ask(path: string, body?: object): Promise<unknown> {
  const token = await (await fetch(here.operatorToken)).text();
  const response = await fetch(`${here.urls.operator}${path}`, {
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  });
  return response.json();
}

async function tasksOf(id: string, agent: string): Promise<readonly WireTask[]> {
  const at = new Client({ url: `${there.url}/agents/${agent}` }, oracle);
  return (await at.list({ contextId: contextOf(id) })).tasks;
}

/** Sends, and waits until the remote is at work. */
async function atWork(text: string): Promise<string> {
  const { id } = await client().send(text, { ri: true });
  await eventually(
    async () => (await tasksOf(id, 'scripted')).map(stateOf),
    (states) => states.includes('WORKING'),
    30_000,
  );
  return id;
}

async function killed(name: ServiceName): Promise<void> {
  const before = starts.get(name) ?? 0;
  here.processes.get(name)?.kill('SIGKILL');
  await eventually(
    () => starts.get(name) ?? 0,
    (count) => count > before,
    60_000,
  );
}

test('three runs in two systems, one of them as deployed, each wait for the next and have one task each', {
  timeout: 120_000,
}, async () => {
  const { id } = await client().send('to=there to=back steps=2 wait=500', { ri: true });
  const done = await client().finished(id, 60_000);
  expect(textOf(done.status.message)).toBe(
    'there completed: back completed: done: steps=2 wait=500',
  );
  expect(artifactIds(done)).toEqual(['step-1', 'step-2']);
  const [middle, ...more] = await tasksOf(id, 'relay');
  expect(more).toEqual([]);
  const last = new Client({ url: `${here.url}/agents/scripted` }, oracle);
  const { totalSize } = await last.list({ contextId: contextOf(middle?.id ?? '') });
  expect(totalSize).toBe(1);
});

test('a coordinator and a worker that die meanwhile, and an answer that is lost: one remote task, and its result', {
  timeout: 120_000,
}, async () => {
  toThere.next('SendMessage', { kind: 'cut', when: 'after' });
  const id = await atWork('to=worker steps=1 wait=4000');
  await Promise.all([killed('coordinator'), killed('worker')]);
  const done = await client().finished(id, 60_000);
  expect(textOf(done.status.message)).toBe('worker completed: done: steps=1 wait=4000');
  expect(await tasksOf(id, 'scripted')).toHaveLength(1);
});

test('a cancel is CANCELED at once, and the remote is told once', {
  timeout: 120_000,
}, async () => {
  const id = await atWork('to=worker wait=60000');
  const before = toThere.count('CancelTask');
  expect(stateOf(await client().cancel(id))).toBe('CANCELED');
  await eventually(async () => (await tasksOf(id, 'scripted')).map(stateOf), ['CANCELED'], 30_000);
  expect(toThere.count('CancelTask')).toBe(before + 1);
});

test('what waits, fails or nears its end is told to operators once, by the push function, with a link to the console', {
  timeout: 120_000,
}, async () => {
  const keeper = agentHere('keeper');
  const [{ id: approval }, { id: input }, { id: failed }] = await Promise.all([
    keeper.send('pay', { ri: true }),
    keeper.send('choose', { ri: true }),
    agentHere('scripted').send('fail', { ri: true }),
  ]);
  const found = Promise.withResolvers<void>();
  const held = { kind: 'hold', when: 'before', until: found.promise } as const;
  toThere.next('SendMessage', { kind: 'cut', when: 'after' }).next('ListTasks', held, held, held);
  const { id: unknown } = await client().send('to=worker steps=1', { ri: true });
  // Sorted: what is to be told of one task is no sequence.
  const kindsOf = (id: string) =>
    operators
      .about(id)
      .map(({ kind }) => kind)
      .toSorted();
  const waits = [['approval', 'deadline'], ['deadline', 'input'], ['failed'], ['unknown-send']];
  const told = () => [approval, input, failed, unknown].map(kindsOf);
  await eventually(told, waits);
  found.resolve();
  await client().finished(unknown, 60_000);
  const console = `${here.urls.operator}/console`;
  for (const { link } of operators.about(approval))
    expect(link).toBe(`${console}/runs/${approval}`);
  expect(operators.about(unknown)).toMatchObject([{ link: `${console}/sends` }]);
  const inChat = () =>
    operators.heard.flatMap(({ path, text }) => (path === '/chat' ? [text] : []));
  await eventually(() => [approval, input].map((id) => inChat().join().includes(id)), [true, true]);
  // Sweeps go on all the while.
  expect(told()).toEqual(waits);
});

test('a push function that is killed between a message and its note tells it once more, under the same id', {
  timeout: 120_000,
}, async () => {
  const release = operators.hold();
  const { id } = await agentHere('keeper').send('pay', { ri: true });
  const aboutApproval = () => operators.about(id).filter(({ kind }) => kind === 'approval');
  await eventually(() => aboutApproval().length, 1);
  await killed('push');
  release();
  await eventually(() => aboutApproval().length, 2);
  expect(new Set(aboutApproval().map((notice) => notice.id)).size).toBe(1);
  await eventually(
    () => ask('/notices'),
    (answer) => {
      const { targets } = answer as { targets: readonly { name: string; left: number }[] };
      return targets.every(({ left }) => left === 0);
    },
  );
  expect(aboutApproval()).toHaveLength(2);
});

test('an operator finds the installation well, tries a failed run again, and the audit record says so', {
  timeout: 120_000,
}, async () => {
  const { findings } = z.object({ findings: z.array(finding) }).parse(await ask('/doctor'));
  expect(findings.filter(({ health }) => health === 'fail')).toEqual([]);
  const { id } = await agentHere('scripted').send('fail');
  const made = await ask(`/runs/${id}/retry`, { requestId: 'once' });
  const again = await ask(`/runs/${id}/retry`, { requestId: 'once' });
  expect(again).toMatchObject({ run: { id: (made as { run: { id: string } }).run.id } });
  expect(await ask(`/audit?run=${id}`)).toMatchObject({
    entries: [{ act: 'retry', agent: 'scripted', run: id }],
  });
  expect(JSON.stringify(await ask('/runs?reason=AGENT_FAILED&sort=age'))).toContain(id);
});
