import { randomUUID } from 'node:crypto';
import type {
  Accepted,
  Frame,
  NewWebhook,
  Polled,
  Polling,
  Replied,
  SendRequest,
  Settling,
  ShownWebhook,
  StreamRequest,
  TaskFilter,
  TaskPage,
  TaskService,
  WebhookPage,
} from '../../shared/app/service.ts';
import {
  CONTEXT_ID_RULE,
  contextId,
  type Principal,
  scopeOf,
  type TaskId,
} from '../../shared/domain/ids.ts';
import { textOf } from '../../shared/domain/message.ts';
import { invalid, isRefused, type Refused, refused } from '../../shared/domain/refusal.ts';
import type { Task } from '../../shared/domain/task.ts';
import { Unavailable } from '../../shared/ports/faults.ts';
import { FakeTask } from './fake-task.ts';

/**
 * An application in memory, scripted by the message's text: enough for the edge to be tested
 * without the real one.
 */
export class FakeTaskService implements TaskService {
  readonly tasks = new Map<string, FakeTask>();
  readonly sent: { principal: Principal; request: SendRequest }[] = [];
  readonly filters: TaskFilter[] = [];
  readonly streams: StreamRequest[] = [];
  #webhooks: readonly ShownWebhook[] = [];
  readonly #play: (task: FakeTask, text: string, messageId: string) => void;

  constructor(script = play) {
    this.#play = script;
  }

  send(principal: Principal, request: SendRequest): Promise<Accepted | Replied | Refused> {
    this.sent.push({ principal, request });
    const text = textOf(request.message);
    const context = contextId(request.contextId ?? randomUUID());
    if (context === undefined) return answer(invalid('message.contextId', CONTEXT_ID_RULE));
    if (text === 'crash') return Promise.reject(new Error('secret db password'));
    if (text === 'unavailable') return Promise.reject(new Unavailable('the secret store'));
    if (text === 'busy') return answer(refused('CONTEXT_BUSY', 'Another task is open.'));
    if (text === 'unstorable') return answer(refused('RESULT_NOT_STORABLE', 'Nothing is kept.'));
    if (text === 'reply') {
      const message = { messageId: randomUUID(), role: 'agent', parts: [{ text: 'hi' }] } as const;
      return answer({ kind: 'replied', contextId: context, message });
    }
    const task = this.#taskFor(
      principal,
      request,
      new FakeTask(uuid(), context, scopeOf(principal)),
    );
    if (!(task instanceof FakeTask)) return answer(task);
    this.tasks.set(task.taskId, task);
    task.take(request.message);
    const { revision } = task;
    this.#play(task, text, request.message.messageId);
    return answer({ kind: 'accepted', taskId: task.taskId, contextId: task.contextId, revision });
  }

  async settled(
    principal: Principal,
    taskId: TaskId,
    { afterRevision, historyLength }: Settling,
    signal: AbortSignal,
  ): Promise<Polled | Refused> {
    const task = this.only(taskId);
    while (!signal.aborted && !task.settledAfter(afterRevision)) await task.changed(signal);
    return this.poll(principal, taskId, { historyLength });
  }

  async poll(
    principal: Principal,
    taskId: string,
    { historyLength }: Polling,
  ): Promise<Polled | Refused> {
    const task = await this.get(principal, taskId, historyLength);
    return isRefused(task) ? task : { kind: 'polled', task, seq: 1 };
  }

  get(principal: Principal, taskId: string, historyLength?: number): Promise<Task | Refused> {
    return answer(this.#find(principal, taskId)?.task(historyLength) ?? notFound());
  }

  list(principal: Principal, filter: TaskFilter): Promise<TaskPage | Refused> {
    this.filters.push(filter);
    if (filter.pageToken !== undefined) return answer(invalid('pageToken', 'is not a page token'));
    const scope = scopeOf(principal);
    const tasks = [...this.tasks.values()]
      .filter((task) => task.scope === scope)
      .map((task) => task.task(filter.historyLength))
      .map((task) => (filter.includeArtifacts ? task : { ...task, artifacts: [] }));
    const pageSize = filter.pageSize ?? 50;
    const seqs = tasks.map(() => 1);
    const totalSize = tasks.length;
    return answer({ kind: 'page', tasks, seqs, nextPageToken: '', pageSize, totalSize });
  }

  cancel(principal: Principal, taskId: string): Promise<Task | Refused> {
    const task = this.#find(principal, taskId);
    if (task === undefined) return answer(notFound());
    if (task.terminal) return answer(refused('TASK_NOT_CANCELABLE', 'The task has ended.'));
    task.to('CANCELED');
    return answer(task.task());
  }

  stream(
    principal: Principal,
    taskId: string,
    request: StreamRequest,
    signal: AbortSignal,
  ): Promise<AsyncIterable<Frame> | Refused> {
    this.streams.push(request);
    const task = this.#find(principal, taskId);
    if (task === undefined) return answer(notFound());
    const seen = request.afterSeq ?? 0;
    if (
      task.terminal &&
      request.until === 'terminal' &&
      (seen === 0 || seen >= task.events.length)
    ) {
      return answer(refused('TASK_TERMINAL', 'The task has ended.'));
    }
    return answer(framesOf(task, request, signal));
  }

  createWebhook(
    principal: Principal,
    taskId: string,
    { authentication, id = uuid(), url }: NewWebhook,
  ): Promise<ShownWebhook | Refused> {
    const task = this.#find(principal, taskId);
    if (task === undefined) return answer(notFound());
    const scheme = authentication && { scheme: authentication.scheme };
    const webhook = { kind: 'webhook', taskId: task.taskId, id, url, ...scheme } as const;
    const others = this.#webhooks.filter((each) => each.taskId !== taskId || each.id !== id);
    this.#webhooks = [...others, webhook];
    return answer(webhook);
  }

  getWebhook(principal: Principal, taskId: string, id?: string): Promise<ShownWebhook | Refused> {
    const found = this.#webhooksOf(principal, taskId)?.find((each) => (id ?? each.id) === each.id);
    return answer(found ?? notFound());
  }

  listWebhooks(principal: Principal, taskId: string): Promise<WebhookPage | Refused> {
    const webhooks = this.#webhooksOf(principal, taskId);
    if (webhooks === undefined) return answer(notFound());
    return answer({ kind: 'page', webhooks, nextPageToken: '' });
  }

  deleteWebhook(
    principal: Principal,
    taskId: string,
    id: string,
  ): Promise<{ readonly kind: 'deleted' } | Refused> {
    if (this.#find(principal, taskId) === undefined) return answer(notFound());
    this.#webhooks = this.#webhooks.filter((each) => each.taskId !== taskId || each.id !== id);
    return answer({ kind: 'deleted' });
  }

  #webhooksOf(principal: Principal, taskId: string): readonly ShownWebhook[] | undefined {
    if (this.#find(principal, taskId) === undefined) return undefined;
    return this.#webhooks.filter((each) => each.taskId === taskId);
  }

  /** The task of that id, of any owner; the newest one without an id. */
  only(taskId?: string): FakeTask {
    const task = taskId === undefined ? [...this.tasks.values()].at(-1) : this.tasks.get(taskId);
    if (task === undefined) throw new Error('no such task');
    return task;
  }

  #find(principal: Principal, taskId: string): FakeTask | undefined {
    const task = this.tasks.get(taskId);
    return task?.scope === scopeOf(principal) ? task : undefined;
  }

  #taskFor(principal: Principal, request: SendRequest, fresh: FakeTask): FakeTask | Refused {
    if (request.taskId === undefined) return fresh;
    const task = this.#find(principal, request.taskId);
    if (task === undefined) return notFound();
    if (request.contextId !== undefined && request.contextId !== task.contextId) {
      return invalid('message.contextId', 'is not the context of the task');
    }
    if (task.terminal) return refused('TASK_TERMINAL', 'The task has ended.');
    if (task.state === 'WORKING') return refused('TASK_BUSY', 'The task is at work.');
    return task;
  }
}

