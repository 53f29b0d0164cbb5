import { RequestMalformedError, UnsupportedOperationError } from '@a2a-js/sdk/errors';

// The SDK's handlers know an error's code by its name, so each keeps the name of what it extends;
// `instanceof` and the metadata tell them apart.

/** Another task of the context is open: one at a time (G19). -32004 on the wire. */
export class ContextBusyError extends UnsupportedOperationError {
  /** `activeTaskId` is left out where the other task came at the same moment. */
  constructor(contextId: string, activeTaskId?: string) {
    super({
      message:
        'Another task of the context is not finished. Send to that task, cancel it, or use another context.',
      metadata: {
        reason: 'CONTEXT_BUSY',
        contextId,
        ...(activeTaskId !== undefined && { activeTaskId }),
      },
    });
    this.name = 'UnsupportedOperationError';
  }
}

/** The task has ended, and what was to be saved is not its end. -32004 on the wire. */
export class TaskTerminalError extends UnsupportedOperationError {
  constructor(taskId: string, state: string) {
    super({
      message: `The task has ended as ${state}; nothing but that was saved. Start another task.`,
      metadata: { reason: 'TASK_TERMINAL', taskId, state },
    });
    this.name = 'UnsupportedOperationError';
  }
}

/** An id that no object can be named by, or a task that would change its context. -32602. */
export class BadTaskError extends RequestMalformedError {
  constructor(field: string, why: string) {
    super({ message: `${field}: ${why}`, metadata: { field } });
    this.name = 'RequestMalformedError';
  }
}

/** In words, what `segmentOf` takes. */
export const ID_RULE =
  'must be 1 to 200 characters, where each but A-Z a-z 0-9 _ ~ @ = + - counts three for each byte';
