import type { ToolServers } from '../../shared/ports/tool-servers.ts';

/** A world without servers of tools. */
export const noToolServers: ToolServers = {
  list: () => Promise.resolve({ kind: 'away', reason: 'dns' }),
  call: () => Promise.resolve({ kind: 'not_sent', reason: 'dns' }),
  close: () => Promise.resolve(),
};
