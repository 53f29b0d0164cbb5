import type { RemoteAgents } from '../shared/ports/remote-agents.ts';
import type { Effect } from './effects.ts';
import type { MemoryBackend } from './memory-backend.ts';
import { allRuns } from './rows.ts';

/** Remote agents, whose messages are noted as they may have arrived. */
export function notingRemotes(
  below: RemoteAgents,
  backend: MemoryBackend,
  note: (effect: Effect) => void,
): RemoteAgents {
  return {
    async send(remote, outgoing, signal) {
      const { messageId: callId } = outgoing;
      const run = allRuns(backend).find(
        ({ sending, ...row }) =>
          sending?.sendId === callId || ('dependency' in row && row.dependency.sendId === callId),
      );
      const { agent = '', taskId = '' } = run ?? {};
      const { name } = remote;
      const outcome = await below.send(remote, outgoing, signal);
      // What provably did not arrive may leave again.
      if (outcome.kind !== 'not_sent' && outcome.kind !== 'refused')
        note({ kind: 'message', name, effect: 'once', agent, taskId, callId, attempt: 1 });
      return outcome;
    },
    poll: (...given) => below.poll(...given),
    find: (...given) => below.find(...given),
    cancel: (...given) => below.cancel(...given),
  };
}
