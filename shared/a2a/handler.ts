import type {
  AgentCard,
  CancelTaskRequest,
  GetTaskRequest,
  ListTasksRequest,
  ListTasksResponse,
  Message,
  SendMessageRequest,
  StreamResponse,
  SubscribeToTaskRequest,
  Task,
} from '@a2a-js/sdk';
import type { A2ARequestHandler, ServerCallContext } from '@a2a-js/sdk/server';
import type { CardFields } from '../agent/card-fields.ts';
import type { Accepted, Replied, TaskService } from '../app/service.ts';
import { faultName } from '../app/wake-up.ts';
import { isRefused, type Refused } from '../domain/refusal.ts';
import type { Log } from '../ports/log.ts';
import { exchangeOf } from './caller.ts';
import { sdkErrorOf } from './error-body.ts';
import type { StreamOptions } from './event-stream.ts';
import type { Exchange } from './exchange.ts';
import { activateExtensions } from './extensions.ts';
import { fail, failureOf, invalidParams, ofRefusal } from './failure.ts';
import { filterFromWire, historyLengthOf, sendFromWire } from './from-wire.ts';
import { checkInputModes } from './input-modes.ts';
import { aloud } from './quiet-console.ts';
import { lastEventId, sendersStream, subscribersStream } from './streams.ts';
import { messageToWire, taskToWire } from './to-wire.ts';

export interface HandlerOptions extends StreamOptions {
  readonly service: TaskService;
  readonly card: CardFields;
  /** For the SDK's own checks; no caller sees this copy. */
  readonly agentCard: AgentCard;
  readonly log: Log;
  /** Refuse parts of a media type that the card does not name. */
  readonly checkInputModes: boolean;
}

/** The SDK's request handler over the application: one for each agent, no state of its own. */
export class RequestHandler implements A2ARequestHandler {
  readonly #options: HandlerOptions;

  constructor(options: HandlerOptions) {
    this.#options = options;
  }

