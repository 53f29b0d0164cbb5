import type { Settings } from '../domain/settings.ts';
import type { Blobs } from './blobs.ts';
import type { Clock } from './clock.ts';
import type { Grants } from './grants.ts';
import type { Ids } from './ids.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { OutgoingHttp } from './outgoing-http.ts';
import type { Queue } from './queue.ts';
import type { Redactor } from './redactor.ts';
import type { RemoteAgents } from './remote-agents.ts';
import type { Sealer } from './sealer.ts';
import type { Store } from './store.ts';
import type { Strays } from './strays.ts';
import type { ToolServers } from './tool-servers.ts';
import type { Tracer } from './tracer.ts';
import type { Workspaces } from './workspaces.ts';

/** Everything the use cases reach the world through. */
export interface Ports {
  readonly store: Store;
  readonly blobs: Blobs;
  readonly workspaces: Workspaces;
  readonly queue: Queue;
  readonly sealer: Sealer;
  readonly redactor: Redactor;
  readonly remotes: RemoteAgents;
  readonly outgoing: OutgoingHttp;
  readonly toolServers: ToolServers;
  readonly grants: Grants;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly settings: Settings;
  /** Absent: tracing is off. */
  readonly tracer?: Tracer;
  /** Absent: nothing is measured. */
  readonly metrics?: Metrics;
  /** Absent: an error that nothing catches ends the process. */
  readonly strays?: Strays;
}
