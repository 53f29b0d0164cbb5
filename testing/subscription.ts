import type { Frame } from '../shared/app/service.ts';

/** A stream of a task's events, as far as it has come. */
export class Subscription {
  /** What came so far: the task first, then each event. */
  readonly frames: Frame[] = [];
  /** The task is over, or the stream was closed. */
  ended = false;
  readonly #stop: () => void;

  /** @internal */
  constructor(frames: AsyncIterable<Frame>, stop: () => void) {
    this.#stop = stop;
    void this.#gather(frames);
  }

  /** The states that came, in their order: `SUBMITTED`, `WORKING` ... */
  get states(): readonly string[] {
    return this.frames.flatMap((frame) => {
      if (frame.kind === 'task') return [frame.task.status.state];
      return frame.event.kind === 'status' ? [frame.event.state] : [];
    });
  }

  close(): void {
    this.#stop();
  }

  async #gather(frames: AsyncIterable<Frame>): Promise<void> {
    try {
      for await (const frame of frames) this.frames.push(frame);
    } finally {
      this.ended = true;
    }
  }
}
