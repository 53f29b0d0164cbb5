import type { Millis } from '../../shared/domain/brand.ts';
import { markingRedactor } from '../doubles/marking-redactor.ts';
import type { Settings } from '../../shared/domain/settings.ts';
import type { Backend, Position, RowQuery } from '../../shared/ports/backend.ts';
import type { Blobs } from '../../shared/ports/blobs.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { Grants } from '../../shared/ports/grants.ts';
import type { Ids } from '../../shared/ports/ids.ts';
import type { Ports } from '../../shared/ports/index.ts';
import type { Log } from '../../shared/ports/log.ts';
import type { Queue } from '../../shared/ports/queue.ts';
import type { Sealer } from '../../shared/ports/sealer.ts';
import type { Workspaces } from '../../shared/ports/workspaces.ts';
import { createStore } from '../../shared/store/store.ts';
import { type Caller, Line, type Network } from './line.ts';
import { operations } from './operation.ts';
import { type Hooks, outgoingOf } from './hooks.ts';
import { noToolServers } from '../../functions/no-tool-servers.ts';
import { type Effects, effectsOf, remotesOf } from './remote-line.ts';
import type { RemoteWorld } from './remote-world.ts';

/** The services that every process of a world reaches. */
export interface Services {
  readonly backend: Backend;
  readonly blobs: Blobs;
  readonly workspaces: Workspaces;
  readonly sealer: Sealer;
  readonly queue: (process: number) => Queue;
  readonly outside: RemoteWorld;
  readonly hooks: Hooks;
  readonly grants: Grants;
  readonly ids: Ids;
  readonly log: Log;
  readonly settings: Settings;
}

/**
 * One process's ports: the real store engine over the doubles, each call through the process's own
 * line.
 */
export function portsOf(
  network: Network,
  services: Services,
  caller: Caller,
  skew: Millis,
): Ports & { readonly effects: Effects } {
  const line = new Line(network, caller);
  const { ids, log, settings } = services;
  const clock = clockOf(network.clock, caller, skew);
  const backend = backendOf(services.backend, line);
  const queue = services.queue(caller.id);
  return {
    store: createStore({ backend, clock, ids, deadline: settings.transactionDeadline }),
    blobs: blobsOf(services.blobs, line),
    workspaces: workspacesOf(services.workspaces, line),
    sealer: {
      keyNames: () => services.sealer.keyNames(),
      newKey: (owner) => line.call('sealer.newKey', () => services.sealer.newKey(owner)),
      unwrap: (wrapped, owner) =>
        line.call('sealer.unwrap', () => services.sealer.unwrap(wrapped, owner)),
      rewrap: (wrapped, owner) => services.sealer.rewrap(wrapped, owner),
    },
    redactor: markingRedactor,
    outgoing: outgoingOf(services.hooks, line),
    remotes: remotesOf(services.outside, line, network.chance),
    toolServers: noToolServers,
    effects: effectsOf(services.outside, line),
    grants: {
      allows: (...asked) => line.call('grants.allows', () => services.grants.allows(...asked)),
    },
    queue: { enqueue: (wakeUp) => line.call('queue.enqueue', () => queue.enqueue(wakeUp)) },
    clock,
    ids,
    log,
    settings,
  };
}

/** Timers die with their process, and remember what they were set for. */
function clockOf(clock: Clock, caller: Caller, skew: Millis): Clock {
  const after: Clock['after'] = (span, callback) => {
    const from = operations.getStore();
    return clock.after(span, () => {
      if (!caller.alive) return;
      if (from === undefined) callback();
      else operations.run(from, callback);
    });
  };
  return {
    // Documents hold whole milliseconds.
    now: () => Math.floor(clock.now()) + skew,
    after,
    sleep: (span, signal) =>
      new Promise((resolve) => {
        const end = (): void => {
          cancel();
          signal?.removeEventListener('abort', end);
          if (caller.alive) resolve();
        };
        const cancel = after(span, end);
        if (signal?.aborted) end();
        else signal?.addEventListener('abort', end);
      }),
  };
}

function backendOf(backend: Backend, line: Line): Backend {
  return {
    read: (paths) => line.call('backend.read', () => backend.read(paths)),
    commit: (checks, writes) => line.call('backend.commit', () => backend.commit(checks, writes)),
    query: (query, after) => line.call('backend.query', () => backend.query(query, after)),
    count: (query) => line.call('backend.count', () => backend.count(query)),
    async *follow(query: RowQuery, after: Position | undefined, signal: AbortSignal) {
      for await (const rows of backend.follow(query, after, signal)) {
        // News take their time, too, and the connection that brings them may break.
        await line.call('backend.follow', () => Promise.resolve());
        if (signal.aborted) return;
        yield rows;
      }
    },
    async *watch(path: string, signal: AbortSignal) {
      for await (const row of backend.watch(path, signal)) {
        await line.call('backend.watch', () => Promise.resolve());
        if (signal.aborted) return;
        yield row;
      }
    },
    close: () => Promise.resolve(),
  };
}

function blobsOf(blobs: Blobs, line: Line): Blobs {
  return {
    get: (name) => line.call('blobs.get', () => blobs.get(name)),
    getStream: (name, range) => line.call('blobs.getStream', () => blobs.getStream(name, range)),
    put: (name, body, write) => line.call('blobs.put', () => blobs.put(name, body, write)),
    putStream: (name, body, write) =>
      line.call('blobs.putStream', () => blobs.putStream(name, body, write)),
    delete: (name) => blobs.delete(name),
    list: (prefix, limit, after) => blobs.list(prefix, limit, after),
  };
}

function workspacesOf(below: Workspaces, line: Line): Workspaces {
  return {
    async open(...given) {
      const workspace = await line.call('workspaces.open', () => below.open(...given));
      return {
        folder: workspace.folder,
        save: (...saved) => line.call('workspaces.save', () => workspace.save(...saved)),
        close: () => workspace.close(),
      };
    },
    look: (...given) => line.call('workspaces.look', () => below.look(...given)),
    history: (...given) => line.call('workspaces.history', () => below.history(...given)),
    read: (...given) => line.call('workspaces.read', () => below.read(...given)),
    merge: (...given) => line.call('workspaces.merge', () => below.merge(...given)),
    prune: (...given) => line.call('workspaces.prune', () => below.prune(...given)),
    archive: (...given) => line.call('workspaces.archive', () => below.archive(...given)),
    publish: (...given) => line.call('workspaces.publish', () => below.publish(...given)),
    discard: (...given) => line.call('workspaces.discard', () => below.discard(...given)),
    sweep: (...given) => line.call('workspaces.sweep', () => below.sweep(...given)),
    remove: (...given) => line.call('workspaces.remove', () => below.remove(...given)),
  };
}
