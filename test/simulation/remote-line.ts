import type { Ids } from '../../shared/ports/ids.ts';
import type { RemoteAgents } from '../../shared/ports/remote-agents.ts';
import { type Line, Undelivered } from './line.ts';
import type { Effect, RemoteWorld } from './remote-world.ts';

/** What the tools of an agent do outside. */
export type Effects = (effect: Effect) => Promise<void>;

/**
 * Remote agents as one process reaches them. A message that did not arrive may be known not to have
 * left, or not; one whose answer was lost, or that is still on its way, has an unknown outcome.
 */
export function remotesOf(remotes: RemoteWorld, line: Line, chance: Ids): RemoteAgents {
  const lost = (error: unknown) =>
    error instanceof Undelivered && chance.random() < 0.5
      ? ({ kind: 'not_sent', reason: 'connection refused' } as const)
      : ({ kind: 'outcome_unknown', reason: 'timeout' } as const);
  return {
    send: ({ name }, outgoing) =>
      line
        .call(
          'remote.send',
          now(() => remotes.send(name, outgoing)),
        )
        .catch(lost),
    poll: (_, remoteTask) =>
      line
        .call(
          'remote.look',
          now(() => remotes.look(remoteTask)),
        )
        .catch(() => ({ kind: 'failed', reason: 'timeout' }) as const),
    find: ({ name }, contextId) =>
      line
        .call(
          'remote.find',
          now(() => remotes.find(name, contextId)),
        )
        .catch(() => undefined),
    cancel: (_, remoteTask) =>
      line
        .call(
          'remote.cancel',
          now(() => remotes.cancel(remoteTask)),
        )
        .catch(lost),
  };
}

export function effectsOf(remotes: RemoteWorld, line: Line): Effects {
  return (effect) =>
    line.call(
      'remote.effect',
      now(() => remotes.effect(effect)),
    );
}

/** Happens in the turn in which it arrives. */
const now =
  <T>(effect: () => T) =>
  (): Promise<T> =>
    Promise.resolve(effect());
