import type { Accepted, Frame, StreamRequest, TaskService } from '../app/service.ts';
import { isJsonObject, type Json, type JsonObject } from '../domain/json.ts';
import { timeKeysOf } from '../domain/extensions.ts';
import { eventToProtoJson, taskToProtoJson, type TimeKeys } from '../domain/proto-json.ts';
import { isRefused } from '../domain/refusal.ts';
import type { ShownStatus } from '../domain/response-trace.ts';
import { isSettled, isTerminal } from '../domain/status.ts';
import { recent } from '../domain/task.ts';
import { isDrafted, withGeneration } from './draft.ts';
import { invalidParams, ofRefusal } from './failure.ts';
import type { RequestContext } from './request-context.ts';
import type { TaskStream } from './task-stream.ts';
import { traced } from './traced.ts';

/** One event of a stream as A2A 1.0's StreamResponse. */
export interface StreamEvent {
  readonly response: JsonObject;
  /** Its position in the journal, which a client resumes behind. */
  readonly seq?: number;
  /** The stream ends with it. */
  readonly last: boolean;
}

/** How the events of an operation go out. */
export type Encode<Encoded> = (event: StreamEvent) => Encoded;

/** The journal position in a Last-Event-ID header; undefined without one. */
export function lastEventId(header: string | undefined): number | undefined {
  if (header === undefined || header === '') return undefined;
  if (/^\d{1,15}$/.test(header)) return Number(header);
  throw invalidParams([
    { field: 'Last-Event-ID', description: 'must be the id of an event of this task, a number' },
  ]);
}

/**
 * Ends where the sender is needed again: terminal or input required; authorisation comes out of
 * band (section 7.6.1).
 */
export function afterSending({ revision }: Accepted): StreamRequest {
  return { until: 'settled', afterRevision: revision };
}

/** Ends only at a terminal state (section 3.1.6). */
export function subscription(afterSeq: number | undefined): StreamRequest {
  return { until: 'terminal', ...(afterSeq !== undefined && { afterSeq }) };
}

export interface Streamed {
  readonly taskId: string;
  readonly request: StreamRequest;
  readonly historyLength?: number | undefined;
}

/**
 * Sends the events of a task until its stream is over; none where nothing waits for them. Throws
 * what refuses it before its first event. The answer stays the caller's to end.
 */
export async function streamTask<Encoded extends { readonly length: number }>(
  asked: RequestContext,
  service: TaskService,
  { historyLength, request, taskId }: Streamed,
  encode: Encode<Encoded>,
  stream: TaskStream<Encoded>,
): Promise<void> {
  const { notification, principal } = asked;
  try {
    const frames = await service.stream(principal, taskId, request, stream.signal);
    if (isRefused(frames)) throw ofRefusal(frames);
    if (notification) return;
    const numbered = isDrafted(asked);
    const encoded: Encode<Encoded> = (event) => encode(numbered ? generated(event) : event);
    const wanted = {
      historyLength,
      request,
      taskId,
      times: timeKeysOf(asked.extensions),
      traced: (json: JsonObject, shown: ShownStatus) =>
        traced(asked, service, json, { ...shown, taskId }),
    };
    const delivery = new Delivery(frames, wanted, encoded, stream);
    try {
      while (await delivery.pass());
    } finally {
      await delivery.end();
    }
  } finally {
    stream.close();
  }
}

/** Each event of a stream with its generation. */
function generated(event: StreamEvent): StreamEvent {
  const { response, seq = 0 } = event;
  const entries = Object.entries(response).map(([kind, value]): [string, Json] => [
    kind,
    isJsonObject(value) ? withGeneration(value, seq) : value,
  ]);
  return { ...event, response: Object.fromEntries(entries) };
}

interface Wanted extends Streamed {
  readonly times: TimeKeys;
  /** With what was done for the task, where that is asked for. */
  readonly traced: (json: JsonObject, shown: ShownStatus) => Promise<JsonObject>;
}

class Delivery<Encoded extends { readonly length: number }> {
  readonly #frames: AsyncIterator<Frame>;
  readonly #streamed: Wanted;
  readonly #encode: Encode<Encoded>;
  readonly #stream: TaskStream<Encoded>;
  /** Told by the task that every stream begins with; each event names it (section 4.2). */
  #contextId = '';

  constructor(
    frames: AsyncIterable<Frame>,
    streamed: Wanted,
    encode: Encode<Encoded>,
    stream: TaskStream<Encoded>,
  ) {
    this.#frames = frames[Symbol.asyncIterator]();
    this.#streamed = streamed;
    this.#encode = encode;
    this.#stream = stream;
  }

  /**
   * Sends one frame; false when that was all. In a function of its own, so that nothing holds a
   * frame while the next is awaited.
   */
  async pass(): Promise<boolean> {
    const { signal } = this.#stream;
    if (signal.aborted) return false;
    const next = await this.#frames.next();
    if (next.done === true || signal.aborted) return false;
    await this.#send(next.value);
    return true;
  }

  async end(): Promise<void> {
    await this.#frames.return?.();
  }

  async #send(frame: Frame): Promise<void> {
    const { request, taskId } = this.#streamed;
    if (frame.kind === 'task') this.#contextId = frame.task.contextId;
    const place = { taskId, contextId: this.#contextId };
    const response = await responseOf(frame, place, this.#streamed);
    const encoded = this.#encode({ response, seq: frame.seq, last: isLast(frame, request) });
    await this.#stream.send(encoded, frame.seq);
  }
}

async function responseOf(
  frame: Frame,
  place: { readonly taskId: string; readonly contextId: string },
  { historyLength, times, traced: withTrace }: Wanted,
): Promise<JsonObject> {
  if (frame.kind === 'task') {
    const history = recent(frame.task.history, historyLength);
    const task = taskToProtoJson({ ...frame.task, history }, times);
    return { task: await withTrace(task, frame.task.status) };
  }
  const { event } = frame;
  const response = eventToProtoJson(event, place, times);
  const { statusUpdate } = response;
  // Of a task at rest: what is told of it then is the same whenever it is told.
  if (event.kind !== 'status' || !isSettled(event.state) || !isJsonObject(statusUpdate))
    return response;
  return { statusUpdate: await withTrace(statusUpdate, event) };
}

function isLast(frame: Frame, { until }: StreamRequest): boolean {
  if (frame.kind === 'task' || frame.event.kind !== 'status') return false;
  const { state } = frame.event;
  return isTerminal(state) || (until === 'settled' && state === 'INPUT_REQUIRED');
}
