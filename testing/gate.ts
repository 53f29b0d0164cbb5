import type { Engine } from './engine.ts';

/**
 * A place in an agent's code, a tool, a step or a model, where a test holds it: the world goes on
 * meanwhile as it would while that code is at work.
 */
export class Gate {
  readonly #engine: Engine;
  readonly #opened = Promise.withResolvers<void>();
  #waiting = 0;

  /** @internal */
  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Waits, in the agent's code, until the test opens the gate. */
  async pass(): Promise<void> {
    this.#waiting += 1;
    try {
      await this.#engine.hold(this.#opened.promise);
    } finally {
      this.#waiting -= 1;
    }
  }

  /** How many wait here. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Lets everything through that waits, and all that comes; then comes to rest. */
  async open(): Promise<void> {
    this.#opened.resolve();
    await this.#engine.rest();
  }
}
