import type { App, Idempotency, Installation } from '../shared/app/app.ts';
import type { Agents } from '../shared/app/agents.ts';
import { createKeyRing } from '../shared/app/key-ring.ts';
import { createSegments } from '../shared/app/segments.ts';
import type { Ports } from '../shared/ports/index.ts';

export interface Policies {
  readonly idempotency: Idempotency;
  readonly installation: Installation;
}

/** The application over a set of ports; one for each process. */
export function composeApp(ports: Ports, agents: Agents, policies: Policies): App {
  const { idempotency, installation } = policies;
  return {
    ...ports,
    agents,
    idempotency,
    installation,
    keys: createKeyRing(ports.sealer),
    segments: createSegments(),
  };
}
