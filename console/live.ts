import { useEffect, useRef } from 'preact/hooks';
import { Refusal, send } from './api.ts';
import { after } from './browser.ts';
import { eventsOf } from './event-reader.ts';
import { createStore } from './store.ts';
import type { LiveEvents, RunRow } from './wire.ts';

/** How fresh the page is. */
export type LiveState =
  | 'connecting'
  | 'live'
  /** The stream does not come through; the page asks now and then instead. */
  | 'polling'
  /** The store behind the server is away. */
  | 'away';

export const liveState = createStore<LiveState>('connecting');
/** The server has a newer console than this page. */
export const outdated = createStore(false);

/** Runs that changed, or `all`: anything may have. */
export type Change = readonly RunRow[] | 'all';

const followers = new Set<(change: Change) => void>();
const RETRY = 1_000;
const RETRY_MOST = 15_000;
const POLL = 10_000;
/** A server that says nothing for so long, not even that it is there, is not there. */
const SILENCE = 40_000;

let build: string | undefined;
let lastId: string | undefined;

/** Follows the server until the signal aborts, over every cut. */
export async function keepLive(signal: AbortSignal): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    const opened = await listen(signal).catch((error: unknown) => {
      // A token that is not known any more is told to the views by their own requests.
      if (error instanceof Refusal && error.status === 401) tell('all');
      return false;
    });
    if (signal.aborted) return;
    failures = opened ? 0 : failures + 1;
    liveState.set(failures < 2 ? 'connecting' : 'polling');
    if (failures >= 2) tell('all');
    await pause(failures < 2 ? RETRY : Math.min(POLL, RETRY_MOST), signal);
  }
}

/** True when the stream had been open. */
async function listen(signal: AbortSignal): Promise<boolean> {
  const silent = new AbortController();
  let cancel = after(SILENCE, () => silent.abort());
  const headers: Record<string, string> = lastId === undefined ? {} : { 'Last-Event-ID': lastId };
  let opened = false;
  try {
    const both = AbortSignal.any([signal, silent.signal]);
    const response = await send('/live', { method: 'GET', headers, signal: both });
    if (response.body === null) return false;
    const watched = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(piece, controller) {
          cancel();
          cancel = after(SILENCE, () => silent.abort());
          controller.enqueue(piece);
        },
      }),
    );
    for await (const { data, id, name } of eventsOf(watched)) {
      opened = true;
      if (id !== undefined) lastId = id;
      take(name, JSON.parse(data) as unknown);
    }
    return opened;
  } catch (error) {
    if (!opened) throw error;
    return true;
  } finally {
    cancel();
  }
}

function take(name: string, data: unknown): void {
  switch (name) {
    case 'hello': {
      const hello = data as NonNullable<LiveEvents['hello']>;
      if (build !== undefined && hello.build !== undefined && hello.build !== build)
        outdated.set(true);
      build ??= hello.build;
      liveState.set('live');
      // What changed while nothing listened; of a resumed stream the server tells it.
      if (lastId === undefined) tell('all');
      return;
    }
    case 'runs':
      liveState.set('live');
      tell(data as readonly RunRow[]);
      return;
    case 'reset':
      liveState.set('live');
      tell('all');
      return;
    case 'away':
      liveState.set('away');
      return;
    default:
    // Of a newer server.
  }
}

function tell(change: Change): void {
  for (const callback of followers) callback(change);
}

/** Calls back with each change, as long as the component is there. */
export function useChanges(callback: (change: Change) => void): void {
  const newest = useRef(callback);
  newest.current = callback;
  useEffect(() => {
    const call = (change: Change): void => newest.current(change);
    followers.add(call);
    return () => void followers.delete(call);
  }, []);
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const cancel = after(milliseconds, resolve);
    signal.addEventListener('abort', () => {
      cancel();
      resolve();
    });
  });
}
