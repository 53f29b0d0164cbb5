import type { ListedTool, ToolServers } from '../ports/tool-servers.ts';
import type { Asking } from './asking.ts';

/** Listings that are known again. */
const LISTINGS = 50;

/**
 * The servers of tools of the other process, where their connections are. The same listing is the
 * same object each time: tools are made of it once.
 */
export function askedToolServers(asking: Asking): ToolServers {
  const listings = new Map<number, readonly ListedTool[]>();
  return {
    async list(server, signal) {
      const { number, ...listing } = await asking.ask('listTools', [server], signal);
      if (listing.kind === 'away' || number === undefined) return listing;
      const tools = listings.get(number) ?? listing.tools;
      const [oldest] = listings.keys();
      if (listings.size >= LISTINGS && oldest !== undefined) listings.delete(oldest);
      listings.set(number, tools);
      return { kind: 'tools', tools };
    },
    call: (server, tool, given, signal) => asking.ask('callTool', [server, tool, given], signal),
    close: () => Promise.resolve(),
  };
}
