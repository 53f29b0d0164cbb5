import type { RequestListener } from 'node:http';
import type { A2AAppOptions } from '../../shared/a2a/app.ts';
import type { App } from '../../shared/app/app.ts';
import type { Place } from '../../shared/ports/queue.ts';
import type { EdgeOptions } from '../a2a/edge.ts';
import type { Published } from '../load-agents.ts';
import { lazyEdge } from './lazy-edge.ts';

export interface A2AEdge {
  /** What every binding shares. */
  shared(): Promise<A2AAppOptions>;
  readonly http: RequestListener;
  /** Loads what a first request would wait for. A fault is said by the request that meets it. */
  load(): Promise<void>;
}

/**
 * The A2A edge of one machine. The server listens while its modules are loaded: requests that come
 * first wait for them. `reserve` is the queue's, for runs that this process works on at once.
 */
export function openA2AEdge(
  app: App,
  agents: Published,
  options: Omit<EdgeOptions, 'lane'>,
  reserve: () => Place | undefined,
): A2AEdge {
  const shared = once(() => make(app, agents, options, reserve));
  const open = once(() => listenerOf(shared));
  return {
    shared,
    http: lazyEdge(app.log, open),
    load: () =>
      open().then(
        () => undefined,
        () => undefined,
      ),
  };
}

/** The same answer each time; a fault is forgotten, so that the next call tries again. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

async function make(
  app: App,
  agents: Published,
  options: Omit<EdgeOptions, 'lane'>,
  reserve: () => Place | undefined,
): Promise<A2AAppOptions> {
  const { edgeOf } = await import('../a2a/edge.ts');
  const { localLane } = await import('../../shared/app/worker/local-lane.ts');
  return edgeOf(app, agents, { ...options, lane: localLane(reserve) });
}

async function listenerOf(shared: () => Promise<A2AAppOptions>): Promise<RequestListener> {
  const { createA2AApp } = await import('../../shared/a2a/app.ts');
  return createA2AApp(await shared());
}
