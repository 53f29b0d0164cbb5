import type { Grants } from '../shared/ports/grants.ts';
import type { OutgoingHttp } from '../shared/ports/outgoing-http.ts';
import type { RemoteAgents } from '../shared/ports/remote-agents.ts';
import { noToolServers } from '../functions/no-tool-servers.ts';
import { noWorkspaces } from './no-workspaces.ts';

const absent = { reason: 'dns' } as const;

/** A world in which we are alone. */
export const noRemotes: RemoteAgents = {
  send: () => Promise.resolve({ kind: 'not_sent', ...absent }),
  poll: () => Promise.resolve({ kind: 'failed', ...absent }),
  find: () => Promise.resolve(undefined),
  cancel: () => Promise.resolve({ kind: 'not_sent', ...absent }),
};

/** Any URL will do, and nothing answers. */
export const noOutgoing: OutgoingHttp = {
  objectionTo: () => undefined,
  send: () => Promise.resolve({ kind: 'not_sent', ...absent }),
};

export const noGrants: Grants = { allows: () => Promise.resolve(false) };

/** All of them, for a world that is about something else. */
export const alone = {
  remotes: noRemotes,
  outgoing: noOutgoing,
  toolServers: noToolServers,
  grants: noGrants,
  workspaces: noWorkspaces,
};
