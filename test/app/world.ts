import type { DefinedAgent } from '../../shared/agent/index.ts';
import type { App, Idempotency, Installation } from '../../shared/app/app.ts';
import { tellTarget } from '../../shared/app/notices/tell-target.ts';
import { handleWakeUp } from '../../shared/app/worker/handle-wake-up.ts';
import type { Accepted, SendRequest, TaskService } from '../../shared/app/service.ts';
import { localLane } from '../../shared/app/worker/local-lane.ts';
import { places } from '../../testing/places.ts';
import { createTaskService } from '../../shared/app/tasks/task-service.ts';
import type { AgentName, Principal } from '../../shared/domain/ids.ts';
import type { Part } from '../../shared/domain/message.ts';
import type { Notices } from '../../shared/app/notices.ts';
import type { PriceTable } from '../../shared/domain/prices.ts';
import { isRefused, type Refused } from '../../shared/domain/refusal.ts';
import { defaults, type Settings } from '../../shared/domain/settings.ts';
import type { Task } from '../../shared/domain/task.ts';
import type { Traceparent } from '../../shared/domain/trace-context.ts';
import type { Backend } from '../../shared/ports/backend.ts';
import type { Blobs } from '../../shared/ports/blobs.ts';
import type { Metrics } from '../../shared/ports/metrics.ts';
import type { WakeUp } from '../../shared/ports/queue.ts';
import type { Grants } from '../../shared/ports/grants.ts';
import type { Redactor } from '../../shared/ports/redactor.ts';
import type { OutgoingHttp } from '../../shared/ports/outgoing-http.ts';
import type { RemoteAgents } from '../../shared/ports/remote-agents.ts';
import type { Sealer } from '../../shared/ports/sealer.ts';
import type { Strays } from '../../shared/ports/strays.ts';
import type { ToolServers } from '../../shared/ports/tool-servers.ts';
import type { Tracer } from '../../shared/ports/tracer.ts';
import type { Workspaces } from '../../shared/ports/workspaces.ts';
import { isIsolated, isolatedInMemory } from '../doubles/isolated-agent.ts';
import { memoryApp } from '../../testing/memory-app.ts';
import { MemoryBackend } from '../../testing/memory-backend.ts';
import { MemoryBlobs } from '../../testing/memory-blobs.ts';
import { memorySealer } from '../../testing/memory-sealer.ts';
import { markingRedactor } from '../doubles/marking-redactor.ts';
import { noGrants, noOutgoing, noRemotes } from '../../testing/no-remotes.ts';
import { noToolServers } from '../../functions/no-tool-servers.ts';
import { MemoryWorkspaces } from '../../testing/memory-workspaces.ts';
import { seededIds } from '../../testing/seeded-ids.ts';
import { settled, VirtualClock } from '../../testing/virtual-clock.ts';

export interface WorldOptions {
  readonly settings?: Partial<Settings>;
  readonly idempotency?: Idempotency;
  readonly prices?: PriceTable;
  readonly installation?: Installation;
  readonly sealer?: Sealer;
  readonly redactor?: Redactor;
  readonly tracer?: Tracer;
  readonly metrics?: Metrics;
  readonly strays?: Strays;
  readonly remotes?: RemoteAgents;
  readonly outgoing?: OutgoingHttp;
  readonly toolServers?: ToolServers;
  readonly grants?: Grants;
  readonly baseUrl?: string;
  readonly notices?: Notices;
  /** How many runs it claims at once as it accepts them; absent: none. */
  readonly lane?: number;
  /** Another process over the same rows and objects. */
  readonly below?: World;
  /** Who calls; an anonymous caller unless it is said. */
  readonly caller?: Omit<Principal, 'agent'>;
  /** Of its ids; of more than two processes over the same rows each needs its own. */
  readonly seed?: number;
  /** What the store works on, over the memory backend. */
  readonly wrap?: (backend: Backend) => Backend;
  readonly wrapBlobs?: (blobs: Blobs) => Blobs;
  readonly wrapWorkspaces?: (workspaces: Workspaces) => Workspaces;
}

/** One process over memory: time moves and wake-ups arrive only when a test says so. */
export class World {
  readonly clock = new VirtualClock();
  readonly backend: MemoryBackend;
  readonly blobs: MemoryBlobs;
  readonly workspaces: MemoryWorkspaces;
  readonly sealer: Sealer;
  /** Wake-ups that were handed over and not yet delivered. */
  readonly queue: WakeUp[] = [];
  readonly logged: {
    readonly event: string;
    readonly fields: unknown;
    readonly trace?: Traceparent;
  }[] = [];
  readonly app: App;
  readonly service: TaskService;
  readonly principal: Principal;

