import type { App, Idempotency } from '../../shared/app/app.ts';
import { tellTarget } from '../../shared/app/notices/tell-target.ts';
import { handleWakeUp } from '../../shared/app/worker/handle-wake-up.ts';
import { createKeyRing } from '../../shared/app/key-ring.ts';
import { notingRemotes } from '../../shared/app/delegation/noting-remotes.ts';
import { createCircuits } from '../../shared/app/records/circuits.ts';
import { createPausedAgents } from '../../shared/app/records/paused-agents.ts';
import { createShards } from '../../shared/app/records/shards.ts';
import { HostPlaces } from '../../shared/app/host-places.ts';
import { createSegments } from '../../shared/app/segments.ts';
import type { TaskService } from '../../shared/app/service.ts';
import { localLane } from '../../shared/app/worker/local-lane.ts';
import { sweep } from '../../shared/app/worker/sweep.ts';
import { createTaskService } from '../../shared/app/tasks/task-service.ts';
import type { Millis } from '../../shared/domain/brand.ts';
import type { Delivered, WakeUp } from '../../shared/ports/queue.ts';
import type { Caller, Network } from './line.ts';
import { places } from '../../testing/places.ts';
import { simulatedNotices } from './notice-targets.ts';
import { operation, operations } from './operation.ts';
import { portsOf, type Services } from './process-ports.ts';
import { scriptedAgents } from './scripted-agents.ts';
import { tickingAgent } from './ticking-agent.ts';

export interface Manners {
  readonly skew: Millis;
  readonly idempotency: Idempotency;
  /** How many runs it claims at once as it accepts them. */
  readonly lane: number;
  /** It tells operators what waits. */
  readonly notices: boolean;
  /** One of its agents has a schedule. */
  readonly ticks: boolean;
}

/**
 * One process of the product: an App as the product composes it, a sweeper, and a life that may end
 * at any call.
 */
export class Process implements Caller {
  readonly id: number;
  readonly app: App;
  readonly service: TaskService;
  /** Resolves at the crash: a caller that waits for an answer sees the connection break. */
  readonly died: Promise<'lost'>;
  alive = true;
  readonly #network: Network;
  readonly #onCrash: (process: Process) => void;
  #hangUp: (lost: 'lost') => void = () => undefined;

  constructor(
    id: number,
    network: Network,
    services: Services,
    { skew, idempotency, lane, notices, ticks }: Manners,
    onCrash: (process: Process) => void,
  ) {
    this.id = id;
    this.#network = network;
    this.#onCrash = onCrash;
    this.died = new Promise((resolve) => {
      this.#hangUp = resolve;
    });
    const { effects, ...ports } = portsOf(network, services, this, skew);
    const circuits = createCircuits(ports);
    this.app = {
      ...ports,
      remotes: notingRemotes(ports.remotes, circuits),
      agents: {
        ...scriptedAgents(ports.clock, effects),
        ...(ticks && { all: [tickingAgent(ports.clock)] }),
      },
      keys: createKeyRing(ports.sealer, ports.clock),
      segments: createSegments(),
      hostPlaces: new HostPlaces(ports.clock, ports.settings),
      shards: createShards(ports),
      pausedAgents: createPausedAgents(ports),
      circuits,
      idempotency,
      installation: { answer: 'metadata', audit: 'metadata' },
      ...(notices && { notices: simulatedNotices, tellTarget }),
    };
    this.service = createTaskService(this.app, lane === 0 ? undefined : localLane(places(lane)));
  }

  crash(): void {
    if (!this.alive) return;
    this.#network.trace(`   p${this.id} crashed`);
    this.alive = false;
    this.#hangUp('lost');
    this.#onCrash(this);
  }

  /** Handles one wake-up, unless the process dies over it. */
  handle(wakeUp: WakeUp): Promise<Delivered | 'lost'> {
    const delivery = operation('delivery', `deliver ${wakeUp.kind}`, this.id);
    const handled = operations.run(delivery, () => handleWakeUp(this.app, wakeUp));
    return Promise.race([handled, this.died]);
  }

  /** Does what an operator asks for; `lost` when the process dies over it. */
  operate<T>(name: string, call: (app: App) => Promise<T>): Promise<T | 'lost'> {
    const request = operation('operator', name, this.id);
    return Promise.race([operations.run(request, () => call(this.app)), this.died]);
  }

  /** Does a client's call; `lost` when the process dies over it. */
  serve<T>(name: string, call: (service: TaskService) => Promise<T>): Promise<T | 'lost'> {
    const request = operation('client', name, this.id);
    return Promise.race([operations.run(request, () => call(this.service)), this.died]);
  }

  /** Sweeps from now on, at an interval that never falls into step with the other process's. */
  async sweepAlways(): Promise<void> {
    for (;;) {
      const pause = this.app.settings.sweepInterval * (0.7 + this.#network.chance.random() * 0.6);
      await this.app.clock.sleep(pause);
      try {
        await operations.run(operation('sweep', 'sweep', this.id), () => sweep(this.app));
      } catch {
        // A sweep that met a fault is made up for by the next.
      }
    }
  }
}
