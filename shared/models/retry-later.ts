/**
 * Thrown by an agent, a model or a tool that met a fault which may pass: the segment is run again
 * from its start, or from its last step, three times at most. No worker waits meanwhile.
 */
export class RetryLater extends Error {
  /** Milliseconds to wait; the usual back-off when absent. */
  readonly delay: number | undefined;

  constructor(message: string, options: ErrorOptions & { readonly delay?: number } = {}) {
    super(message, options);
    this.name = 'RetryLater';
    this.delay = options.delay;
  }
}
