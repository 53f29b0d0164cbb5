import { timeKeysOf } from '../domain/extensions.ts';
import { taskToProtoJson } from '../domain/proto-json.ts';
import type { JsonObject } from '../domain/json.ts';
import type { Polled, TaskService } from '../app/service.ts';
import { generationFrom, isDrafted, withGeneration } from './draft.ts';
import { taken } from './failure.ts';
import type { RequestContext } from './request-context.ts';
import { tracedTask } from './traced.ts';

interface Reading {
  readonly service: TaskService;
  readonly closing?: AbortSignal;
}

interface Wanted {
  readonly id: string;
  readonly historyLength?: number | undefined;
  /** Of the draft: a long poll, as it came. */
  readonly currentGeneration?: unknown;
}

/** A task as it stands; of a long poll, as it stands when there is news. Throws what refuses it. */
export async function readTask(
  asked: RequestContext,
  { currentGeneration, historyLength, id }: Wanted,
  { closing, service }: Reading,
): Promise<JsonObject> {
  if (!isDrafted(asked)) {
    const task = taken(await service.get(asked.principal, id, historyLength));
    return tracedTask(asked, service, task, taskToProtoJson(task, timeKeysOf(asked.extensions)));
  }
  const afterSeq = generationFrom('currentGeneration', currentGeneration);
  const polled = await whileWanted(asked, closing, (signal) =>
    service.poll(asked.principal, id, { afterSeq, historyLength }, signal),
  );
  return shownTask(asked, service, taken(polled));
}

/** A task as its caller gets it, with its generation for one that speaks the draft. */
export async function shownTask(
  asked: RequestContext,
  service: TaskService,
  { seq, task }: Polled,
): Promise<JsonObject> {
  const times = timeKeysOf(asked.extensions);
  const json = await tracedTask(asked, service, task, taskToProtoJson(task, times));
  return isDrafted(asked) ? withGeneration(json, seq) : json;
}

/** Waits for something, but for no client that has left and not while the process is going away. */
export async function whileWanted<T>(
  { gone }: Pick<RequestContext, 'gone'>,
  closing: AbortSignal | undefined,
  wait: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const abort = () => {
    stop.abort('no more waiting');
  };
  const signals = closing === undefined ? [gone] : [gone, closing];
  for (const signal of signals) signal.addEventListener('abort', abort, { once: true });
  if (signals.some((signal) => signal.aborted)) abort();
  try {
    return await wait(stop.signal);
  } finally {
    for (const signal of signals) signal.removeEventListener('abort', abort);
  }
}
