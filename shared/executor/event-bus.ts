import { type AgentExecutionEvent, DefaultExecutionEventBus } from '@a2a-js/sdk/server';

/** What stands behind a bus: hears of each event before its listeners do. Never throws. */
export interface Taker {
  take(event: AgentExecutionEvent): void;
  finished(): void;
}

/** The bus that an executor publishes on, for one segment; listeners can't take its events away. */
export class SegmentBus extends DefaultExecutionEventBus {
  readonly #taker: Taker;

  constructor(taker: Taker) {
    super();
    this.#taker = taker;
  }

  override publish(event: AgentExecutionEvent): void {
    this.#taker.take(event);
    super.publish(event);
  }

  override finished(): void {
    this.#taker.finished();
    super.finished();
  }
}
