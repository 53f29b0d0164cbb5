import type { JsonObject, Part, Words } from '../shared/agent/index.ts';
import { toParts } from '../shared/agent/parts.ts';
import type { Frame, TaskFilter } from '../shared/app/service.ts';
import { APPROVAL_MEDIA_TYPE } from '../shared/app/content/pause-parts.ts';
import { EVENTS_EXTENSION } from '../shared/domain/signal.ts';
import type { AgentName, Principal } from '../shared/domain/ids.ts';
import { isJsonObject, type Json } from '../shared/domain/json.ts';
import type { Message } from '../shared/domain/message.ts';
import type { Ids } from '../shared/ports/ids.ts';
import type { Engine } from './engine.ts';
import { granted } from './refusal.ts';
import { taskFacts } from './rows.ts';
import { seen, type SeenTask } from './seen-task.ts';
import { Subscription } from './subscription.ts';

/** What goes with a message. */
export interface SendOptions {
  /** The agent of a new task; the world's first by default. */
  readonly agent?: string;
  /** The task that asked: the message is the answer. */
  readonly taskId?: string;
  /** The conversation that a new task belongs to; by default one of its own. */
  readonly contextId?: string;
  /** A message that is sent again is the same message. By default each has an id of its own. */
  readonly messageId?: string;
  /** Of the message. */
  readonly metadata?: JsonObject;
}

export interface CallerOptions {
  readonly engine: Engine;
  readonly ids: Ids;
  readonly agents: readonly AgentName[];
  /** The name that the caller has proved. */
  readonly owner: string;
}

/** A caller of the agents, who sees its own tasks alone: what A2A clients do, without a wire. */
export class Caller {
  readonly #options: CallerOptions;

  /** @internal */
  constructor(options: CallerOptions) {
    this.#options = options;
  }

  /**
   * Sends a message, and answers with the task when everything has happened that needs no time.
   * Throws Refusal; and TypeError where the agent replies without a task (see `ask`).
   */
  async send(words: Words, options: SendOptions = {}): Promise<SeenTask> {
    const sent = await this.#send(words, options);
    if (sent.kind === 'replied')
      throw new TypeError('the agent replied without a task: take ask()');
    await this.#options.engine.rest();
    return this.get(sent.taskId);
  }

  /** Sends a message that the agent answers without a task. Throws Refusal, TypeError. */
  async ask(words: Words, options: SendOptions = {}): Promise<Message> {
    const sent = await this.#send(words, options);
    if (sent.kind === 'replied') return sent.message;
    throw new TypeError('the agent made a task of the message: take send()');
  }

  /** Answers what a task asks, in words or by the data that it wants. Throws Refusal. */
  answer(taskId: string, words: Words | { readonly data: Json }): Promise<SeenTask> {
    const given = typeof words === 'object' && 'data' in words ? [{ data: words.data }] : words;
    return this.send(given, { taskId });
  }

  /** Delivers an event to a task, where its agent lets its owner. Throws Refusal. */
  event(taskId: string, name: string, data: Json = null): Promise<SeenTask> {
    return this.send([{ data }], { taskId, metadata: { [EVENTS_EXTENSION]: { name } } });
  }

  /** Says yes to what the task waits for, where its agent lets owners decide. Throws Refusal. */
  approve(taskId: string): Promise<SeenTask> {
    return this.#decide(taskId, 'approve');
  }

  /** Says no. Throws Refusal. */
  deny(taskId: string): Promise<SeenTask> {
    return this.#decide(taskId, 'deny');
  }

  /** The task as it stands. Throws Refusal. */
  async get(taskId: string): Promise<SeenTask> {
    const principal = this.#principalOf(taskId);
    const { engine } = this.#options;
    const task = await engine.ask(({ service }) => service.get(principal, taskId));
    return seen(granted(task));
  }

  /** The newest tasks with an agent, whole. Throws Refusal. */
  async list(
    filter: Pick<TaskFilter, 'contextId' | 'state' | 'pageSize'> & { readonly agent?: string } = {},
  ): Promise<readonly SeenTask[]> {
    const { agent, ...wanted } = filter;
    const principal = this.#principal(agent);
    const page = await this.#options.engine.ask(({ service }) =>
      service.list(principal, { ...wanted, includeArtifacts: true }),
    );
    return granted(page).tasks.map(seen);
  }

  /** Throws Refusal. */
  async cancel(taskId: string): Promise<SeenTask> {
    const principal = this.#principalOf(taskId);
    const { engine } = this.#options;
    granted(await engine.ask(({ service }) => service.cancel(principal, taskId)));
    await engine.rest();
    return this.get(taskId);
  }

  /**
   * Follows the task from now on, to its end: what was sent so far is in `frames`. `after`: from
   * that position of the journal, 0 for everything. Throws Refusal.
   */
  async stream(taskId: string, after?: number): Promise<Subscription> {
    const principal = this.#principalOf(taskId);
    const { engine } = this.#options;
    const stopped = new AbortController();
    const request = { until: 'terminal', ...(after !== undefined && { afterSeq: after }) } as const;
    const frames: AsyncIterable<Frame> = granted(
      await engine.ask(({ service }) => service.stream(principal, taskId, request, stopped.signal)),
    );
    const subscription = new Subscription(frames, () => stopped.abort());
    await engine.rest();
    return subscription;
  }

  #send(words: Words, { agent, messageId, metadata, taskId, contextId }: SendOptions) {
    const { engine, ids } = this.#options;
    const principal = taskId === undefined ? this.#principal(agent) : this.#principalOf(taskId);
    const message: Message = {
      messageId: messageId ?? ids.uuid(),
      role: 'user',
      parts: toParts(words, 'the message'),
      ...(metadata !== undefined && { metadata }),
    };
    const request = {
      message,
      ...(taskId !== undefined && { taskId }),
      ...(contextId !== undefined && { contextId }),
    };
    return engine.ask(({ service }) => service.send(principal, request)).then(granted);
  }

  async #decide(taskId: string, kind: 'approve' | 'deny'): Promise<SeenTask> {
    const { status } = await this.get(taskId);
    const held = (status.message?.parts ?? []).find(isApproval);
    if (held === undefined || !isJsonObject(held.data))
      throw new TypeError(`the task waits for no approval: it is ${status.state}`);
    const { digest = null, pauseGeneration = null } = held.data;
    return this.send([{ data: { kind, pauseGeneration, digest } }], { taskId });
  }

  #principalOf(taskId: string): Principal {
    return this.#principal(taskFacts(this.#options.engine.backend, taskId)?.agent);
  }

  #principal(agent: string | undefined): Principal {
    const { agents, owner } = this.#options;
    const name = agent === undefined ? agents[0] : agents.find((each) => each === agent);
    if (name === undefined)
      throw new TypeError(`no agent ${agent ?? ''}: this world has ${agents.join(', ')}`);
    return { agent: name, tenant: '', owner, authenticated: true };
  }
}

const isApproval = (part: Part): part is Part & { readonly data: Json } =>
  'data' in part && part.mediaType === APPROVAL_MEDIA_TYPE;
