import { type Task, textOf } from '../shared/agent/index.ts';

/** A task as its caller sees it, by A2A's words. */
export interface SeenTask extends Task {
  /** `COMPLETED`, `INPUT_REQUIRED` and the other states of A2A, without their prefix. */
  readonly state: string;
  /** The text of its status message: the answer, or what is asked. */
  readonly text: string;
  /** Why it FAILED: `EFFECT_UNKNOWN`, `DEADLINE_EXCEEDED` ...; otherwise empty. */
  readonly reason: string;
}

export function seen(task: Task): SeenTask {
  const { message, state } = task.status;
  const reason = task.metadata?.['reason'];
  return {
    ...task,
    state,
    text: message === undefined ? '' : textOf(message),
    reason: typeof reason === 'string' ? reason : '',
  };
}
