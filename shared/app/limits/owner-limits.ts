import type { Millis } from '../../domain/brand.ts';
import { listedAs, type Principal, scopeOf } from '../../domain/ids.ts';
import { type Refused, refused } from '../../domain/refusal.ts';
import type { TaskState } from '../../domain/status.ts';
import { isPassing } from '../../ports/faults.ts';
import type { App } from '../app.ts';
import type { Frame, TaskService } from '../service.ts';
import { messageTooLarge } from './message-limits.ts';

const OPEN: readonly TaskState[] = ['SUBMITTED', 'WORKING', 'INPUT_REQUIRED', 'AUTH_REQUIRED'];
/** Between two looks at the store a process takes this share of the open tasks that may be. */
const SHARE = 20;
/** A count at the limit stands for this long. */
const STANDS: Millis = 2_000;
/** Callers that a process knows at a time. */
const KNOWN = 10_000;

type Limited = Pick<App, 'clock' | 'settings' | 'shards' | 'store'>;

interface Begun {
  left: number;
  fullUntil: Millis;
}

/**
 * The service, within what one caller may have at a time. Callers who can't be told from another
 * are one owner, and have no such limits. Open tasks are counted in the store when a process has
 * begun a twentieth of what an owner may have: so there are never more than that, and a twentieth
 * of it for each process. Streams are counted by each process for itself.
 */
export function withOwnerLimits(app: Limited, service: TaskService): TaskService {
  const { ownerStreams, ownerTasks } = app.settings;
  const begun = new Map<string, Begun>();
  const streams = new Map<string, number>();

  async function mayBegin(principal: Principal): Promise<Refused | undefined> {
    if (ownerTasks === 0 || !principal.authenticated) return undefined;
    const key = scopeOf(principal);
    const now = app.clock.now();
    const state = begun.get(key) ?? { left: 0, fullUntil: 0 };
    if (state.left < 1) {
      if (now < state.fullUntil) return tooManyTasks(ownerTasks);
      // A first share is given unseen, so that a caller of few tasks costs nothing.
      const open = begun.has(key) || ownerTasks < SHARE ? await countOpen(app, principal) : 0;
      if (open >= ownerTasks) {
        remember(begun, key, { left: 0, fullUntil: now + STANDS });
        return tooManyTasks(ownerTasks);
      }
      state.left = Math.min(Math.max(1, Math.floor(ownerTasks / SHARE)), ownerTasks - open);
    }
    remember(begun, key, { left: state.left - 1, fullUntil: 0 });
    return undefined;
  }

  return {
    ...service,
    async send(principal, request) {
      const tooLarge = messageTooLarge(app.settings, request);
      if (tooLarge !== undefined) return tooLarge;
      const full = request.taskId ? undefined : await mayBegin(principal);
      return full ?? service.send(principal, request);
    },
    async stream(principal, taskId, request, signal) {
      if (ownerStreams === 0 || !principal.authenticated) {
        return service.stream(principal, taskId, request, signal);
      }
      const key = JSON.stringify([principal.tenant, principal.owner]);
      const open = streams.get(key) ?? 0;
      if (open >= ownerStreams) return tooManyStreams(ownerStreams);
      streams.set(key, open + 1);
      const close = (): void => {
        const left = (streams.get(key) ?? 1) - 1;
        if (left > 0) streams.set(key, left);
        else streams.delete(key);
      };
      try {
        const frames = await service.stream(principal, taskId, request, signal);
        if ('kind' in frames) {
          close();
          return frames;
        }
        return counted(frames, signal, close);
      } catch (error) {
        close();
        throw error;
      }
    },
  };
}

/** A stream that says once when it is over, however it ends, also if nothing of it is ever read. */
function counted(
  frames: AsyncIterable<Frame>,
  signal: AbortSignal,
  close: () => void,
): AsyncIterable<Frame> {
  const over = new AbortController();
  over.signal.addEventListener('abort', close, { once: true });
  const end = (): void => over.abort('the stream is over');
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  return {
    async *[Symbol.asyncIterator]() {
      try {
        yield* frames;
      } finally {
        signal.removeEventListener('abort', end);
        end();
      }
    },
  };
}

async function countOpen(app: Limited, principal: Principal): Promise<number> {
  const { lists } = await app.shards.toRead();
  const limit = app.settings.ownerTasks;
  const scope = scopeOf(principal);
  const queries = OPEN.flatMap((state) =>
    Array.from({ length: lists }, (_, shard) => ({
      collection: 'tasks',
      filters: [
        { field: 'scope', equals: listedAs(scope, shard) },
        { field: 'state', equals: state },
      ],
      order: { field: 'statusAt', direction: 'desc' } as const,
      limit,
    })),
  );
  try {
    const counts = await Promise.all(queries.map((query) => app.store.count(query)));
    return counts.reduce((sum, count) => sum + count, 0);
  } catch (error) {
    // What the request is for needs the store, too, and says so.
    if (isPassing(error)) return 0;
    throw error;
  }
}

function remember(begun: Map<string, Begun>, key: string, state: Begun): void {
  const [oldest] = begun.keys();
  if (begun.size >= KNOWN && oldest !== undefined && !begun.has(key)) begun.delete(oldest);
  begun.set(key, state);
}

function tooManyTasks(most: number): Refused {
  const message = `you have ${most} open tasks with this agent (limit ownerTasks); wait for some, answer those that ask, or cancel them`;
  return refused('QUOTA_EXCEEDED', message, { metadata: { limit: 'ownerTasks' }, retryAfter: 5 });
}

function tooManyStreams(most: number): Refused {
  const message = `you have ${most} open streams (limit ownerStreams); close some, or poll by GetTask`;
  return refused('QUOTA_EXCEEDED', message, { metadata: { limit: 'ownerStreams' }, retryAfter: 5 });
}
