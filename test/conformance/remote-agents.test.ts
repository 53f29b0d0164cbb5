import { createRemoteAgents } from '../../shared/remote/remote-agents.ts';
import { MemoryRemoteAgents } from '../../testing/memory-remote-agents.ts';
import { VirtualClock } from '../../testing/virtual-clock.ts';
import { servePeer } from '../fixtures/remotes/peer-server.ts';
import { remoteAt } from '../fixtures/remotes/remote.ts';
import { remoteAgentsSuite } from './remote-agents.suite.ts';

remoteAgentsSuite('in memory', async (peer) => ({
  agents: new MemoryRemoteAgents(peer),
  remote: remoteAt('https://peer.example/card'),
  reach: async (reachable) => {
    peer.reachable = reachable;
  },
  close: async () => {},
}));

for (const binding of ['JSONRPC', 'HTTP+JSON'] as const) {
  remoteAgentsSuite(binding, async (peer) => {
    const { card, start, stop } = await servePeer(peer, binding);
    const agents = createRemoteAgents({
      secrets: () => undefined,
      clock: new VirtualClock(),
      timeout: 30_000,
      allowPrivate: ['127.0.0.1'],
      log: { write: () => undefined },
    });
    const reach = (reachable: boolean) => (reachable ? start() : stop());
    return { agents, remote: remoteAt(card), reach, close: stop };
  });
}
