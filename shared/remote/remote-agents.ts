import type { Remote } from '../domain/remote.ts';
import type { Log } from '../ports/log.ts';
import type { RemoteAgents } from '../ports/remote-agents.ts';
import type { Called } from './called.ts';
import type { Calls, CallsOptions, Use } from './calls.ts';
import { type AllowPrivate } from '../outgoing/address-guard.ts';
import { type Resolve, resolveBySystem } from '../outgoing/connect.ts';
import { cancelOutcome, pollOutcome, sendOutcome } from './outcomes.ts';

export interface RemoteAgentsOptions extends Pick<CallsOptions, 'secrets' | 'clock' | 'timeout'> {
  readonly log: Log;
  /**
   * Hosts that may have private addresses and speak plain http: for local use. None unless given.
   */
  readonly allowPrivate?: AllowPrivate;
  /** Authorities to trust instead of the system's. */
  readonly ca?: string;
  readonly resolve?: Resolve;
}

/** Remote agents over HTTP, by either binding of A2A v1.0 or v0.3 as the card says. */
export function createRemoteAgents(options: RemoteAgentsOptions): RemoteAgents {
  const { log, allowPrivate = false, resolve = resolveBySystem, ...rest } = options;
  const { clock } = options;
  let loaded: Promise<{ sdk: typeof import('./sdk.ts'); calls: Calls }> | undefined;
  const load = () => {
    loaded ??= import('./sdk.ts').then((sdk) => ({
      sdk,
      calls: new sdk.Calls({ ...rest, allowPrivate, resolve }),
    }));
    return loaded;
  };

  /** One call and one line about it: no ids, no words. */
  const call = async <T>(
    what: string,
    remote: Remote,
    useOf: (sdk: typeof import('./sdk.ts')) => Use<T>,
    signal: AbortSignal | undefined,
  ): Promise<Called<T>> => {
    const began = clock.now();
    const { sdk, calls } = await load();
    const called = await calls.call(remote, useOf(sdk), signal);
    const fields = { remote: remote.name, call: what, outcome: called.kind };
    const ms = clock.now() - began;
    if (called.kind === 'result') {
      log.write('debug', 'remote answered', { ...fields, ms, bytes: called.bytes });
    } else {
      const { advice, code, reason, retryAfter } = called.failure;
      log.write('warning', 'remote did not answer', {
        ...fields,
        ms,
        reason,
        code,
        retryAfter,
        advice,
      });
    }
    return called;
  };

  return {
    async send(remote, outgoing, signal) {
      const called = await call('send', remote, (sdk) => sdk.sendMessage(outgoing), signal);
      return sendOutcome(called, outgoing.contextId);
    },
    async poll(remote, remoteTask, signal) {
      const called = await call('look', remote, (sdk) => sdk.getTask(remoteTask), signal);
      return pollOutcome(called, remoteTask);
    },
    async find(remote, contextId, signal) {
      const called = await call('find', remote, (sdk) => sdk.listTasks(contextId), signal);
      return called.kind === 'result' ? called.value : undefined;
    },
    async cancel(remote, remoteTask, signal) {
      const called = await call('cancel', remote, (sdk) => sdk.cancelTask(remoteTask), signal);
      return cancelOutcome(called, remoteTask);
    },
  };
}
