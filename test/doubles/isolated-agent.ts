import { deserialize, serialize } from 'node:v8';
import type { Agent } from '../../shared/app/agents.ts';
import { isolated } from '../../shared/isolation/isolated-agent.ts';
import type { OpenLink } from '../../shared/isolation/messages.ts';
import { serveAgent } from '../../shared/isolation/serve-agent.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { Strays } from '../../shared/ports/strays.ts';
import type { ToolServers } from '../../shared/ports/tool-servers.ts';

/** Whether the worlds of tests have their agents behind the messages of another process. */
export const isIsolated = (): boolean => process.env['HOLDFAST_TEST_ISOLATION'] === '1';

interface Around {
  readonly clock: Clock;
  readonly toolServers: ToolServers;
  readonly strays?: Strays | undefined;
}

/**
 * The agent as it is run in another process, within this one: all that it is given and gives is
 * written and read as between processes.
 */
export function isolatedInMemory<A extends Agent>(agent: A, around: Around): A {
  const { clock, strays, toolServers } = around;
  const open: OpenLink = (_name, heard) => {
    const serve = serveAgent({
      agent: Promise.resolve(agent),
      send: crossing(heard),
      clock,
      ...(strays && { strays }),
      within: (_run, work) => work(),
    });
    return { send: crossing(serve), ended: new Promise(() => undefined), end: () => undefined };
  };
  const bounds = { silence: 30_000, memory: 2 ** 29 };
  // A process that is kept for the next run holds nothing of the last one.
  const idle = { ...clock, after: () => () => undefined };
  return isolated(agent, { open, clock: idle, toolServers, bounds, stray: () => undefined });
}

function crossing<T>(take: (message: T) => void): (message: T) => void {
  return (message) => {
    const copy = deserialize(serialize(message)) as T;
    queueMicrotask(() => take(copy));
  };
}
