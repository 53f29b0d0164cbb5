import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FunctionName } from '../../functions/function-names.ts';
import { readArguments } from '../../functions/start/arguments.ts';
import { type Rehearsal, startRehearsal } from '../../functions/start/rehearsal.ts';
import { Client } from './client.ts';
import { eventually } from './eventually.ts';
import { useOracle } from './oracle.ts';
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
};
const fleet = useFleet();
const oracle = useOracle({ reruns: true });
const [toHere, toThere] = [new Front(), new Front()];
/** As deployed, over emulators: worker, coordinator and all others are processes of their own. */
let here: Rehearsal;
let there: Server;
const starts = new Map<FunctionName, number>();

beforeAll(async () => {
  await Promise.all([toHere.open(), toThere.open()]);
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
  const args = ['--store', 'google', '--port', '0', '--agents', AGENTS, '--log', 'error'];
  const options = readArguments(
    [...args, '--base-url', toHere.url, '--remote-private', 'loopback', ...set],
    {},
  );
  if (options === undefined) throw new Error('no options');
  here = await startRehearsal(options, (name) => starts.set(name, (starts.get(name) ?? 0) + 1));
  toHere.remote = here;
}, 120_000);

afterAll(async () => {
  await here?.stop();
  await Promise.all([toHere.close(), toThere.close()]);
});

const client = () => new Client(here, oracle);

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

async function killed(name: FunctionName): Promise<void> {
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
