import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Settings } from '../shared/domain/settings.ts';
import type { Clock } from '../shared/ports/clock.ts';
import type { Log } from '../shared/ports/log.ts';
import type { RemoteAgents } from '../shared/ports/remote-agents.ts';
import type { Secrets } from '../shared/remote/credential.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface RemotesOptions {
  readonly environment: Environment;
  readonly settings: Pick<Settings, 'remoteCall'>;
  /** Hosts that may have private addresses, and speak plain http. */
  readonly remotePrivate: readonly string[];
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Remote agents over HTTP. Nothing of it is loaded before the first call: most starts of a function
 * make none. A secret is read when the remote whose credential names it is called, so that a new
 * value counts from then on.
 */
export function openRemotes(options: RemotesOptions): RemoteAgents {
  const { clock, environment, log, remotePrivate, settings } = options;
  let opened: Promise<RemoteAgents> | undefined;
  const open = (): Promise<RemoteAgents> => {
    opened ??= import('../shared/remote/remote-agents.ts').then(({ createRemoteAgents }) =>
      createRemoteAgents({
        secrets: secretsFrom(environment),
        allowPrivate: remotePrivate,
        timeout: settings.remoteCall,
        clock,
        log,
      }),
    );
    return opened;
  };
  return {
    send: async (remote, outgoing, signal) => (await open()).send(remote, outgoing, signal),
    poll: async (remote, remoteTask, signal) => (await open()).poll(remote, remoteTask, signal),
    find: async (remote, contextId, signal) => (await open()).find(remote, contextId, signal),
    cancel: async (remote, remoteTask, signal) => (await open()).cancel(remote, remoteTask, signal),
  };
}

/**
 * A deployment mounts each secret as a file, `<name>/value` in the folder HOLDFAST_REMOTE_FILES, so
 * that none is in an environment. Elsewhere it is the environment variable of that name.
 */
export function secretsFrom(environment: Environment): Secrets {
  const folder = environment['HOLDFAST_REMOTE_FILES'];
  const secret = async (name: string): Promise<string | undefined> => {
    if (folder === undefined || basename(name) !== name) return environment[name];
    return readFile(join(folder, name, 'value'), 'utf8').catch(() => environment[name]);
  };
  return Object.assign(secret, { identityToken });
}

/** Nothing of Google's is loaded before a remote wants it. */
async function identityToken(audience: string): Promise<string | undefined> {
  tokens ??= import('../shared/gcp/identity-token.ts').then((module) =>
    module.createIdentityTokens(),
  );
  return (await tokens)(audience);
}

let tokens: Promise<(audience: string) => Promise<string | undefined>> | undefined;

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * `billing.internal,profiler=10.0.0.7:8080`: each for the remotes whose cards are there, or for the
 * one that is named; `loopback` stands for this machine's own names.
 */
export function privateHosts(text: string | undefined): readonly string[] {
  const hosts = (text ?? '').split(',').map((host) => host.trim().toLowerCase());
  return hosts.flatMap((host) => (host === 'loopback' ? LOOPBACK : host === '' ? [] : [host]));
}
