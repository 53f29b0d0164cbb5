import type { EventOf, ItemOf } from '../../shared/domain/item.ts';
import type { ContextId, Scope, TaskId } from '../../shared/domain/ids.ts';
import type { JsonObject } from '../../shared/domain/json.ts';
import type { Message, Part } from '../../shared/domain/message.ts';
import { isSettled, isTerminal, type TaskState } from '../../shared/domain/status.ts';
import {
  applyItems,
  joinContent,
  recent,
  type Snapshot,
  type Task,
} from '../../shared/domain/task.ts';

const START = Date.UTC(2026, 0, 1);

/** One task of the fake service; a test plays the agent through it. */
export class FakeTask {
  readonly taskId: TaskId;
  readonly contextId: ContextId;
  readonly scope: Scope;
  readonly events: EventOf<Part>[] = [];
  revision = 0;
  #body: Snapshot<Part> = { status: { state: 'SUBMITTED', at: START }, history: [], artifacts: [] };
  readonly #revisions: number[] = [];
  readonly #listeners = new Set<() => void>();
  #fault: Error | undefined;

  constructor(taskId: TaskId, contextId: ContextId, scope: Scope) {
    this.taskId = taskId;
    this.contextId = contextId;
    this.scope = scope;
  }

  get state(): string {
    return this.#body.status.state;
  }

  /** The state behind that event. */
  stateAt(seq: number): string {
    const events = this.events.filter((event) => event.kind === 'status' && event.seq <= seq);
    const last = events.at(-1);
    return last?.kind === 'status' ? last.state : 'SUBMITTED';
  }

  get terminal(): boolean {
    return isTerminal(this.state);
  }

  /** How many streams and blocking calls wait on this task. */
  get waiting(): number {
    return this.#listeners.size;
  }

  task(historyLength?: number): Task {
    const { taskId, contextId } = this;
    const { history, artifacts } = joinContent([this.#body]);
    return { taskId, contextId, ...this.#body, artifacts, history: recent(history, historyLength) };
  }

  take(message: Message): void {
    this.#commit([{ kind: 'message', message }]);
  }

  to(state: TaskState, text?: string, metadata?: JsonObject): void {
    this.#commit([
      {
        kind: 'status',
        state,
        at: START + this.revision,
        ...(text === undefined ? {} : { message: agentSays(text, this.revision) }),
        ...(metadata === undefined ? {} : { metadata }),
      },
    ]);
  }

  artifact(artifactId: string, parts: readonly Part[], append = false, lastChunk = true): void {
    this.#commit([{ kind: 'artifact', artifact: { artifactId, parts }, append, lastChunk }]);
  }

  /** Each read of this task meets that fault from now on. */
  break(fault: Error): void {
    this.#fault = fault;
    for (const listener of this.#listeners) listener();
  }

  /** Settled by a revision after that one, as a sender's stream and a blocking call mean it. */
  settledAfter(revision: number): boolean {
    return isSettled(this.state) && this.revision > revision;
  }

  /** Whether the event at that place in the journal ends a stream. */
  ends(event: EventOf<Part>, until: 'settled' | 'terminal', afterRevision: number): boolean {
    if (event.kind !== 'status') return false;
    if (isTerminal(event.state)) return true;
    const revision = this.#revisions[event.seq - 1] ?? 0;
    return until === 'settled' && event.state === 'INPUT_REQUIRED' && revision > afterRevision;
  }

  /** Resolves at the next change, or when the signal aborts. */
  changed(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const done = () => {
        this.#listeners.delete(done);
        signal.removeEventListener('abort', done);
        if (this.#fault === undefined) resolve();
        else reject(this.#fault);
      };
      if (signal.aborted) {
        resolve();
        return;
      }
      this.#listeners.add(done);
      signal.addEventListener('abort', done);
    });
  }

  #commit(items: readonly ItemOf<Part>[]): void {
    this.revision += 1;
    this.#body = applyItems(this.#body, items);
    for (const item of items) {
      if (item.kind === 'message') continue;
      this.events.push({ ...item, seq: this.events.length + 1 });
      this.#revisions.push(this.revision);
    }
    // Each removes itself, which a Set's iteration allows.
    for (const listener of this.#listeners) listener();
  }
}

function agentSays(text: string, revision: number): Message {
  return { messageId: `agent-${revision}`, role: 'agent', parts: [{ text }] };
}
