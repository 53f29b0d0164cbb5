import {
  type Artifact as SdkArtifact,
  type Message as SdkMessage,
  Role,
  type Task as SdkTask,
  type TaskArtifactUpdateEvent,
  TaskState,
  type TaskStatus,
  type TaskStatusUpdateEvent,
} from '@a2a-js/sdk';
import type { AgentExecutionEvent } from '@a2a-js/sdk/server';
import type { Ending, SegmentPorts } from '../app/agents.ts';
import { canonicalJson, type JsonObject } from '../domain/json.ts';
import type { Artifact } from '../domain/message.ts';
import { partToJson } from '../domain/stored-content.ts';
import type { Task } from '../domain/task.ts';
import { endingOf, isFinal, isInterrupted, isKnown, nameOf } from './task-states.ts';
import type { Taker } from './event-bus.ts';
import { ExecutorFault } from './executor-fault.ts';
import { artifactFrom, metadataFrom, type Said, saidFrom } from './from-sdk.ts';

const NOTHING: Said = { parts: [], frame: {} };

/**
 * Takes what an executor publishes into its segment, in order, until the first state that ends one.
 * `ending` resolves with how it ended; what is published after that is dropped.
 */
export class SegmentEvents implements Taker {
  readonly ending: Promise<Ending>;
  /** Events that came after the end. */
  dropped = 0;
  /** The segment was taken away: nothing that comes is heard, and that is no mistake. */
  abandoned = false;
  readonly #segment: SegmentPorts;
  #end: (ending: Ending) => void = () => undefined;
  #throw: (error: unknown) => void = () => undefined;
  #over = false;
  /** The newest status, and whether the executor has said anything of its task. */
  #status: TaskStatus | undefined;
  #began = false;
  readonly #said: Set<string>;
  readonly #artifacts: Map<string, Artifact>;
  #metadata: JsonObject;
  readonly #taking = new Set<Promise<void>>();
  #failed: { readonly error: unknown } | undefined;

  constructor(segment: SegmentPorts, before: Task | undefined) {
    this.#segment = segment;
    this.ending = new Promise((resolve, reject) => {
      this.#end = resolve;
      this.#throw = reject;
    });
    const { history = [], artifacts = [], metadata = {} } = before ?? {};
    this.#said = new Set([...history, segment.message].map(({ messageId }) => messageId));
    this.#artifacts = new Map(artifacts.map((each) => [each.artifactId, each]));
    this.#metadata = metadata;
  }

