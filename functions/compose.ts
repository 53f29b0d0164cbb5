import type { App, Idempotency, Installation } from '../shared/app/app.ts';
import type { Agents } from '../shared/app/agents.ts';
import { createKeyRing } from '../shared/app/key-ring.ts';
import { notingRemotes } from '../shared/app/delegation/noting-remotes.ts';
import { createCircuits } from '../shared/app/records/circuits.ts';
import { createPausedAgents } from '../shared/app/records/paused-agents.ts';
import { createShards } from '../shared/app/records/shards.ts';
import { createFormatGate } from '../shared/app/records/write-format.ts';
import { HostPlaces } from '../shared/app/host-places.ts';
import { createSegments } from '../shared/app/segments.ts';
import type { Notices } from '../shared/app/notices.ts';
import type { PriceTable } from '../shared/domain/prices.ts';
import type { Ports } from '../shared/ports/index.ts';
import type { Signer } from '../shared/ports/signer.ts';

export interface Policies {
  readonly idempotency: Idempotency;
  readonly installation: Installation;
  /** What models cost, where their agents do not say it. */
  readonly prices?: PriceTable;
  /** Where remote agents reach the A2A function; without it they are not asked to push. */
  readonly baseUrl?: string | undefined;
  /** Signs what webhooks are told. */
  readonly signer?: Signer | undefined;
  /** Whom the operators want told. */
  readonly notices?: Notices | undefined;
  readonly tellTarget?: App['tellTarget'];
  /** Several functions, of perhaps several versions, share the rows. */
  readonly shared?: boolean;
}

/** The application over a set of ports; one for each process. */
export function composeApp(ports: Ports, agents: Agents, policies: Policies): App {
  const {
    baseUrl,
    idempotency,
    installation,
    notices,
    prices,
    shared = false,
    signer,
    tellTarget,
  } = policies;
  const circuits = createCircuits(ports);
  return {
    ...ports,
    remotes: notingRemotes(ports.remotes, circuits),
    circuits,
    agents,
    idempotency,
    installation,
    ...(baseUrl !== undefined && { baseUrl }),
    ...(prices && { prices }),
    ...(signer !== undefined && { signer }),
    ...(notices !== undefined && { notices }),
    ...(tellTarget !== undefined && { tellTarget }),
    ...(shared && { format: createFormatGate(ports.store) }),
    keys: createKeyRing(ports.sealer, ports.clock),
    segments: createSegments(),
    hostPlaces: new HostPlaces(ports.clock, ports.settings),
    shards: createShards(ports),
    pausedAgents: createPausedAgents(ports),
  };
}
