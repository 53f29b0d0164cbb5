import { TaskState, taskStateToJSON } from '@a2a-js/sdk';
import { TaskFailed } from '../agent/endings.ts';
import type { Ending } from '../app/agents.ts';
import { textOf } from '../domain/message.ts';
import type { Said } from './from-sdk.ts';

/** The task waits for its client. */
export function isInterrupted(state: TaskState): boolean {
  return (
    state === TaskState.TASK_STATE_INPUT_REQUIRED || state === TaskState.TASK_STATE_AUTH_REQUIRED
  );
}

export function isFinal(state: TaskState): boolean {
  return (
    state === TaskState.TASK_STATE_COMPLETED ||
    state === TaskState.TASK_STATE_FAILED ||
    state === TaskState.TASK_STATE_CANCELED ||
    state === TaskState.TASK_STATE_REJECTED
  );
}

/** One that a task can be in. */
export function isKnown(state: TaskState): boolean {
  return (
    isFinal(state) ||
    isInterrupted(state) ||
    state === TaskState.TASK_STATE_SUBMITTED ||
    state === TaskState.TASK_STATE_WORKING
  );
}

export const nameOf = (state: TaskState | undefined): string =>
  state === undefined ? 'no state' : taskStateToJSON(state);

/** How a segment ends in a state that is final, or waits for the client. */
export function endingOf(state: TaskState, said: Said): Ending {
  switch (state) {
    case TaskState.TASK_STATE_INPUT_REQUIRED:
      return { kind: 'asked', ...said };
    case TaskState.TASK_STATE_AUTH_REQUIRED:
      return { kind: 'asked', auth: true, ...said };
    case TaskState.TASK_STATE_COMPLETED:
      return { kind: 'completed', ...said };
    case TaskState.TASK_STATE_REJECTED:
      return { kind: 'rejected', ...said };
    case TaskState.TASK_STATE_CANCELED:
      return { kind: 'cancelled', ...said };
    case TaskState.TASK_STATE_FAILED:
      return { kind: 'failed', ...said, error: new TaskFailed(textOf(said)) };
    case TaskState.TASK_STATE_UNSPECIFIED:
    case TaskState.TASK_STATE_SUBMITTED:
    case TaskState.TASK_STATE_WORKING:
    case TaskState.UNRECOGNIZED:
      throw new TypeError(`${nameOf(state)} ends nothing`);
  }
}
