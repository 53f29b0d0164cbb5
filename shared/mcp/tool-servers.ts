import type { ToolServer } from '../domain/tool-server.ts';
import type { ToolServers } from '../ports/tool-servers.ts';
import { type Resolve, resolveBySystem } from '../outgoing/connect.ts';
import type { ConnectionOptions } from './connection.ts';
import { ServerSession } from './server-session.ts';

export interface ToolServersOptions extends Omit<ConnectionOptions, 'resolve'> {
  readonly resolve?: Resolve;
}

/**
 * Servers of tools by the Model Context Protocol. Each has one connection in this process, which is
 * opened at its first use, and closed when it is not used.
 */
export function createToolServers({
  resolve = resolveBySystem,
  ...rest
}: ToolServersOptions): ToolServers {
  const sessions = new Map<ToolServer, ServerSession>();
  const sessionOf = (server: ToolServer): ServerSession => {
    const known = sessions.get(server);
    if (known !== undefined) return known;
    const session = new ServerSession(server, { ...rest, resolve });
    sessions.set(server, session);
    return session;
  };
  return {
    list: (server, signal) => sessionOf(server).list(signal),
    call: (server, tool, given, signal) => sessionOf(server).call(tool, given, signal),
    async close() {
      await Promise.all([...sessions.values()].map((session) => session.close()));
      sessions.clear();
    },
  };
}
