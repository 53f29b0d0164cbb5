import { type Task, textOf } from '../shared/agent/index.ts';

/** A task as its caller sees it, by A2A's words. */
export interface SeenTask extends Task {
  /** `COMPLETED`, `INPUT_REQUIRED` and the other states of A2A, without their prefix. */
  readonly state: string;
  /** The text of its status message: the answer, or what is asked. */
  readonly text: string;
}

export function seen(task: Task): SeenTask {
  const { message, state } = task.status;
  return { ...task, state, text: message === undefined ? '' : textOf(message) };
}
