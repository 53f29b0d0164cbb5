import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { textOf as wordsOf } from '../../shared/domain/message.ts';
import { sendIds } from '../../shared/domain/send.ts';
import { Peer, type PeerTask } from '../../testing/peer.ts';
import { servePeer } from '../fixtures/remotes/peer-server.ts';
import { inWords, killEverywhere, Lane } from './kill-lanes.ts';
import { asOperator } from './operating.ts';
import { Oracle } from './oracle.ts';
import { contextOf } from './remote-books.ts';
import { Front, type Operation } from './remote-front.ts';
import { useFleet } from './server.ts';
import { isTerminal, stateOf, textOf } from './wire.ts';

const LANES = 3;
const fleet = useFleet();
const oracle = new Oracle({ reruns: true });
/** One for each lane. */
const fronts = new Map<Lane, Front>();
const lanes: Lane[] = [];

/**
 * A remote that makes a task of every message, also of one that it has had before: a second one
 * would show. Done when it is looked at for the second time, unless it was told to wait.
 */
class Forgetful extends Peer {
  override look(taskId: string): PeerTask | undefined {
    const task = super.look(taskId);
    const waits = task === undefined || wordsOf(task) === 'wait' || task.state !== 'WORKING';
    if (!waits && (this.looks.get(taskId) ?? 0) > 1) this.settle(taskId, 'COMPLETED', 'the result');
    return task;
  }
}
const peer = new Forgetful();
let stopPeer: () => Promise<void>;

beforeAll(async () => {
  const served = await servePeer(peer, 'JSONRPC');
  stopPeer = served.stop;
  const open = async () => {
    const front = await new Front().open();
    front.remote = { url: new URL(served.card).origin };
    // How slow a restart is does not matter; deadlines are another test's.
    const remote = { card: `${front.url}/card`, pollInterval: 50, deadline: 600_000 };
    const lane = await Lane.open(fleet, {
      oracle,
      agents: 'test/fixtures/agents/e2e-delegation.ts',
      env: { HOLDFAST_E2E_REMOTES: JSON.stringify({ peer: remote }) },
    });
    fronts.set(lane, front);
    lanes.push(lane);
  };
  await Promise.all(Array.from({ length: LANES }, open));
});

afterAll(async () => {
  await Promise.all(lanes.map((lane) => lane.close()));
  await Promise.all([...fronts.values()].map((front) => front.close()));
  await stopPeer();
  expect(oracle.contradictions()).toEqual([]);
});

interface Delegation {
  readonly lane: Lane;
  readonly id: string;
  readonly why: string;
}

async function begin(lane: Lane, why: string, text = 'do it'): Promise<Delegation> {
  // The same message, however often it must be sent.
  const name = why.replaceAll(/\W+/g, '-');
  const sending = { messageId: name, contextId: name, ri: true };
  const { id } = await lane.insist(() => lane.client.send(`to=peer ${text}`, sending));
  return { lane, id, why };
}

const tasksOf = ({ id }: Delegation) => peer.list(contextOf(id));

/**
 * Until it has ended, or shows that the outcome of its send is unknown, and there is nothing at
 * the remote to be found.
 */
async function atRest(delegation: Delegation): Promise<'ended' | 'unknown'> {
  const { id, lane } = delegation;
  const task = await lane.until(id, async (seen) => {
    if (isTerminal(stateOf(seen))) return true;
    const run = await lane.books.run(id);
    const waits = run?.status === 'waiting_for_dependency';
    return waits && run.dependency.operation === null && tasksOf(delegation).length === 0;
  });
  return isTerminal(stateOf(task)) ? 'ended' : 'unknown';
}

const shown = z.object({ sends: z.array(z.object({ id: z.string(), state: z.string() })) });

/**
 * What an operator can do about it. False: the answer came after all, from a worker that was only
 * slow.
 */
async function givenUp({ id, lane }: Delegation): Promise<boolean> {
  return lane.insist(async () => {
    const operator = await asOperator(lane.server);
    const [send] = shown.parse((await operator.get(`/runs/${id}`)).body).sends;
    if (send?.state !== 'outcome_unknown') return send?.state === 'abandoned';
    return (await operator.post(`/sends/${send.id}/abandon`)).status === 200;
  });
}

/**
 * Both ends agree: one task there and its result here, or none there and here it was never known.
 * Never two, never two sends.
 */
async function outcomeOf(delegation: Delegation): Promise<'result' | 'unknown'> {
  const { id, lane, why } = delegation;
  let outcome: 'result' | 'unknown' | undefined;
  while (outcome === undefined) {
    if ((await atRest(delegation)) === 'ended') outcome = 'result';
    else if (await givenUp(delegation)) outcome = 'unknown';
  }
  const done = await lane.finished(id);
  const send = await lane.books.send(id);
  const tasks = tasksOf(delegation).length;
  const sent = peer.sends.get(sendIds(id, 'call-2-1').messageId) ?? 0;
  const seen = { sent, tasks, words: textOf(done.status.message), send: send?.state };
  const wanted =
    outcome === 'result'
      ? { sent: 1, tasks: 1, words: 'peer completed: the result', send: 'acknowledged' }
      : { sent: 0, tasks: 0, words: 'peer abandoned', send: 'abandoned' };
  expect(seen, why).toEqual(wanted);
  return outcome;
}