  getAgentCard(): Promise<AgentCard> {
    return Promise.resolve(this.#options.agentCard);
  }

  sendMessage(params: SendMessageRequest, context: ServerCallContext): Promise<Message | Task> {
    return this.#answer(context, async (exchange) => {
      const { service } = this.#options;
      const historyLength = sentHistoryLength(params);
      const blocking = params.configuration?.returnImmediately !== true && !exchange.notification;
      const sent = await this.#send(params, exchange, blocking);
      if (sent.kind === 'replied') return messageToWire(sent.message, sent);
      if (blocking) await this.#settled(exchange, sent);
      return taskToWire(
        accepted(await service.get(exchange.principal, sent.taskId, historyLength)),
      );
    });
  }

  sendMessageStream(
    params: SendMessageRequest,
    context: ServerCallContext,
  ): AsyncGenerator<StreamResponse, void, undefined> {
    return this.#stream(context, async (exchange) => {
      const historyLength = sentHistoryLength(params);
      const sent = await this.#send(params, exchange, false);
      if (sent.kind === 'accepted') {
        return sendersStream(exchange, sent, historyLength, this.#options);
      }
      const message = messageToWire(sent.message, sent);
      return [{ payload: { $case: 'message', value: message } }];
    });
  }

  resubscribe(
    params: SubscribeToTaskRequest,
    context: ServerCallContext,
  ): AsyncGenerator<StreamResponse, void, undefined> {
    return this.#stream(context, (exchange) => {
      const afterSeq = lastEventId(exchange.req.get('last-event-id'));
      return Promise.resolve(
        subscribersStream(exchange, taskIdOf(params), afterSeq, this.#options),
      );
    });
  }

  getTask(params: GetTaskRequest, context: ServerCallContext): Promise<Task> {
    return this.#answer(context, async ({ principal }) => {
      const historyLength = historyLengthOf('historyLength', params.historyLength);
      const { service } = this.#options;
      return taskToWire(accepted(await service.get(principal, taskIdOf(params), historyLength)));
    });
  }

  listTasks(params: ListTasksRequest, context: ServerCallContext): Promise<ListTasksResponse> {
    return this.#answer(context, async ({ principal }) => {
      const filter = filterFromWire(params);
      const page = accepted(await this.#options.service.list(principal, filter));
      const { nextPageToken, pageSize, totalSize } = page;
      return { tasks: page.tasks.map(taskToWire), nextPageToken, pageSize, totalSize };
    });
  }

  cancelTask(params: CancelTaskRequest, context: ServerCallContext): Promise<Task> {
    return this.#answer(context, async ({ principal, trace, version }) => {
      const { service } = this.#options;
      const id = taskIdOf(params);
      // For v0.3 a canceled task can't be canceled (its section 8.2); 1.0 lets a client repeat itself (section 3.3.1).
      if (version === '0.3') {
        const { status } = accepted(await service.get(principal, id, 0));
        if (status.state === 'CANCELED') {
          throw fail('TASK_NOT_CANCELABLE', "the task is CANCELED and can't be canceled");
        }
      }
      return taskToWire(accepted(await service.cancel(principal, id, trace)));
    });
  }

  // The capability is off: refused before any look-up, whatever the request says (section 3.3.4).
  createTaskPushNotificationConfig(_params: unknown, context: ServerCallContext): Promise<never> {
    return this.#noPush(context);
  }

  getTaskPushNotificationConfig(_params: unknown, context: ServerCallContext): Promise<never> {
    return this.#noPush(context);
  }

  listTaskPushNotificationConfigs(_params: unknown, context: ServerCallContext): Promise<never> {
    return this.#noPush(context);
  }

  deleteTaskPushNotificationConfig(_params: unknown, context: ServerCallContext): Promise<never> {
    return this.#noPush(context);
  }

  getAuthenticatedExtendedAgentCard(
    _params: unknown,
    context: ServerCallContext,
  ): Promise<AgentCard> {
    return this.#answer(context, () =>
      Promise.reject(fail('EXTENDED_CARD_NOT_SUPPORTED', 'This agent has no extended agent card.')),
    );
  }

  async #send(
    params: SendMessageRequest,
    exchange: Exchange,
    blocking: boolean,
  ): Promise<Accepted | Replied> {
    const { service, card } = this.#options;
    if (params.configuration?.taskPushNotificationConfig !== undefined) throw noPush();
    const request = sendFromWire(params.message);
    if (this.#options.checkInputModes) checkInputModes(card, request.message.parts);
    const { trace } = exchange;
    const traced = trace === undefined ? request : { ...request, trace };
    return accepted(await service.send(exchange.principal, { ...traced, blocking }));
  }

  /** Waits for the answer, but for no client that has left and not while the process is going away. */
  async #settled(exchange: Exchange, { taskId, revision }: Accepted): Promise<void> {
    const { service, closing } = this.#options;
    const stop = new AbortController();
    const abort = () => {
      stop.abort();
    };
    const signals = closing === undefined ? [exchange.gone] : [exchange.gone, closing];
    for (const signal of signals) signal.addEventListener('abort', abort, { once: true });
    if (signals.some((signal) => signal.aborted)) abort();
    try {
      await service.settled(exchange.principal, taskId, revision, stop.signal);
    } finally {
      for (const signal of signals) signal.removeEventListener('abort', abort);
    }
  }

  #noPush(context: ServerCallContext): Promise<never> {
    return this.#answer(context, () => Promise.reject(noPush()));
  }

  async #answer<T>(
    context: ServerCallContext,
    work: (exchange: Exchange) => Promise<T>,
  ): Promise<T> {
    const exchange = exchangeOf(context);
    try {
      activateExtensions(exchange, this.#options.card, context.requestedExtensions ?? []);
      return await aloud(() => work(exchange));
    } catch (thrown) {
      this.#failed(exchange, thrown);
      throw sdkErrorOf(failureOf(thrown));
    }
  }

  /** A stream answers its own errors: the SDK would print each of them with its stack. */
  async *#stream(
    context: ServerCallContext,
    open: (exchange: Exchange) => Promise<AsyncIterable<StreamResponse> | Iterable<StreamResponse>>,
  ): AsyncGenerator<StreamResponse, void, undefined> {
    const exchange = exchangeOf(context);
    try {
      activateExtensions(exchange, this.#options.card, context.requestedExtensions ?? []);
      const events = await aloud(() => open(exchange));
      if (exchange.notification) exchange.acknowledge();
      else yield* events;
    } catch (thrown) {
      this.#failed(exchange, thrown);
    }
  }

  #failed(exchange: Exchange, thrown: unknown): void {
    const failure = failureOf(thrown);
    if (failure.code === 'INTERNAL' || failure.code === 'UNAVAILABLE') {
      const line = {
        agent: exchange.agent ?? null,
        operation: exchange.operation,
        fault: faultName(thrown),
      };
      this.#options.log.write('error', 'a2a.fault', line, exchange.trace);
    }
    exchange.fail(failure);
  }
}

/** A refusal goes up as an exception from here, because the SDK's interface knows no other way. */
function accepted<T extends object>(answer: T | Refused): T {
  if (isRefused(answer)) throw ofRefusal(answer);
  return answer;
}

function sentHistoryLength({ configuration }: SendMessageRequest): number | undefined {
  return historyLengthOf('configuration.historyLength', configuration?.historyLength);
}

function taskIdOf(params: { readonly id: unknown }): string {
  const { id } = params;
  if (typeof id === 'string' && id !== '') return id;
  throw invalidParams([{ field: 'id', description: 'is required' }]);
}

function noPush(): Error {
  return fail('PUSH_NOT_SUPPORTED', 'This agent sends no push notifications.');
}
