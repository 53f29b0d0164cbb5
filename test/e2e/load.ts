import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Client, Refusal, type Sending } from './client.ts';
import type { Oracle } from './oracle.ts';
import { artifactIds, isTerminal, stateOf, textOf, type WireTask } from './wire.ts';

/** Numbers from 0 to 1 that a seed repeats. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    // mulberry32
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Job = (session: Session) => Promise<void>;

/**
 * One caller in a context of its own, who repeats what a crash took the answer of: a message under
 * its id, a read as it is, a stream behind the last event. So whatever is missing, doubled or
 * different in the end is the server's doing.
 */
export class Session {
  readonly contextId = `load-${randomUUID()}`;
  /** What should not have been, in words. */
  readonly faults: string[] = [];
  sent = 0;
  /** Tasks whose end was seen, with what they must hold. */
  ended = 0;
  /** Calls whose connection broke. */
  cuts = 0;
  open: string | undefined;
  readonly #client: Client;
  readonly #random: () => number;

  constructor(server: { readonly url: string }, oracle: Oracle, random: () => number) {
    this.#client = new Client(server, oracle, random() < 0.5 ? 'jsonrpc' : 'rest');
    this.#random = random;
  }

  async work(until: AbortSignal): Promise<void> {
    while (!until.aborted) {
      const job = JOBS[Math.floor(this.#random() * JOBS.length)];
      try {
        await job?.(this);
      } catch (error) {
        this.faults.push(`${this.contextId}: ${String(error)}`);
        return;
      }
      this.open = undefined;
    }
  }

  /** Sends until there is an answer; each repetition is the same message. */
  async send(text: string, more: Sending = {}): Promise<WireTask> {
    const sending = { messageId: randomUUID(), ...more };
    if (sending.taskId === undefined) this.sent += 1;
    const contextId = sending.taskId === undefined ? { contextId: this.contextId } : {};
    const task = await this.#persist((client) => client.send(text, { ...sending, ...contextId }));
    this.open = task.id;
    return task;
  }

  finished(id: string): Promise<WireTask> {
    return this.#persist((client) => client.finished(id, 30_000));
  }

  /** It has ended, or it asks. */
  settled(id: string): Promise<WireTask> {
    return this.#persist((client) => client.until(id, isSettled, 30_000));
  }

  /**
   * Follows a task to its end through every cut, and answers the names of all that it was shown.
   */
  async follow(text: string): Promise<{ readonly id: string; readonly names: readonly string[] }> {
    const sending = { messageId: randomUUID(), contextId: this.contextId };
    this.sent += 1;
    const names: string[] = [];
    let id = '';
    let last: number | undefined;
    for (;;) {
      const stream = await this.#persist((client) =>
        last === undefined ? client.stream(text, sending) : client.subscribe(id, last),
      );
      let resumed = last !== undefined;
      for (let frame = await stream.next(); frame !== undefined; frame = await stream.next()) {
        const { seq = 0 } = frame;
        const again = resumed && seq === last;
        resumed = false;
        // A resumed stream begins with the task as it stood then.
        if (again) continue;
        if (last !== undefined && seq !== last + 1)
          this.faults.push(`${id}: resumed after ${last}, continued with ${seq}`);
        last = seq;
        id = this.#client.oracle.idOf(stream);
        this.open = id;
        names.push(stream.names()[stream.frames.indexOf(frame)] ?? '');
      }
      if (stream.terminal) return { id, names };
      this.cuts += 1;
    }
  }

  async cancel(id: string): Promise<void> {
    try {
      await this.#persist((client) => client.cancel(id));
    } catch (error) {
      // It was quicker.
      if (!(error instanceof Refusal && error.code === -32002)) throw error;
    }
  }

  read(id: string): Promise<WireTask> {
    return this.#persist((client) => client.get(id));
  }

  /** Counts an end, after comparing it. */
  expectEnd(task: WireTask, states: readonly string[], artifacts: readonly string[]): void {
    const state = stateOf(task);
    this.ended += 1;
    if (!states.includes(state))
      this.faults.push(`${task.id} is ${state}: ${textOf(task.status.message) ?? ''}`);
    if (state === 'COMPLETED' && artifactIds(task).join() !== artifacts.join())
      this.faults.push(`${task.id} completed with ${artifactIds(task).join()}`);
  }

  expect(what: string, actual: unknown, wanted: unknown): void {
    if (actual !== wanted) this.faults.push(`${what}: ${String(actual)}, not ${String(wanted)}`);
  }

  pause(most: number): Promise<unknown> {
    return wait(this.#random() * most);
  }

  async #persist<T>(call: (client: Client) => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await call(this.#client);
      } catch (error) {
        // A refusal is an answer, but one that asks to come again; everything else is the crash.
        const answered = error instanceof Refusal && !error.passes;
        if (answered || (error instanceof Error && / is TASK_STATE_/.test(error.message)))
          throw error;
        this.cuts += 1;
        await wait(50);
      }
    }
  }
}