async function* framesOf(
  task: FakeTask,
  { until, afterRevision = 0, afterSeq }: StreamRequest,
  signal: AbortSignal,
): AsyncGenerator<Frame> {
  let seq = afterSeq ?? task.events.length;
  if (afterSeq !== undefined) {
    const { status } = task.task();
    yield {
      kind: 'task',
      seq,
      task: { ...task.task(0), status: { ...status, state: task.stateAt(seq) }, artifacts: [] },
    };
  } else {
    yield { kind: 'task', seq, task: task.task() };
    const over = until === 'settled' && task.state === 'INPUT_REQUIRED';
    if (task.terminal || (over && task.revision > afterRevision)) return;
  }
  while (!signal.aborted) {
    for (const event of task.events.slice(seq)) {
      seq = event.seq;
      yield { kind: 'event', seq, event };
      if (task.ends(event, until, afterRevision)) return;
    }
    if (task.events.length === seq) await task.changed(signal);
  }
}

function play(task: FakeTask, text: string, _messageId: string): void {
  if (text === 'submit') return;
  task.to('WORKING');
  if (text === 'hold') return;
  if (text === 'ask') task.to('INPUT_REQUIRED', 'Which one?');
  else if (text === 'auth') task.to('AUTH_REQUIRED', 'Allow it?');
  else if (text === 'fail') task.to('FAILED', 'It failed.', { reason: 'AGENT_FAILED' });
  else {
    if (text === 'null') task.artifact('result', [{ data: null }]);
    else if (text === 'bytes') task.artifact('result', [{ raw: new Uint8Array([0, 255, 16]) }]);
    else task.artifact('result', [{ text: `done: ${text}` }]);
    task.to('COMPLETED', 'Done.');
  }
}

const uuid = () => randomUUID() as string as TaskId;
const notFound = () => refused('TASK_NOT_FOUND', 'Task not found.');
const answer = <T>(value: T): Promise<T> => Promise.resolve(value);
