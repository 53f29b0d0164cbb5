import type { Millis } from '../../shared/domain/brand.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import { Unavailable } from '../../shared/ports/faults.ts';
import type { Ids } from '../../shared/ports/ids.ts';
import type { FaultPlan, PortName } from './faults.ts';
import { type Operation, operations } from './operation.ts';

/**
 * It never got there, nor will it. Who called knows no more than that there is no answer, unless
 * its service can tell.
 */
export class Undelivered extends Unavailable {}

/** A process as its services see it. */
export interface Caller {
  readonly id: number;
  readonly alive: boolean;
  crash(): void;
}

/** What all lines of a world share. */
export interface Network {
  readonly clock: Clock;
  readonly chance: Ids;
  readonly plan: FaultPlan;
  /** The slowest that a call may be. */
  readonly slow: Millis;
  calls: number;
  /** Until when each service is not to be reached, by its name. */
  readonly outages: Map<string, Millis>;
  /** The operation whose effect is happening right now. */
  current: Operation | undefined;
  trace(line: string): void;
}

/**
 * The line from one process to its services. A call takes a while, so calls overtake each other; it
 * may fail or take the process with it. What a dead process had sent may still arrive, but it hears
 * of nothing any more.
 */
export class Line {
  readonly #network: Network;
  readonly #caller: Caller;

  constructor(network: Network, caller: Caller) {
    this.#network = network;
    this.#caller = caller;
  }

  call<T>(port: PortName, effect: () => Promise<T>): Promise<T> {
    const from = operations.getStore();
    const act = (): Promise<T> => {
      this.#network.current = from;
      try {
        return effect();
      } finally {
        this.#network.current = undefined;
      }
    };
    return new Promise((resolve, reject) => {
      if (!this.#caller.alive) return;
      this.#network.clock.after(this.#latency(), () => {
        if (this.#caller.alive) this.#arrive(port, act, resolve, reject);
        else if (this.#network.chance.random() < 0.5) void act().catch(() => undefined);
      });
    });
  }

  #arrive<T>(
    port: PortName,
    act: () => Promise<T>,
    resolve: (value: T) => void,
    reject: (error: unknown) => void,
  ): void {
    const network = this.#network;
    network.calls += 1;
    const [service = port] = port.split('.');
    const out = network.clock.now() < (network.outages.get(service) ?? 0);
    const unlucky = network.chance.random() < 0.5 ? 'fail-before' : 'fail-after';
    const planned = network.plan.get(network.calls);
    if (planned === 'outage') {
      network.outages.set(service, network.clock.now() + 700 + network.chance.random() * 1_900);
    }
    const fault = planned === 'outage' || (planned === undefined && out) ? unlucky : planned;
    network.trace(`#${network.calls} p${this.#caller.id} ${port} ${fault ?? ''}`);
    // Made only when it is needed: each one records a stack.
    const lost = (): Unavailable => new Unavailable(port);
    switch (fault) {
      case undefined:
        void act().then(resolve, reject);
        return;
      case 'fail-before':
        reject(new Undelivered(port));
        return;
      case 'fail-after':
        void act().then(() => reject(lost()), reject);
        return;
      case 'fail-late':
        reject(lost());
        network.clock.after(network.chance.random() * 900, () => void act().catch(() => undefined));
        return;
      case 'crash-before':
        this.#caller.crash();
        return;
      case 'crash-after':
        void act().catch(() => undefined);
        this.#caller.crash();
        return;
      default:
        fault satisfies never;
    }
  }

  #latency(): Millis {
    const { chance, slow } = this.#network;
    const usual = 0.1 + chance.random() * 1.9;
    return chance.random() < 0.03 ? usual + chance.random() * slow : usual;
  }
}
