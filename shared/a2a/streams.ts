import type { StreamResponse } from '@a2a-js/sdk';
import type { Accepted, Frame, StreamRequest, TaskService } from '../app/service.ts';
import { isRefused } from '../domain/refusal.ts';
import { recent } from '../domain/task.ts';
import { EventStream, type StreamOptions } from './event-stream.ts';
import type { Exchange } from './exchange.ts';
import { invalidParams, ofRefusal } from './failure.ts';
import { frameToWire } from './to-wire.ts';

export interface StreamsOptions extends StreamOptions {
  readonly service: TaskService;
}

/** The journal position in a Last-Event-ID header; undefined without one. */
export function lastEventId(header: string | undefined): number | undefined {
  if (header === undefined || header === '') return undefined;
  if (/^\d{1,15}$/.test(header)) return Number(header);
  throw invalidParams([
    { field: 'Last-Event-ID', description: 'must be the id of an event of this task, a number' },
  ]);
}

/** Ends where the sender is needed again: terminal or input required; authorisation comes out of band (section 7.6.1). */
export function sendersStream(
  exchange: Exchange,
  { taskId, contextId, revision }: Accepted,
  historyLength: number | undefined,
  options: StreamsOptions,
): AsyncIterable<StreamResponse> {
  const request: StreamRequest = { until: 'settled', afterRevision: revision };
  return deliver(exchange, taskId, contextId, request, historyLength, options);
}

/** Ends only at a terminal state (section 3.1.6). */
export async function* subscribersStream(
  exchange: Exchange,
  taskId: string,
  afterSeq: number | undefined,
  options: StreamsOptions,
): AsyncGenerator<StreamResponse, void, undefined> {
  if (afterSeq === undefined) {
    yield* deliver(exchange, taskId, '', { until: 'terminal' }, undefined, options);
    return;
  }
  // Events name their context (section 4.2), and a resumed stream has no snapshot that would tell it.
  const task = await options.service.get(exchange.principal, taskId, 0);
  if (isRefused(task)) throw ofRefusal(task);
  const request: StreamRequest = { until: 'terminal', afterSeq };
  yield* deliver(exchange, taskId, task.contextId, request, undefined, options);
}

async function* deliver(
  exchange: Exchange,
  taskId: string,
  knownContext: string,
  request: StreamRequest,
  historyLength: number | undefined,
  { service, ...options }: StreamsOptions,
): AsyncGenerator<StreamResponse, void, undefined> {
  const stream = new EventStream(exchange.res, exchange.gone, options);
  let contextId = knownContext;
  try {
    const frames = await service.stream(exchange.principal, taskId, request, stream.signal);
    if (isRefused(frames)) throw ofRefusal(frames);
    // A resumed stream may be silent for long; the client must see that it is open.
    if (request.afterSeq !== undefined) stream.open();
    for await (const frame of frames) {
      if (stream.signal.aborted) return;
      if (frame.kind === 'task') contextId = frame.task.contextId;
      const event = frameToWire(trimmed(frame, historyLength), { taskId, contextId });
      stream.open();
      stream.mark(frame.seq);
      yield event;
      await stream.drained();
      if (stream.signal.aborted) return;
    }
  } finally {
    stream.close();
  }
}

function trimmed(frame: Frame, historyLength: number | undefined): Frame {
  if (frame.kind !== 'task') return frame;
  const history = recent(frame.task.history, historyLength);
  return { ...frame, task: { ...frame.task, history } };
}
