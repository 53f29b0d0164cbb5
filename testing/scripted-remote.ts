import { durationOf } from '../shared/agent/steps/duration.ts';
import type { Words } from '../shared/agent/index.ts';
import { toParts } from '../shared/agent/parts.ts';
import type { Millis } from '../shared/domain/brand.ts';
import type { Part } from '../shared/domain/message.ts';
import type { Clock } from '../shared/ports/clock.ts';
import { type Fault, Peer, type PeerTask } from './peer.ts';

/** How a remote agent behaves. */
export interface RemoteScript {
  /** What it answers: to any message, or to the parts of one. Default: `done`. */
  readonly answer?: Words | ((parts: readonly Part[]) => Words);
  /** How its tasks end. Default: COMPLETED. `never` goes on for ever. */
  readonly ends?:
    | 'COMPLETED'
    | 'FAILED'
    | 'REJECTED'
    | 'INPUT_REQUIRED'
    | 'AUTH_REQUIRED'
    | 'never';
  /** How long a task of it works: `2 min`, or milliseconds. Default: it answers at once. */
  readonly after?: string | number;
  /** It can say which tasks a context has, so that the task of a lost answer is found. Default. */
  readonly lists?: boolean;
  /** The same message sent twice is one task. A2A lets it be two, which is the default here. */
  readonly dedupes?: boolean;
}

/**
 * A remote agent that follows a script. What it was sent stays with it, whatever became of the
 * answer: `tasks` has its tasks, and `sends` how often each message arrived.
 */
export class ScriptedRemote extends Peer {
  readonly #answer: NonNullable<RemoteScript['answer']>;
  readonly #ends: NonNullable<RemoteScript['ends']>;
  readonly #after: Millis;
  readonly #due = new Map<string, Millis>();
  #clock: Pick<Clock, 'now'> = { now: () => 0 };

  constructor(script: RemoteScript = {}) {
    const {
      after = 0,
      answer = 'done',
      dedupes = false,
      ends = 'COMPLETED',
      lists = true,
    } = script;
    super({ dedupe: dedupes, canList: lists });
    this.#answer = answer;
    this.#ends = ends;
    this.#after = durationOf(after, 'after');
  }

  /**
   * What goes wrong with the next messages to it, one each. `no answer`: it takes the message, and
   * the answer is lost. `not reached`: it is lost on its way, and the sender knows nothing. `busy`:
   * it asks to come again in 5 seconds. `refused`: it takes no such message. `reply`: it answers
   * without a task. `garbled`: it takes the message, and its answer can't be read.
   */
  next(...faults: readonly SendFault[]): void {
    this.script('send', ...faults.map((fault) => FAULTS[fault]));
  }

  /** It knows none of its tasks any more. */
  forget(): void {
    this.tasks.clear();
  }

  /** @internal */
  joins(clock: Pick<Clock, 'now'>): void {
    this.#clock = clock;
  }

  override accept(...given: Parameters<Peer['accept']>): PeerTask {
    const task = super.accept(...given);
    for (const { taskId } of this.tasks.values())
      if (!this.#due.has(taskId)) this.#due.set(taskId, this.#clock.now() + this.#after);
    this.#settleDue();
    return task;
  }

  override look(taskId: string): PeerTask | undefined {
    this.#settleDue();
    return super.look(taskId);
  }

  #settleDue(): void {
    if (this.#ends === 'never') return;
    for (const [taskId, task] of this.tasks) {
      if (task.state !== 'WORKING' || this.#clock.now() < (this.#due.get(taskId) ?? 0)) continue;
      const answer = typeof this.#answer === 'function' ? this.#answer(task.parts) : this.#answer;
      const parts = toParts(answer, 'answer');
      task.state = this.#ends;
      task.message = { messageId: `${taskId}-says`, role: 'agent', parts };
      if (this.#ends === 'COMPLETED') task.artifacts = [{ artifactId: 'answer', parts }];
    }
  }
}

const FAULTS = {
  'no answer': { kind: 'drop', when: 'after' },
  'not reached': { kind: 'drop', when: 'before' },
  busy: { kind: 'error', code: 429, retryAfterSeconds: 5 },
  refused: { kind: 'error', code: -32602 },
  reply: { kind: 'reply', text: 'so be it' },
  garbled: { kind: 'malformed' },
} as const satisfies Readonly<Record<string, Fault>>;

/** What can go wrong with a message to a remote agent. */
export type SendFault = keyof typeof FAULTS;
