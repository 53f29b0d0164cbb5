import type { Agents } from './agents.ts';
import type { Ports } from '../ports/index.ts';
import type { KeyRing } from './key-ring.ts';
import type { Segments } from './segments.ts';

/** Which callers' retries are recognised by their messageId (G22). */
export type Idempotency = 'authenticated' | 'always' | 'off';

/** Everything a use case works with. */
export interface App extends Ports {
  readonly agents: Agents;
  readonly keys: KeyRing;
  readonly segments: Segments;
  readonly idempotency: Idempotency;
}
