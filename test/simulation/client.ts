import type { Millis } from '../../shared/domain/brand.ts';
import type {
  Accepted,
  SendRequest,
  StreamRequest,
  TaskService,
} from '../../shared/app/service.ts';
import { APPROVAL_MEDIA_TYPE } from '../../shared/app/content/pause-parts.ts';
import { isJsonObject, type JsonObject } from '../../shared/domain/json.ts';
import { agentName, type Principal } from '../../shared/domain/ids.ts';
import type { Part } from '../../shared/domain/message.ts';
import { isRefused, type Refused, refused } from '../../shared/domain/refusal.ts';
import { isTerminal } from '../../shared/domain/status.ts';
import type { Task } from '../../shared/domain/task.ts';
import { taskFacts } from '../../testing/rows.ts';
import { followTask } from './stream-client.ts';
import type { World } from './world.ts';

/** Longer than the longest plan of outages in a row: what has no answer then never has one. */
export const TRIES = 40;
const TIMEOUT: Millis = 2_500;
/** Marks every word of a client, to be looked for where it must not be. */
export const PROMPT = 'PROMPT';

/**
 * A remote agent as remote agents should be: it retries what was not answered, with the same
 * messageId, through whatever process is there, and takes no fault for an answer.
 */
export class Client {
  readonly world: World;
  readonly principal: Principal;
  readonly #stopped = new AbortController();

  constructor(world: World, agent: string, owner = 'somebody') {
    const name = agentName(agent);
    if (name === undefined) throw new TypeError(agent);
    this.world = world;
    this.principal = { agent: name, tenant: '', owner, authenticated: true };
  }

  /** Starts a task, or continues one; a retry is the same message. */
  async send(
    request: Omit<SendRequest, 'message'>,
    parts?: readonly Part[],
  ): Promise<Accepted | Refused> {
    const messageId = this.world.ids.uuid();
    const said = parts ?? [{ text: `${PROMPT} ${messageId}` }];
    return this.sendAs(messageId, request, said);
  }

  async sendAs(
    messageId: string,
    request: Omit<SendRequest, 'message'>,
    parts: readonly Part[],
    told = true,
    metadata?: JsonObject,
  ): Promise<Accepted | Refused> {
    const message = { messageId, role: 'user', parts, ...(metadata && { metadata }) } as const;
    const send = (service: TaskService) => service.send(this.principal, { ...request, message });
    const recognised = this.world.options.idempotency === 'always';
    const answer = recognised ? await this.#insist('send', send) : await this.#once('send', send);
    if (answer === 'lost') return refused('INVALID_PARAMS', 'the outcome is not known');
    if (!recognised && isRefused(answer)) this.world.record.refused.push(messageId);
    if (answer.kind === 'replied') throw new TypeError('no agent here replies');
    if (told && answer.kind === 'accepted')
      this.world.record.taken.push({ messageId, taskId: answer.taskId });
    return answer;
  }

  async start(context?: string): Promise<string> {
    const answer = await this.send(context === undefined ? {} : { contextId: context });
    if (isRefused(answer)) throw new Error(`a new task was refused: ${answer.code}`);
    return answer.taskId;
  }

  /**
   * Decides about the pause that the task is in, as its owner; an answer says whether it counts.
   */
  async decide(task: Task, kind: 'approve' | 'deny'): Promise<Accepted | Refused> {
    const asked = task.status.message?.parts.find(
      (part) => 'data' in part && part.mediaType === APPROVAL_MEDIA_TYPE,
    );
    if (asked === undefined || !('data' in asked) || !isJsonObject(asked.data))
      return refused('INVALID_PARAMS', 'nothing is to be decided');
    const { digest = null, pauseGeneration = null } = asked.data;
    const data = { kind, pauseGeneration, digest };
    // A client that makes a decision again is told that it counts, and what was said that time is
    // no part of the task.
    return this.sendAs(
      this.world.ids.uuid(),
      { taskId: task.taskId },
      [{ text: PROMPT }, { data }],
      false,
    );
  }

  async get(taskId: string): Promise<Task | Refused> {
    return this.#reading('get', (service) => service.get(this.principal, taskId));
  }

  async list(): Promise<void> {
    const began = this.world.record.moment();
    const page = await this.#insist('list', (service) =>
      service.list(this.principal, { includeArtifacts: true }),
    );
    if (!isRefused(page)) for (const task of page.tasks) this.#note(task, began);
  }

  async cancel(taskId: string): Promise<Task | Refused> {
    return this.#reading('cancel', (service) => service.cancel(this.principal, taskId));
  }

  /** A blocking call: the task when it has settled, or at the cap. */
  async settled({ revision, taskId }: Accepted): Promise<Task | Refused> {
    return this.#reading('settled', async (service) => {
      const after = { afterRevision: revision };
      const polled = await service.settled(this.principal, taskId, after, this.#stopped.signal);
      return isRefused(polled) ? polled : polled.task;
    });
  }

  /** Reads the task now and then until it is as wanted. */
  async until(taskId: string, wanted: (task: Task) => boolean): Promise<Task> {
    for (;;) {
      const task = await this.get(taskId);
      if (!isRefused(task) && (wanted(task) || isTerminal(task.status.state))) return task;
      await this.pause(80 + this.world.chance.random() * 240);
    }
  }

  async ended(taskId: string): Promise<Task> {
    return this.until(taskId, (task) => isTerminal(task.status.state));
  }

  /** Follows a task's stream to its end, in the background, and comes back after every break. */
  watch(taskId: string, request: StreamRequest = { until: 'terminal' }): void {
    void followTask(this.world, this.principal, taskId, request, this.#stopped.signal);
  }

  pause(span: Millis): Promise<void> {
    return this.world.clock.sleep(span);
  }

  stop(): void {
    this.#stopped.abort();
  }

  async #reading(
    name: string,
    call: (service: TaskService) => Promise<Task | Refused>,
  ): Promise<Task | Refused> {
    const began = this.world.record.moment();
    const answer = await this.#insist(name, call);
    if (!isRefused(answer)) this.#note(answer, began);
    return answer;
  }

  #note(task: Task, began: number): void {
    const { taskId } = task;
    const ended = this.world.record.moment();
    const committed = taskFacts(this.world.backend, taskId)?.revision ?? 0;
    this.world.record.reads.push({ taskId, task, began, ended, committed });
  }

  /** Asks until there is an answer. An earlier try may still be at work meanwhile. */
  async #insist<T extends object | true>(
    name: string,
    call: (service: TaskService) => Promise<T>,
  ): Promise<T> {
    for (let tries = 1; tries <= TRIES; tries += 1) {
      const answer = await this.#once(name, call);
      if (answer !== 'lost') return answer;
      await this.pause(20 + this.world.chance.random() * 40 * tries);
    }
    throw new Error(`${name} was never answered`);
  }

  async #once<T extends object | true>(
    name: string,
    call: (service: TaskService) => Promise<T>,
  ): Promise<T | 'lost'> {
    const process = this.world.anyProcess();
    if (process === undefined) return 'lost';
    const late = this.world.clock.sleep(TIMEOUT).then(() => 'lost' as const);
    try {
      const answer = await Promise.race([process.serve(name, call), late]);
      return this.world.chance.random() < this.world.options.missed ? 'lost' : answer;
    } catch (error) {
      this.world.network.trace(`   client: ${name} failed: ${String(error)}`);
      return 'lost';
    }
  }
}