const steps = (count: number) => Array.from({ length: count }, (_, at) => `step-${at + 1}`);

const JOBS: readonly Job[] = [
  async function short(session) {
    session.expectEnd(
      await settled(session, await session.send('steps=1')),
      ['COMPLETED'],
      steps(1),
    );
  },
  async function several(session) {
    const { id } = await session.send('steps=5 delay=40', { ri: true });
    await session.pause(100);
    session.expectEnd(await session.finished(id), ['COMPLETED'], steps(5));
  },
  async function streamed(session) {
    const { id, names } = await session.follow('steps=4 delay=40');
    session.expect(`${id} streamed`, names.at(-1), 'COMPLETED');
    session.expectEnd(await session.read(id), ['COMPLETED'], steps(4));
  },
  async function chunked(session) {
    const { id } = await session.follow('chunks=12 delay=15');
    const task = await session.read(id);
    const whole = Array.from({ length: 12 }, (_, at) => `chunk ${at + 1};`).join('');
    session.expect(`${id} in chunks`, textOf(task.artifacts?.[0]), whole);
    session.expectEnd(task, ['COMPLETED'], ['chunks']);
  },
  async function asked(session) {
    const question = await settled(session, await session.send('ask'));
    session.expect(`${question.id} asked`, stateOf(question), 'INPUT_REQUIRED');
    await session.pause(100);
    const answered = await session.send('steps=2 delay=20 red', { taskId: question.id });
    session.expect('answered', answered.id, question.id);
    const task = await session.finished(question.id);
    session.expectEnd(task, ['COMPLETED'], steps(2));
    const said = (task.history ?? []).filter((message) => message.role === 'ROLE_USER');
    session.expect(`${task.id} user messages`, said.length, 2);
  },
  async function canceled(session) {
    const { id } = await session.send('steps=6 delay=30', { ri: true });
    await session.pause(250);
    await session.cancel(id);
    session.expectEnd(await session.finished(id), ['CANCELED', 'COMPLETED'], steps(6));
  },
  async function big(session) {
    const task = await settled(session, await session.send('big=300KiB'));
    session.expectEnd(task, ['COMPLETED'], ['big']);
    session.expect(
      'bytes',
      task.artifacts?.[0]?.parts[0]?.raw?.length,
      4 * Math.ceil((300 * 1024) / 3),
    );
  },
  async function failing(session) {
    session.expectEnd(await settled(session, await session.send('steps=1 fail')), ['FAILED'], []);
  },
];

/** A blocking send that a stopping server answered early is open still. */
async function settled(session: Session, task: WireTask): Promise<WireTask> {
  return isSettled(task.status.state) ? task : session.settled(task.id);
}

export function isSettled(state: string): boolean {
  const short = state.replace('TASK_STATE_', '');
  return isTerminal(short) || short === 'INPUT_REQUIRED';
}
