import type { App, Idempotency, Installation } from '../shared/app/app.ts';
import type { Agents } from '../shared/app/agents.ts';
import { createKeyRing } from '../shared/app/key-ring.ts';
import { createShards } from '../shared/app/records/shards.ts';
import { createSegments } from '../shared/app/segments.ts';
import type { Ports } from '../shared/ports/index.ts';

export interface Policies {
  readonly idempotency: Idempotency;
  readonly installation: Installation;
  /** Where remote agents reach the A2A function; without it they are not asked to push. */
  readonly baseUrl?: string | undefined;
}

/** The application over a set of ports; one for each process. */
export function composeApp(ports: Ports, agents: Agents, policies: Policies): App {
  const { baseUrl, idempotency, installation } = policies;
  return {
    ...ports,
    agents,
    idempotency,
    installation,
    ...(baseUrl !== undefined && { baseUrl }),
    keys: createKeyRing(ports.sealer, ports.clock),
    segments: createSegments(),
    shards: createShards(ports),
  };
}
