import type { Accepted } from '../../shared/app/service.ts';
import { isRefused, type Refused } from '../../shared/domain/refusal.ts';
import { EVENTS_EXTENSION } from '../../shared/domain/signal.ts';
import { isSettled, isTerminal } from '../../shared/domain/status.ts';
import { seededIds } from '../../testing/seeded-ids.ts';
import type { Task } from '../../shared/domain/task.ts';
import { Client, PROMPT } from './client.ts';
import { Operator } from './operator.ts';
import { type FaultPlan, randomFaults } from './faults.ts';
import type { Scenario } from './scenarios.ts';
import { EVENT, STEPPING_AGENT } from './stepping-agent.ts';
import type { World, WorldOptions } from './world.ts';

const AGENTS = [
  'short',
  'stream',
  'burst',
  'asks',
  'asks',
  'later',
  'slow',
  'patient',
  'large',
  'fails',
  'parallel',
] as const;
const CONTEXTS = ['context-a', 'context-b'] as const;

/**
 * A world with everything that a seed can put wrong: processes, queue, delays, lost answers and
 * faults.
 */
export function randomWorld(seed: number, plan?: FaultPlan, span = 260): WorldOptions {
  const chance = seededIds(seed ^ 0x2b2b2b);
  const queue = {
    drop: chance.random() * 0.2,
    duplicate: chance.random() * 0.6,
    late: chance.random() * 250,
    durable: chance.random() < 0.4,
  };
  const processes = chance.random() < 0.6 ? 2 : 1;
  const slow = chance.random() < 0.7 ? 20 : 300;
  const missed = chance.random() < 0.5 ? 0 : 0.08;
  const skew = chance.random() < 0.7 ? 0 : 400;
  // Without receipts a retry is another message, so no client there retries what may have been
  // taken.
  const idempotency = chance.random() < 0.85 ? 'always' : 'off';
  // Drawn also where a plan is given: a schedule that is played again is the same one.
  const drawn = randomFaults(chance, 5, span);
  const faults = plan ?? drawn;
  // Only a process with a queue of its own works on what it accepts; now and then its lane is full.
  const lane = queue.durable ? 0 : Math.floor(chance.random() * 3);
  return { seed, plan: faults, processes, queue, slow, missed, skew, idempotency, lane };
}

/** Several clients at once, in few contexts, so that they meet. */
export function clientsOf(agents: readonly string[]): Scenario {
  return {
    cancels: true,
    async story(world) {
      const actors = 1 + Math.floor(world.chance.random() * 3);
      await Promise.all(Array.from({ length: actors }, () => actor(world, agents)));
    },
  };
}

export const random = clientsOf(AGENTS);

async function actor(world: World, agents: readonly string[]): Promise<void> {
  const happens = (chance: number): boolean => world.chance.random() < chance;
  const client = new Client(world, pick(world, agents));
  await client.pause(world.chance.random() * 60);
  const taskId = await begin(world, client, pick(world, CONTEXTS));
  if (taskId === undefined) return;
  if (happens(0.6))
    client.watch(taskId, happens(0.5) ? { until: 'terminal', afterSeq: 0 } : undefined);
  const cancelling = happens(0.25) ? cancelLater(world, client, taskId) : undefined;
  const events = client.principal.agent === STEPPING_AGENT ? eventsTo(world, client, taskId) : [];
  const task = await client.until(taskId, ({ status }) => isSettled(status.state));
  if (happens(0.4)) client.watch(taskId);
  if (task.status.state === 'AUTH_REQUIRED') await decideSomehow(world, client, task);
  else if (!isTerminal(task.status.state) && happens(0.85)) await answer(world, client, taskId);
  if (happens(0.4)) await client.list();
  await Promise.all([cancelling, ...events]);
  client.stop();
}

/**
 * Sends the first message, sometimes twice at once and sometimes again later: it is the same task
 * each time.
 */
