import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { Oracle } from './oracle.ts';
import { openGrpcStream } from './grpc-stream.ts';
import { callGrpc, type GrpcFailure } from './grpc-wire.ts';
import { STORE } from './server.ts';
import { EventStream, openStream, type Plain } from './stream.ts';
import type { WireMessage, WirePage, WirePart, WireTask } from './wire.ts';

export type Binding = 'jsonrpc' | 'rest' | 'grpc';
/** The two that share a URL. */
export const HTTP_BINDINGS = ['jsonrpc', 'rest'] as const satisfies Binding[];
export type HttpBinding = (typeof HTTP_BINDINGS)[number];
/** All that the setting serves: there is no gRPC function. */
export const BINDINGS: readonly Binding[] =
  STORE === 'google' ? HTTP_BINDINGS : [...HTTP_BINDINGS, 'grpc'];

export interface Sending {
  readonly messageId?: string;
  readonly taskId?: string;
  readonly contextId?: string;
  readonly referenceTaskIds?: readonly string[];
  readonly parts?: readonly WirePart[];
  /** returnImmediately. */
  readonly ri?: boolean;
  readonly historyLength?: number;
}

/** An A2A error in either binding. */
export class Refusal extends Error {
  /** JSON-RPC's code; on HTTP+JSON the one that its reason stands for. */
  readonly code: number;
  readonly http: number;
  /** The whole body, for comparisons. */
  readonly body: string;

  constructor(http: number, code: number, message: string, body: string) {
    super(message);
    this.name = 'Refusal';
    this.http = http;
    this.code = code;
    this.body = body;
  }

  /** It asks to come again. */
  get passes(): boolean {
    return this.http === 503 || (this.code === -32603 && this.body.includes('"UNAVAILABLE"'));
  }
}

interface Call {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

const CODES: Readonly<Record<string, number>> = {
  TASK_NOT_FOUND: -32001,
  TASK_NOT_CANCELABLE: -32002,
  PUSH_NOTIFICATION_NOT_SUPPORTED: -32003,
  UNSUPPORTED_OPERATION: -32004,
  CONTENT_TYPE_NOT_SUPPORTED: -32005,
  INVALID_PARAMS: -32602,
  METHOD_NOT_FOUND: -32601,
  INTERNAL_ERROR: -32603,
};

/** Where a server is spoken to. */
export interface Served {
  readonly url: string;
  /** Host and port of gRPC. */
  readonly grpc?: string;
}

/** Talks to a server as a remote agent does, and shows everything that it saw to the oracle. */
export class Client {
  readonly server: Served;
  readonly oracle: Oracle;
  readonly binding: Binding;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(
    server: Served,
    oracle: Oracle,
    binding: Binding = 'jsonrpc',
    headers: Readonly<Record<string, string>> = {},
  ) {
    this.server = server;
    this.oracle = oracle;
    this.binding = binding;
    this.#headers = headers;
  }

  /** SendMessage; the task, or a Refusal thrown. */
  async send(text: string, sending: Sending = {}): Promise<WireTask> {
    const began = performance.now();
    const { task } = (await this.call('SendMessage', sendParams(text, sending))) as {
      task: WireTask;
    };
    this.oracle.sawTask(task, began, sending.historyLength === undefined);
    return task;
  }

  /** SendMessage to an agent that answers without a task. */
  async say(text: string): Promise<WireMessage> {
    const { message } = (await this.call('SendMessage', sendParams(text, {}))) as {
      message: WireMessage;
    };
    return message;
  }

  async get(id: string, historyLength?: number): Promise<WireTask> {
    const began = performance.now();
    const task = (await this.call('GetTask', { id, historyLength })) as WireTask;
    this.oracle.sawTask(task, began, historyLength === undefined);
    return task;
  }

  async list(query: Readonly<Record<string, unknown>> = {}): Promise<WirePage> {
    const began = performance.now();
    const page = (await this.call('ListTasks', query)) as WirePage;
    for (const task of page.tasks) this.oracle.sawState(task, began);
    return page;
  }

  async cancel(id: string): Promise<WireTask> {
    const began = performance.now();
    const task = (await this.call('CancelTask', { id })) as WireTask;
    this.oracle.sawTask(task, began, true);
    return task;
  }

  /** SendStreamingMessage. */
  stream(text: string, sending: Sending = {}): Promise<EventStream> {
    return this.open('SendStreamingMessage', sendParams(text, sending));
  }

  subscribe(id: string, afterSeq?: number): Promise<EventStream> {
    const headers: Record<string, string> =
      afterSeq === undefined ? {} : { 'Last-Event-ID': String(afterSeq) };
    return this.open('SubscribeToTask', { id }, headers);
  }

  /** Asks until the task is terminal; fails when it is not within `within` ms. */
  async finished(id: string, within = 30_000): Promise<WireTask> {
    return this.until(id, (state) => /COMPLETED|FAILED|CANCELED|REJECTED/.test(state), within);
  }

  async until(id: string, wanted: (state: string) => boolean, within = 30_000): Promise<WireTask> {
    const end = performance.now() + within;
    for (;;) {
      const task = await this.get(id);
      if (wanted(task.status.state)) return task;
      if (performance.now() > end)
        throw new Error(`${id} is ${task.status.state} after ${within} ms`);
      await new Promise((resolve) => {
        setTimeout(resolve, 30);
      });
    }
  }

