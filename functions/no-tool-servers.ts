import type { ToolServers } from '../shared/ports/tool-servers.ts';

const absent = { reason: 'this function calls no tools' } as const;

/** Of a function that runs no segments: it does not carry the client, either. */
export const noToolServers: ToolServers = {
  list: () => Promise.resolve({ kind: 'away', ...absent }),
  call: () => Promise.resolve({ kind: 'not_sent', ...absent }),
  close: () => Promise.resolve(),
};
