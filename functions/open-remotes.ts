import type { RemoteAgents } from '../shared/ports/remote-agents.ts';

/** Remote agents, reached through the SDK's client. */
export function openRemotes(): RemoteAgents {
  const reason = 'not connected';
  return {
    send: () => Promise.resolve({ kind: 'not_sent', reason }),
    look: () => Promise.resolve({ kind: 'failed', reason }),
    find: () => Promise.resolve(undefined),
    cancel: () => Promise.resolve({ kind: 'not_sent', reason }),
  };
}