  /** Any unary operation: its result, or a Refusal thrown. */
  async call(operation: string, params: object): Promise<unknown> {
    if (this.binding === 'grpc') {
      const answer = await callGrpc(this.#address, operation, params, this.#base());
      if ('failure' in answer) throw refusalOf(answer.failure);
      return answer.result;
    }
    const { method, path, body } = callOf(this.binding, operation, params);
    const response = await fetch(`${this.server.url}${path}`, {
      method,
      headers: {
        ...this.#base(),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return resultOf({ http: response.status, text: await response.text() });
  }

  async open(
    operation: string,
    params: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<EventStream> {
    if (this.binding === 'grpc') {
      const all = { ...this.#base(), ...headers };
      const opened = await openGrpcStream(this.#address, operation, params, all);
      if (!(opened instanceof EventStream)) throw refusalOf(opened);
      this.oracle.watch(opened);
      return opened;
    }
    const { method, path, body } = callOf(this.binding, operation, params);
    const opened = await openStream({
      url: `${this.server.url}${path}`,
      method,
      headers: { ...this.#base(), ...headers, 'Content-Type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    if (!(opened instanceof EventStream)) {
      resultOf(opened);
      throw new Error(`${operation} answered no stream and no error: ${opened.text}`);
    }
    this.oracle.watch(opened);
    return opened;
  }

  get #address(): string {
    const { grpc } = this.server;
    if (grpc === undefined) throw new Error('the server speaks no gRPC');
    return grpc;
  }

  #base(): Record<string, string> {
    return { 'A2A-Version': '1.0', ...this.#headers };
  }
}

/** The request of an operation in a binding. */
export function callOf(binding: HttpBinding, operation: string, params: object): Call {
  if (binding === 'rest') return restCall(operation, params);
  const body = { jsonrpc: '2.0', id: 1, method: operation, params };
  return { method: 'POST', path: '/', body };
}

export function sendParams(text: string, sending: Sending): object {
  const { messageId = randomUUID(), parts = [{ text }], ri, historyLength, ...refs } = sending;
  const configuration = {
    ...(ri === undefined ? {} : { returnImmediately: ri }),
    ...(historyLength === undefined ? {} : { historyLength }),
  };
  return { message: { messageId, role: 'ROLE_USER', parts, ...refs }, configuration };
}

function restCall(operation: string, params: object): Call {
  const { id = '', ...rest } = params as { readonly id?: string };
  const task = `/tasks/${encodeURIComponent(id)}`;
  const query = new URLSearchParams(
    Object.entries(rest)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  const asked = query === '' ? '' : `?${query}`;
  switch (operation) {
    case 'SendMessage':
      return { method: 'POST', path: '/message:send', body: params };
    case 'SendStreamingMessage':
      return { method: 'POST', path: '/message:stream', body: params };
    case 'GetTask':
      return { method: 'GET', path: `${task}${asked}` };
    case 'ListTasks':
      return { method: 'GET', path: `/tasks${asked}` };
    case 'CancelTask':
      return { method: 'POST', path: `${task}:cancel`, body: {} };
    case 'SubscribeToTask':
      return { method: 'POST', path: `${task}:subscribe` };
    case 'CreateTaskPushNotificationConfig':
    case 'GetTaskPushNotificationConfig':
    case 'ListTaskPushNotificationConfigs':
    case 'DeleteTaskPushNotificationConfig':
      return pushCall(operation, params);
    default:
      throw new Error(`no path for ${operation}`);
  }
}

function pushCall(operation: string, params: object): Call {
  const {
    id = '',
    taskId = '',
    ...body
  } = params as {
    readonly id?: string;
    readonly taskId?: string;
  };
  const all = `/tasks/${encodeURIComponent(taskId)}/pushNotificationConfigs`;
  const one = `${all}/${encodeURIComponent(id)}`;
  switch (operation) {
    case 'CreateTaskPushNotificationConfig':
      return { method: 'POST', path: all, body: { ...(id !== '' && { id }), ...body } };
    case 'GetTaskPushNotificationConfig':
      return { method: 'GET', path: one };
    case 'DeleteTaskPushNotificationConfig':
      return { method: 'DELETE', path: one };
    default:
      return { method: 'GET', path: all };
  }
}

/** gRPC's answer always has HTTP's status 200. */
function refusalOf(failure: GrpcFailure): Refusal {
  const code = failure.reasons.map((reason) => CODES[reason]).find((each) => each !== undefined);
  return new Refusal(200, code ?? 0, failure.message, JSON.stringify(failure));
}

interface ErrorBody {
  readonly code: number;
  readonly message: string;
  readonly details?: readonly { readonly reason?: string }[];
}

/** Both bindings answer errors inside `error`; HTTP+JSON's code is the HTTP status. */
function resultOf({ http, text }: Plain): unknown {
  let body: { readonly error?: ErrorBody; readonly result?: unknown };
  try {
    body = JSON.parse(text) as typeof body;
  } catch (cause) {
    throw new Error(`no JSON: ${http} ${text}`, { cause });
  }
  const { error } = body;
  if (error !== undefined) {
    const reason = error.details?.find((detail) => detail.reason !== undefined)?.reason ?? '';
    const code = error.code < 0 ? error.code : (CODES[reason] ?? 0);
    throw new Refusal(http, code, error.message, text);
  }
  return body.result ?? body;
}
