import type { App, Idempotency } from '../shared/app/app.ts';
import type { Agents } from '../shared/app/agents.ts';
import { createKeyRing } from '../shared/app/key-ring.ts';
import { createSegments } from '../shared/app/segments.ts';
import type { Ports } from '../shared/ports/index.ts';

/** The application over a set of ports; one for each process. */
export function composeApp(ports: Ports, agents: Agents, idempotency: Idempotency): App {
  return {
    ...ports,
    agents,
    idempotency,
    keys: createKeyRing(ports.sealer),
    segments: createSegments(),
  };
}
