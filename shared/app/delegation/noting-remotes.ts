import type { CallFailure, RemoteAgents } from '../../ports/remote-agents.ts';
import type { Circuits } from '../circuits.ts';
import { BUSY } from './sends.ts';

/**
 * Remote agents of which each message and each poll is noted: that it was answered, or why not. A
 * fault of our own configuration says nothing about the remote.
 */
export function notingRemotes(remotes: RemoteAgents, circuits: Circuits): RemoteAgents {
  return {
    async find(remote, ...given) {
      const found = await remotes.find(remote, ...given);
      // Nothing is said by one that can't list its tasks, and nothing by one that does not answer.
      if (found !== undefined) await circuits.note(remote, undefined);
      return found;
    },
    cancel: (...given) => remotes.cancel(...given),
    async send(remote, ...given) {
      const outcome = await remotes.send(remote, ...given);
      switch (outcome.kind) {
        case 'not_sent':
        case 'outcome_unknown':
          await noteFailure(remote, outcome);
          break;
        case 'refused':
          await circuits.note(remote, outcome.reason === BUSY ? outcome.reason : undefined);
          break;
        case 'acknowledged':
        case 'replied':
          await circuits.note(remote, undefined);
      }
      return outcome;
    },
    async poll(remote, ...given) {
      const outcome = await remotes.poll(remote, ...given);
      if (outcome.kind === 'failed') await noteFailure(remote, outcome);
      else await circuits.note(remote, undefined);
      return outcome;
    },
  };

  async function noteFailure(
    remote: Parameters<Circuits['note']>[0],
    { advice, reason }: CallFailure,
  ): Promise<void> {
    if (advice === undefined) await circuits.note(remote, reason);
  }
}
