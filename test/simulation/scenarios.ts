import { isRefused } from '../../shared/domain/refusal.ts';
import { isSettled, isTerminal } from '../../shared/domain/status.ts';
import { Client, PROMPT } from './client.ts';
import type { World } from './world.ts';

/**
 * What clients do in a run. The scenario is over when its story is; then everything must come to
 * rest.
 */
export interface Scenario {
  readonly cancels?: boolean;
  /** Retries are not recognised, so no client retries. */
  readonly unrecognised?: boolean;
  /**
   * Played with the plain faults only: late arrivals and outages of it are for the random
   * schedules.
   */
  readonly plainly?: boolean;
  /** The process that accepts a run claims it in the same commit. */
  readonly claims?: boolean;
  /** An agent of it has a schedule. */
  readonly ticks?: boolean;
  story(world: World): Promise<void>;
}

/** One task of that agent from its start to its end, watched on every path. */
export function told(agent: string): Scenario {
  return {
    async story(world) {
      const client = new Client(world, agent);
      const taskId = await client.start();
      client.watch(taskId, { until: 'settled', afterRevision: 1 });
      client.watch(taskId);
      await client.ended(taskId);
      await client.list();
      client.stop();
    },
  };
}

/** A caller that leaves, and is told by its webhook. */
export function toldToWebhook(agent: string): Scenario {
  return {
    async story(world) {
      const client = new Client(world, agent);
      const webhook = { id: 'hook', url: 'https://hooks.example/', version: '1.0' } as const;
      const sent = await client.send({ webhook });
      if (isRefused(sent)) throw new Error(sent.code);
      await client.ended(sent.taskId);
      client.stop();
    },
  };
}

/** The same, cancelled after a while. */
export function cancelled(agent: string, span: number): Scenario {
  return {
    cancels: true,
    async story(world) {
      const client = new Client(world, agent);
      const taskId = await client.start();
      client.watch(taskId);
      await client.pause(span);
      await client.cancel(taskId);
      await client.ended(taskId);
      client.stop();
    },
  };
}

const blocking: Scenario = {
  async story(world) {
    const client = new Client(world, 'short');
    const accepted = await client.send({ blocking: true });
    if (isRefused(accepted)) throw new Error(accepted.code);
    const task = await client.settled(accepted);
    if (isRefused(task)) throw new Error(`a task that was sent is not there: ${task.code}`);
    await client.ended(accepted.taskId);
  },
};

const asks: Scenario = {
  async story(world) {
    const client = new Client(world, 'asks');
    const taskId = await client.start();
    client.watch(taskId);
    const asked = await client.until(taskId, (task) => isSettled(task.status.state));
    if (isTerminal(asked.status.state)) return client.stop();
    const wrong = await client.send({ taskId }, [{ data: { size: 'large' } }]);
    if (!isRefused(wrong)) throw new Error('an answer that does not fit its question was taken');
    const answer = await client.send({ taskId }, [{ text: PROMPT }, { data: { size: 3 } }]);
    if (isRefused(answer)) throw new Error(`an answer was refused: ${answer.code}`);
    client.watch(taskId, { until: 'settled', afterRevision: answer.revision });
    client.watch(taskId, { until: 'terminal', afterSeq: 2 });
    await client.ended(taskId);
    client.stop();
  },
};

const cancelledWhileAsking: Scenario = {
  cancels: true,
  async story(world) {
    const client = new Client(world, 'asks');
    const taskId = await client.start();
    await client.until(taskId, (task) => isSettled(task.status.state));
    await client.cancel(taskId);
    await client.ended(taskId);
  },
};

/** Who is told that a message was refused may send it again: it must not have been taken. */
const unrecognised: Scenario = {
  unrecognised: true,
  async story(world) {
    const client = new Client(world, 'asks');
    const accepted = await client.send({ contextId: 'context' });
    if (isRefused(accepted)) return;
    const { taskId } = accepted;
    const asked = await client.until(taskId, (task) => isSettled(task.status.state));
    if (isTerminal(asked.status.state)) return;
    const answer = await client.send({ taskId });
    if (!isRefused(answer)) await client.ended(taskId);
  },
};

/** A second task of the context begins as soon as the first has ended. */
const twice: Scenario = {
  async story(world) {
    const client = new Client(world, 'short');
    const first = await client.start('shared-context');
    await client.ended(first);
    const second = await client.start('shared-context');
    await client.ended(second);
  },
};

export type Scenarios = { readonly [name: string]: Scenario };

/** The same in a process that works on what it accepts. */
function claimedAtOnce(some: Scenarios): Scenarios {
  return Object.fromEntries(
    Object.entries(some).map(([name, scenario]) => [
      `${name}, claimed at once`,
      { ...scenario, claims: true },
    ]),
  );
}

export const scenarios: Scenarios = {
  short: told('short'),
  webhook: toldToWebhook('short'),
  'webhook, of a stream': toldToWebhook('stream'),
  blocking,
  twice,
  unrecognised,
  asks,
  stream: told('stream'),
  burst: told('burst'),
  large: told('large'),
  discreet: told('discreet'),
  fails: told('fails'),
  throws: told('throws'),
  rejects: told('rejects'),
  later: told('later'),
  patient: told('patient'),
  hangs: {
    async story(world) {
      await told('hangs').story(world);
      // Two segments at most, and a lease between them: long before the deadline of the run.
      if (world.elapsed > 12_000) throw new Error(`a hanging segment took ${world.elapsed} ms`);
    },
  },
  'cancelled at once': cancelled('slow', 0),
  'cancelled early': cancelled('slow', 15),
  'cancelled at work': cancelled('slow', 250),
  'cancelled near its end': cancelled('stream', 280),
  'cancelled while asking': cancelledWhileAsking,
  ...claimedAtOnce({ short: told('short'), blocking, twice, unrecognised, asks }),
  ...claimedAtOnce({ stream: told('stream'), large: told('large'), discreet: told('discreet') }),
  ...claimedAtOnce({ later: told('later'), 'cancelled early': cancelled('slow', 15) }),
};