  take(event: AgentExecutionEvent): void {
    if (this.#over) {
      this.dropped += 1;
      return;
    }
    try {
      this.#take(event);
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause);
      this.fail(
        cause instanceof ExecutorFault
          ? cause
          : new ExecutorFault('UNREADABLE_EVENT', message, { cause }),
      );
    }
  }

  /** The executor publishes nothing more. What its task waits for decides how the segment ends. */
  finished(): void {
    if (this.#over) return;
    const { state } = this.#status ?? {};
    if (state !== undefined && isInterrupted(state)) this.#finish(state, this.#status?.message);
    else this.fail(new ExecutorFault('NO_FINAL_STATE', `the task was left in ${nameOf(state)}`));
  }

  fail(error: ExecutorFault): void {
    this.end({ kind: 'failed', parts: [{ text: error.words }], error, fault: error.code });
  }

  /** The first ending counts. */
  end(ending: Ending): void {
    this.#over = true;
    this.#end(ending);
  }

  abandon(): void {
    this.abandoned = true;
    this.end({ kind: 'yielded' });
  }

  /** An error that the segment has to judge. */
  throw(error: unknown): void {
    this.#over = true;
    this.#throw(error);
  }

  get over(): boolean {
    return this.#over;
  }

  /** Resolves when all that was taken is in the segment; throws what kept it out. */
  async settled(): Promise<void> {
    await Promise.all(this.#taking);
    if (this.#failed !== undefined) throw this.#failed.error;
  }

  #take(event: AgentExecutionEvent): void {
    switch (event.kind) {
      case 'message':
        this.#takeMessage(event.data);
        break;
      case 'task':
        this.#takeTask(event.data);
        break;
      case 'statusUpdate':
        this.#takeStatus(event.data);
        break;
      case 'artifactUpdate':
        this.#takeArtifact(event.data);
    }
    this.#began = true;
  }

  /** A message is an answer without a task; here it is the last word of the task that there is. */
  #takeMessage(message: Partial<SdkMessage>): void {
    this.#check(message.taskId, message.contextId);
    if (this.#began)
      throw new ExecutorFault('ILLEGAL_TRANSITION', 'a message was published after its task');
    this.end({ kind: 'completed', ...saidFrom(message, 'message') });
  }

  #takeTask(task: Partial<SdkTask>): void {
    const { artifacts = [], history = [] } = task;
    this.#check(task.id, task.contextId);
    for (const [at, message] of history.entries()) {
      if (this.#isNews(message)) this.#show(saidFrom(message, `task.history[${at}]`));
    }
    for (const [at, artifact] of artifacts.entries())
      this.#takeWhole(artifact, `task.artifacts[${at}]`);
    this.#addMetadata(task.metadata, 'task');
    const { status } = task;
    if (status === undefined) return;
    this.#note(status);
    // One that waits may only repeat what the executor was given: its next event, or its return,
    // tells.
    if (!isInterrupted(status.state)) this.#act(status, 'task.status');
  }

  #takeStatus({ contextId, metadata, status, taskId }: Partial<TaskStatusUpdateEvent>): void {
    this.#check(taskId, contextId);
    if (status === undefined) throw new TypeError('statusUpdate has no status');
    this.#addMetadata(metadata, 'statusUpdate');
    this.#note(status);
    this.#act(status, 'statusUpdate.status');
  }

  #takeArtifact(event: Partial<TaskArtifactUpdateEvent>): void {
    const { append = false, artifact, contextId, lastChunk = false } = event;
    const { metadata, taskId } = event;
    this.#check(taskId, contextId);
    if (artifact === undefined) throw new TypeError('artifactUpdate has no artifact');
    const taken = artifactFrom(artifact, 'artifactUpdate.artifact');
    const { artifactId } = taken;
    const known = append ? this.#artifacts.get(artifactId) : undefined;
    const merged = { ...known?.metadata, ...taken.metadata };
    const whole = { ...taken, ...(Object.keys(merged).length > 0 && { metadata: merged }) };
    // Only a frame: what was shown in pieces is not kept a second time.
    this.#artifacts.set(artifactId, append ? { ...whole, parts: [] } : whole);
    this.#keep(this.#segment.artifact(whole, append, lastChunk));
    this.#addMetadata(metadata, 'artifactUpdate');
  }

  #takeWhole(artifact: SdkArtifact, path: string): void {
    const whole = artifactFrom(artifact, path);
    const known = this.#artifacts.get(whole.artifactId);
    if (known !== undefined && same(known, whole)) return;
    this.#artifacts.set(whole.artifactId, whole);
    this.#keep(this.#segment.artifact(whole, false, true));
  }

  /** A status is the newest of its task, if it may follow the one before it. */
  #note(status: TaskStatus): void {
    const { state } = status;
    const before = this.#status?.state ?? TaskState.TASK_STATE_SUBMITTED;
    const back =
      state === TaskState.TASK_STATE_SUBMITTED && before !== TaskState.TASK_STATE_SUBMITTED;
    if (!isKnown(state) || back) {
      const words = `${nameOf(state)} was published after ${nameOf(before)}`;
      throw new ExecutorFault('ILLEGAL_TRANSITION', words);
    }
    this.#status = status;
  }

  #act({ message, state }: TaskStatus, path: string): void {
    if (!isInterrupted(state) && !isFinal(state)) {
      if (message !== undefined && this.#isNews(message))
        this.#show(saidFrom(message, `${path}.message`));
      return;
    }
    this.#finish(state, message, path);
  }

  #finish(state: TaskState, message: SdkMessage | undefined, path = 'status'): void {
    const said = message === undefined ? NOTHING : saidFrom(message, `${path}.message`);
    const { messageId, ...frame } = said.frame;
    // Said before, and now at another state: a message of its own, so it gets an id of its own.
    const again = messageId !== undefined && this.#said.has(messageId);
    this.end(endingOf(state, again ? { ...said, frame } : said));
  }

  #isNews({ messageId, role }: SdkMessage): boolean {
    // Only clients speak as users, and what they said is known.
    return role !== Role.ROLE_USER && !this.#said.has(messageId);
  }

  #show({ frame, parts }: Said): void {
    if (frame.messageId !== undefined) this.#said.add(frame.messageId);
    if (parts.length > 0) this.#keep(this.#segment.status(parts, { frame }));
  }

  #addMetadata(given: { readonly [key: string]: unknown } | undefined, path: string): void {
    const { metadata = {} } = metadataFrom(given, path);
    const news = Object.entries(metadata).filter(
      ([key, value]) => canonicalJson(value) !== canonicalJson(this.#metadata[key]),
    );
    if (news.length === 0) return;
    this.#metadata = { ...this.#metadata, ...metadata };
    this.#keep(this.#segment.status([], { metadata: Object.fromEntries(news) }));
  }

  /** Empty ids are those of the task at hand. */
  #check(taskId = '', contextId = ''): void {
    const { contextId: ownContext, taskId: own } = this.#segment;
    if (['', own].includes(taskId) && ['', ownContext].includes(contextId)) return;
    throw new ExecutorFault('FOREIGN_TASK', `task ${own} published for ${taskId} in ${contextId}`);
  }

  #keep(taken: Promise<void>): void {
    const done = taken
      .catch((error: unknown) => {
        this.#failed ??= { error };
      })
      .finally(() => this.#taking.delete(done));
    this.#taking.add(done);
  }
}

function same(one: Artifact, other: Artifact): boolean {
  return textOf(one) === textOf(other);
}

/** Equal for equal content. */
const textOf = (artifact: Artifact): string =>
  canonicalJson({ ...artifact, parts: artifact.parts.map(partToJson) });
