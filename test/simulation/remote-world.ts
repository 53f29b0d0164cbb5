import type { Millis } from '../../shared/domain/brand.ts';
import type { Artifact, Part } from '../../shared/domain/message.ts';
import type { RemoteTaskRef } from '../../shared/domain/remote.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type {
  CancelOutcome,
  PollOutcome,
  Outgoing,
  RemoteTask,
  SendOutcome,
} from '../../shared/ports/remote-agents.ts';
import { MANNERS, type Manner } from './remotes.ts';

/** A message as it came to a remote agent. */
export interface Received {
  readonly remote: string;
  readonly messageId: string;
  readonly contextId: string;
  readonly parts: readonly Part[];
  /** The task that it started. Undefined where the remote took no task of it. */
  readonly taskId?: string;
  /** The remote said that it did not take it. */
  readonly refused: boolean;
}

/** Something a tool did outside. */
export interface Effect {
  readonly taskId: string;
  readonly callId: string;
  readonly once: boolean;
}

interface Task {
  readonly taskId: string;
  readonly contextId: string;
  readonly manner: Manner;
  readonly born: Millis;
  cancelled: boolean;
}

/** Size of every answer, as the budget counts it. */
export const ANSWER_BYTES = 100;

/** Looks on when something arrives outside. */
export interface Witness {
  received(message: Received): void;
  cancelled(taskId: string): void;
  effect(effect: Effect): void;
}

/**
 * The agents of others, and whatever else is outside: it takes each message for a new one, as the
 * worst remotes do, and lets tasks end in whichever way. What happened here stays happened, also
 * when no process heard of it.
 */
export class RemoteWorld {
  readonly received: Received[] = [];
  /** Ids of tasks, once for each CancelTask. */
  readonly cancels: string[] = [];
  readonly effects: Effect[] = [];
  /** How often a caller was shown that a task is over, by its id. */
  readonly seenOver = new Map<string, number>();
  readonly #clock: Clock;
  readonly #witness: Witness;
  readonly #tasks = new Map<string, Task>();

  constructor(clock: Clock, witness: Witness) {
    this.#clock = clock;
    this.#witness = witness;
  }

  send(remote: string, { messageId, contextId, parts }: Outgoing): SendOutcome {
    const manner = mannerOf(remote);
    const earlier = this.received.filter((message) => message.messageId === messageId);
    const busy = manner.takes === 'later' && earlier.length === 0;
    const refused = manner.takes === 'never' || busy;
    const taskId = `${remote}-${this.#tasks.size + 1}`;
    const starts = !refused && manner.takes !== 'with a message';
    const message = { remote, messageId, contextId, parts, refused, ...(starts && { taskId }) };
    this.#witness.received(message);
    this.received.push(message);
    if (busy) return { kind: 'refused', reason: 'http 429', code: 429, retryAfter: 200 };
    if (refused) return { kind: 'refused', reason: 'a2a -32602', code: -32602 };
    if (!starts) {
      const reply = { messageId: `re-${messageId}`, role: 'agent', parts: [{ text: 'so be it' }] };
      return { kind: 'replied', message: { ...reply, role: 'agent' }, bytes: ANSWER_BYTES };
    }
    const task = { taskId, contextId, manner, born: this.#clock.now(), cancelled: false };
    this.#tasks.set(taskId, task);
    if (manner.takes === 'unheard') return { kind: 'outcome_unknown', reason: 'timeout' };
    return { kind: 'acknowledged', task: this.#shown(task) };
  }

  look({ taskId }: RemoteTaskRef): PollOutcome {
    const task = this.#tasks.get(taskId);
    if (task !== undefined && this.#over(task))
      this.seenOver.set(taskId, (this.seenOver.get(taskId) ?? 0) + 1);
    if (task === undefined || this.#gone(task)) return { kind: 'gone' };
    if (task.manner.end === 'unusable' && this.#over(task))
      return { kind: 'unusable', reason: 'malformed' };
    return { kind: 'task', task: this.#shown(task) };
  }

  /** Undefined: this one can't list. */
  find(remote: string, contextId: string): readonly RemoteTaskRef[] | undefined {
    if (!mannerOf(remote).lists) return undefined;
    return [...this.#tasks.values()]
      .filter((task) => task.contextId === contextId && !this.#gone(task))
      .map((task) => ({ taskId: task.taskId, contextId }));
  }

  cancel({ taskId }: RemoteTaskRef): CancelOutcome {
    this.#witness.cancelled(taskId);
    this.cancels.push(taskId);
    const task = this.#tasks.get(taskId);
    if (task === undefined || this.#gone(task))
      return { kind: 'refused', reason: 'a2a -32001', code: -32001 };
    if (this.ended(taskId)) return { kind: 'refused', reason: 'a2a -32002', code: -32002 };
    task.cancelled = true;
    return { kind: 'answered', state: 'CANCELED' };
  }

  effect(effect: Effect): void {
    this.#witness.effect(effect);
    this.effects.push(effect);
  }

  /** The task can't go on by itself, nor be cancelled. */
  ended(taskId: string): boolean {
    const task = this.#tasks.get(taskId);
    if (task === undefined || task.cancelled) return true;
    return this.#over(task) && !['INPUT_REQUIRED', 'AUTH_REQUIRED'].includes(task.manner.end);
  }

  #over({ born, manner }: Task): boolean {
    return this.#clock.now() >= born + manner.span;
  }

  #gone(task: Task): boolean {
    return task.manner.end === 'gone' && this.#over(task) && !task.cancelled;
  }

  #shown(task: Task): RemoteTask {
    const { taskId, contextId, manner } = task;
    const over = this.#over(task) && manner.end !== 'unusable' && manner.end !== 'gone';
    const end = over ? manner.end : 'WORKING';
    const state = task.cancelled ? 'CANCELED' : end;
    const result: Artifact = { artifactId: 'result', parts: [{ text: manner.result }] };
    const artifacts = state === 'COMPLETED' ? [result] : [];
    return { ref: { taskId, contextId }, state, artifacts, bytes: ANSWER_BYTES };
  }
}

function mannerOf(remote: string): Manner {
  const manner = MANNERS[remote];
  if (manner === undefined) throw new TypeError(`no remote ${remote}`);
  return manner;
}
