import { Refusal, send } from '../api.ts';
import { after } from '../browser.ts';
import { eventsOf } from '../event-reader.ts';
import type { TriedEvents } from '../wire.ts';
import type { StreamResponse, WirePart } from './conversation.ts';

export interface Sent {
  readonly messageId: string;
  readonly parts: readonly WirePart[];
  readonly taskId?: string;
  readonly contextId?: string;
}

interface Heard {
  task: string | undefined;
  last: string | undefined;
  settled: boolean;
}

const MOST = 5;
const PAUSE = 1_000;

/**
 * Sends a message and tells what comes until the task has ended or asks, over every cut: a stream
 * that ends before that is asked for again, behind the last event that came. Throws Refusal.
 */
export async function talk(
  agent: string,
  sent: Sent,
  tell: (response: StreamResponse) => void,
  signal: AbortSignal,
): Promise<void> {
  const path = `/agents/${encodeURIComponent(agent)}/try`;
  const heard: Heard = { task: sent.taskId, last: undefined, settled: false };
  const init = {
    method: 'POST',
    body: JSON.stringify(sent),
    headers: { 'Content-Type': 'application/json' },
    signal,
  };
  await read(await send(path, init), heard, tell);
  for (let failures = 0; !heard.settled && !signal.aborted; ) {
    if (heard.task === undefined || failures === MOST)
      throw new Refusal(0, 'CUT', 'The answer was cut off. Send it again: it is taken once.');
    const before = heard.last;
    const headers: HeadersInit = before === undefined ? {} : { 'Last-Event-ID': before };
    await new Promise<void>((resolve) => void after(PAUSE, resolve));
    const again = `${path}/${encodeURIComponent(heard.task)}`;
    const response = await send(again, { method: 'GET', headers, signal }).catch(
      (error: unknown) => {
        if (error instanceof Refusal && error.status === 0) return undefined;
        throw error;
      },
    );
    if (response !== undefined) await read(response, heard, tell);
    failures = heard.last === before && response === undefined ? failures + 1 : 0;
  }
}

/** Reads one stream to its end; one that is cut off ends, too. */
async function read(
  { body }: Response,
  heard: Heard,
  tell: (response: StreamResponse) => void,
): Promise<void> {
  if (body === null) return;
  try {
    for await (const { data, id, name } of eventsOf(body)) {
      if (id !== undefined) heard.last = id;
      const value = JSON.parse(data) as unknown;
      if (name === 'end') heard.settled = (value as TriedEvents['end'])?.why === 'settled';
      if (name === 'error') throw refused(value);
      if (name !== 'response') continue;
      const response = value as StreamResponse;
      heard.task ??= response.task?.id;
      tell(response);
    }
  } catch (error) {
    if (error instanceof Refusal) throw error;
    // Cut off: what is missing comes behind the last event.
  }
}

function refused(value: unknown): Refusal {
  const { code = 'FAILED', message = 'The stream failed.' } =
    (value as { error?: { code?: string; message?: string } }).error ?? {};
  return new Refusal(500, code, message);
}