  constructor(agent: DefinedAgent, options: WorldOptions = {}) {
    const ids = seededIds(options.seed ?? (options.below === undefined ? 1 : 2));
    this.backend = options.below?.backend ?? new MemoryBackend();
    this.blobs = options.below?.blobs ?? new MemoryBlobs(this.clock);
    this.sealer = options.sealer ?? options.below?.sealer ?? memorySealer(ids);
    const { clock } = this;
    this.workspaces = new MemoryWorkspaces(
      () => clock.now(),
      this.blobs,
      options.below?.workspaces.repositories,
    );
    const blobs = options.wrapBlobs?.(this.blobs) ?? this.blobs;
    const settings = { ...defaults, ...options.settings };
    const ports = {
      backend: options.wrap?.(this.backend) ?? this.backend,
      blobs,
      workspaces: options.wrapWorkspaces?.(this.workspaces) ?? this.workspaces,
      clock,
      ids,
      settings,
      sealer: this.sealer,
      redactor: options.redactor ?? markingRedactor,
      remotes: options.remotes ?? noRemotes,
      outgoing: options.outgoing ?? noOutgoing,
      toolServers: options.toolServers ?? noToolServers,
      grants: options.grants ?? noGrants,
      ...(options.tracer !== undefined && { tracer: options.tracer }),
      ...(options.metrics !== undefined && { metrics: options.metrics }),
      ...(options.strays !== undefined && { strays: options.strays }),
      queue: { enqueue: (wakeUp: WakeUp) => Promise.resolve(void this.queue.push(wakeUp)) },
      log: {
        write: (_level: string, event: string, fields?: unknown, trace?: Traceparent) =>
          void this.logged.push({ event, fields, ...(trace !== undefined && { trace }) }),
      },
    };
    const published = isIsolated() ? isolatedInMemory(agent, { ...options, ...ports }) : agent;
    const agents = {
      get: (name: AgentName) => (name === agent.name ? published : undefined),
      all: [published],
    };
    this.app = memoryApp(ports, agents, {
      idempotency: options.idempotency ?? 'authenticated',
      installation: options.installation ?? { answer: 'metadata', audit: 'metadata' },
      baseUrl: options.baseUrl,
      notices: options.notices,
      tellTarget,
      ...(options.prices && { prices: options.prices }),
    });
    this.service = createTaskService(
      this.app,
      options.lane === undefined ? undefined : localLane(places(options.lane)),
    );
    const anonymous = { tenant: '', owner: '', authenticated: false };
    this.principal = { agent: agent.name, ...(options.caller ?? anonymous) };
  }

  /** Sends a text; refused sends throw. */
  async send(
    text: string,
    over: Partial<SendRequest> & { readonly messageId?: string } = {},
  ): Promise<Accepted> {
    const sent = await this.trySend([{ text }], over);
    if (sent.kind === 'accepted') return sent;
    throw new Error(`not accepted: ${JSON.stringify(sent)}`);
  }

  trySend(
    parts: readonly Part[],
    over: Partial<SendRequest> & { readonly messageId?: string } = {},
  ) {
    const { messageId = this.app.ids.uuid(), ...request } = over;
    return this.service.send(this.principal, {
      message: { messageId, role: 'user', parts },
      ...request,
    });
  }

  /**
   * Delivers what is due until nothing is; a delivery that comes to rest on the clock is left
   * there.
   */
  async work(): Promise<void> {
    for (let next = this.take(); next !== undefined; next = this.take()) {
      void handleWakeUp(this.app, next);
      await this.rest();
    }
  }

  private take(): WakeUp | undefined {
    const at = this.queue.findIndex((wakeUp) => wakeUp.at <= this.clock.now());
    return at < 0 ? undefined : this.queue.splice(at, 1)[0];
  }

  /** Lets everything happen that needs no time. */
  async rest(): Promise<void> {
    for (let turn = 0; turn < 20; turn += 1) await settled();
  }

  async get(id: string): Promise<Task> {
    const task = await this.service.get(this.principal, id);
    if (isRefused(task)) throw new Error(task.code);
    return task;
  }

  async state(id: string): Promise<string> {
    return (await this.get(id)).status.state;
  }

  async code(answer: Promise<unknown>): Promise<Refused['code'] | undefined> {
    const value = await answer;
    return isRefused(value) ? value.code : undefined;
  }
}

/** A promise that a test opens. */
export function latch(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}
