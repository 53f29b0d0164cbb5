import type { Clock } from '../shared/ports/clock.ts';
import type { Log } from '../shared/ports/log.ts';
import { optional } from '../shared/ports/optional-package.ts';
import type { ToolServers } from '../shared/ports/tool-servers.ts';
import { secretsFrom } from './open-remotes.ts';

export interface ToolServersOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Hosts that may have private addresses, and speak plain http. */
  readonly remotePrivate: readonly string[];
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Servers of tools by the Model Context Protocol. Nothing of it, and not its client, is loaded
 * before an agent that declares one takes a step: a server that is away stops no start.
 */
export function openToolServers(options: ToolServersOptions): ToolServers {
  const { clock, environment, log, remotePrivate } = options;
  let opened: Promise<ToolServers> | undefined;
  const open = (): Promise<ToolServers> => {
    opened ??= optional(import('../shared/mcp/tool-servers.ts')).then(({ createToolServers }) =>
      createToolServers({
        secrets: secretsFrom(environment),
        allowPrivate: remotePrivate,
        environment,
        clock,
        log,
      }),
    );
    return opened;
  };
  return {
    list: async (server, signal) => (await open()).list(server, signal),
    call: async (server, tool, given, signal) => (await open()).call(server, tool, given, signal),
    close: async () => (await opened)?.close(),
  };
}