async function begin(world: World, client: Client, context: string): Promise<string | undefined> {
  for (let tries = 1; tries <= 4; tries += 1) {
    const messageId = world.ids.uuid();
    const send = (): Promise<Accepted | Refused> =>
      client.sendAs(messageId, { contextId: context }, [{ text: `${PROMPT} ${messageId}` }]);
    const copies = happens(world, 0.3) ? [send(), send()] : [send()];
    const taken = (await Promise.all(copies)).find((each) => !isRefused(each));
    if (taken !== undefined && !isRefused(taken)) {
      if (happens(world, 0.3)) await send();
      return taken.taskId;
    }
    await client.pause(world.chance.random() * 500);
  }
  return undefined;
}

/** Two answers to one question, of which one is taken. */
async function answer(world: World, client: Client, taskId: string): Promise<void> {
  const say = (size: number): Promise<Accepted | Refused> =>
    client.send({ taskId }, [{ text: PROMPT }, { data: { size } }]);
  const both = world.chance.random() < 0.4;
  const answers = await Promise.all(both ? [say(1), say(2)] : [say(1)]);
  // An answer that was lost and is not recognised may or may not have been taken.
  if (world.options.idempotency !== 'always') return;
  if (answers.filter((each) => !isRefused(each)).length > 1)
    world.record.complaints.push('two answers were taken');
  await client.ended(taskId);
}

/**
 * Some of those who may decide do, now and then two at once, until the task has ended; or no one
 * ever does.
 */
async function decideSomehow(world: World, client: Client, paused: Task): Promise<void> {
  const happens = (chance: number): boolean => world.chance.random() < chance;
  const { taskId } = paused;
  const operator = new Operator(world, pick(world, ['one', 'other']));
  const decide = async (task: Task): Promise<unknown> => {
    const kind = happens(0.7) ? 'approve' : 'deny';
    if (happens(0.3)) return client.decide(task, kind);
    const decision = operator.decisionOn(taskId, kind);
    if (decision === undefined) return undefined;
    return happens(0.5) ? operator.store(taskId, decision) : operator.carryOut(taskId, decision);
  };
  for (let task = paused; !isTerminal(task.status.state); ) {
    if (happens(0.1)) return;
    if (happens(0.1)) world.operators.delete('one');
    await Promise.all(happens(0.3) ? [decide(task), decide(task)] : [decide(task)]);
    await client.pause(60);
    task = await client.until(taskId, ({ status }) => isSettled(status.state));
  }
}

/**
 * Events at any time of a run, by its owner or by an operator, now and then twice at once: fewer
 * than it waits for, as many, or more.
 */
function eventsTo(world: World, client: Client, taskId: string): readonly Promise<unknown>[] {
  const count = Math.floor(world.chance.random() * 5);
  return Array.from({ length: count }, async (_, data) => {
    const operator = new Operator(world, 'cashier');
    const id = world.ids.uuid();
    const byOwner = world.chance.random() < 0.5 && world.options.idempotency === 'always';
    const metadata = { [EVENTS_EXTENSION]: { name: EVENT } };
    const deliver = (): Promise<unknown> =>
      byOwner
        ? client.sendAs(id, { taskId }, [{ data }], false, metadata)
        : operator.deliver(taskId, EVENT, data, id);
    await client.pause(world.chance.random() ** 2 * 1_500);
    await Promise.all(world.chance.random() < 0.3 ? [deliver(), deliver()] : [deliver()]);
  });
}

async function cancelLater(world: World, client: Client, taskId: string): Promise<void> {
  await client.pause(world.chance.random() ** 2 * 1_500);
  await client.cancel(taskId);
}

/** Only where a retry is recognised. */
function happens(world: World, chance: number): boolean {
  return world.options.idempotency === 'always' && world.chance.random() < chance;
}

function pick<T>(world: World, from: readonly [T, ...T[]] | readonly T[]): T {
  const picked = from[Math.floor(world.chance.random() * from.length)];
  if (picked === undefined) throw new RangeError('nothing to pick from');
  return picked;
}