const SWEEPS = [
  ['before and after each commit of a step, a send or a pause', 'books'],
  ['between any two commits', 'any'],
] as const;

test.each(SWEEPS)(
  'killed %s of a delegation, the remote has one task and it is found, or it has none',
  { timeout: 240_000 },
  async (_, of) => {
    const outcomes = { result: 0, unknown: 0 };
    const kills = await killEverywhere(lanes, of, async (lane, kill) => {
      lane.arm(kill);
      outcomes[await outcomeOf(await begin(lane, inWords(kill)))] += 1;
    });
    const { result, unknown } = outcomes;
    process.stdout.write(
      `${kills} kills at ${of} commits: ${result} results, ${unknown} never known\n`,
    );
    // It died between the commit of a send and the send: there, and only there, it can't be known.
    // Which commits come between two others depends on the clock, so only the sweep over the run's
    // own is sure to meet it.
    if (of === 'books') expect(unknown).toBeGreaterThan(0);
    expect(unknown).toBeLessThan(result);
  },
);

interface Moment {
  readonly at: Operation;
  readonly where: 'arrived' | 'answered';
  /** What arrived goes on to the remote; else it is lost with its sender. */
  readonly goesOn?: true;
}
const MOMENTS: readonly (readonly [outcome: 'result' | 'unknown', ...moments: Moment[]])[] = [
  ['unknown', { at: 'other', where: 'arrived' }],
  ['unknown', { at: 'SendMessage', where: 'arrived' }],
  ['result', { at: 'SendMessage', where: 'arrived', goesOn: true }],
  ['result', { at: 'SendMessage', where: 'answered' }],
  [
    'result',
    { at: 'SendMessage', where: 'answered' },
    { at: 'ListTasks', where: 'arrived', goesOn: true },
  ],
  ['result', { at: 'SendMessage', where: 'answered' }, { at: 'ListTasks', where: 'answered' }],
  ['result', { at: 'GetTask', where: 'arrived' }],
  ['result', { at: 'GetTask', where: 'answered' }],
];

/** Has the lane die at these moments, one after the other. */
function dieAt(lane: Lane, front: Front, moments: readonly Moment[]): { readonly left: Moment[] } {
  const left = [...moments];
  front.watch = (operation, where) => {
    const [next] = left;
    if (next?.at !== operation || next.where !== where) return undefined;
    left.shift();
    lane.kill();
    return next.goesOn === true ? undefined : 'cut';
  };
  return { left };
}

test('killed while a request is on its way to the remote, or an answer on its way back: never a second task', {
  timeout: 120_000,
}, async () => {
  const cases = MOMENTS.entries();
  const work = async (lane: Lane, front: Front): Promise<void> => {
    for (const [at, [outcome, ...moments]] of cases) {
      const why = `case ${at}: ${moments.map((each) => `${each.at} ${each.where}`).join(', ')}`;
      // It asks for the remote's card anew.
      await lane.server.restart('kill');
      const { left } = dieAt(lane, front, moments);
      const delegation = await begin(lane, why);
      expect(await outcomeOf(delegation), why).toBe(outcome);
      expect(left, why).toEqual([]);
    }
  };
  await Promise.all([...fronts].map(([lane, front]) => work(lane, front)));
});

test.each(SWEEPS)(
  'killed %s of a cancel, the task here is CANCELED and the remote is told at most once',
  {
    timeout: 120_000,
  },
  async (_, of) => {
    let told = 0;
    const kills = await killEverywhere(lanes, of, async (lane, kill) => {
      const why = `cancel, ${inWords(kill)}`;
      const delegation = await begin(lane, why, 'wait');
      const { id } = delegation;
      await lane.until(id, async () => {
        const run = await lane.books.run(id);
        return run?.status === 'waiting_for_dependency' && run.dependency.operation !== null;
      });
      const { deaths } = lane;
      lane.arm(kill);
      expect(stateOf(await lane.insist(() => lane.client.cancel(id))), why).toBe('CANCELED');
      // Done, or, if it died between noting that it asks and asking, never done: a second time
      // would be one too many.
      await lane.until(id, async () => {
        const { orphans = [] } = (await lane.books.run(id)) ?? {};
        const noted = (await lane.books.send(id))?.cancelled !== null;
        return orphans.length === 0 && (noted || lane.deaths > deaths);
      });
      const [task] = tasksOf(delegation);
      const cancels = peer.cancels.get(task?.taskId ?? '') ?? 0;
      expect([cancels, task?.state], why).toEqual([
        cancels,
        cancels === 1 ? 'CANCELED' : 'WORKING',
      ]);
      told += cancels;
    });
    process.stdout.write(
      `${kills} kills of a cancel at ${of} commits: ${told} remote tasks cancelled\n`,
    );
    expect(told).toBeGreaterThan(0);
  },
);
