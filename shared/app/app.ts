import type { Ceiling } from '../domain/ceiling.ts';
import type { Agents } from './agents.ts';
import type { PriceTable } from '../domain/prices.ts';
import type { Traceparent } from '../domain/trace-context.ts';
import type { Ports } from '../ports/index.ts';
import type { Signer } from '../ports/signer.ts';
import type { Notices } from './notices.ts';
import type { Circuits } from './circuits.ts';
import type { KeyRing } from './key-ring.ts';
import type { PausedAgents } from './paused-agents.ts';
import type { HostPlaces } from './host-places.ts';
import type { Segments } from './segments.ts';
import type { Shards } from './shards.ts';

/** Which callers' retries are recognised by their messageId (G22). */
export type Idempotency = 'authenticated' | 'always' | 'off';

export interface Installation {
  /** `metadata` is the default and keeps full answers (docs/privacy.md). */
  readonly answer: Ceiling;
  readonly audit: Ceiling;
}

/**
 * Which version of the rows may be written: a fact of the store, where several functions read them.
 */
export interface FormatGate {
  allows(version: number): Promise<boolean>;
}

/** Everything a use case works with. */
export interface App extends Ports {
  readonly agents: Agents;
  readonly keys: KeyRing;
  readonly segments: Segments;
  /** How many posts to webhooks this process has on their way, by host. */
  readonly hostPlaces: HostPlaces;
  readonly shards: Shards;
  readonly pausedAgents: PausedAgents;
  readonly circuits: Circuits;
  readonly idempotency: Idempotency;
  /** Where the clock needs a second witness before anything goes by it; absent: it is believed. */
  readonly steadyTime?: () => Promise<boolean>;
  /** What this installation may keep at most. */
  readonly installation: Installation;
  /** Absent where one process reads and writes everything. */
  readonly format?: FormatGate;
  /** What models cost, where their agents do not say it. */
  readonly prices?: PriceTable;
  /** Where remote agents reach the A2A function; absent: they are not asked to push. */
  readonly baseUrl?: string;
  /** Signs what webhooks are told; absent: it is not signed. */
  readonly signer?: Signer;
  /** Whom the operators want told of what waits for them; absent: no one. */
  readonly notices?: Notices;
  /** Tells one of them; absent where that is not done, so that nothing of it is loaded. */
  readonly tellTarget?: (app: App, target: string) => Promise<void>;
  /** The span that the work at hand is part of; see `within`. */
  readonly trace?: Traceparent;
}
