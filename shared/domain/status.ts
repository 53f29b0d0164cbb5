/**
 * A2A task states (section 4.1.3) without their `TASK_STATE_` prefix; the edge adds it.
 */
export type TaskState =
  | 'SUBMITTED'
  | 'WORKING'
  | 'INPUT_REQUIRED'
  | 'AUTH_REQUIRED'
  | 'COMPLETED'
  | 'FAILED'
  | 'CANCELED'
  | 'REJECTED';

export const TASK_STATES = [
  'SUBMITTED',
  'WORKING',
  'INPUT_REQUIRED',
  'AUTH_REQUIRED',
  'COMPLETED',
  'FAILED',
  'CANCELED',
  'REJECTED',
] as const satisfies readonly TaskState[];

const TERMINAL: ReadonlySet<string> = new Set<TaskState>([
  'COMPLETED',
  'FAILED',
  'CANCELED',
  'REJECTED',
]);
const INTERRUPTED: ReadonlySet<string> = new Set<TaskState>(['INPUT_REQUIRED', 'AUTH_REQUIRED']);

/**
 * Terminal is terminal: no later revision exists. A state that this version does not know is not
 * terminal.
 */
export function isTerminal(state: string): boolean {
  return TERMINAL.has(state);
}

/** The task waits for a person; a blocking call returns here (section 3.2.2). */
export function isInterrupted(state: string): boolean {
  return INTERRUPTED.has(state);
}

export function isSettled(state: string): boolean {
  return isTerminal(state) || isInterrupted(state);
}

/**
 * Reads a stored state; one that a newer version wrote counts as still at work
 * (docs/architecture.md#reading-what-a-newer-version-wrote).
 */
export function taskState(stored: string): TaskState {
  return TASK_STATES.find((state) => state === stored) ?? 'WORKING';
}
