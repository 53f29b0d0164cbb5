import type { Refused } from '../../domain/refusal.ts';

/** Why an operator is refused, besides what every caller can be refused for. */
export type OperatorRefusalCode =
  /** No such run, or one of an agent that this operator has no right on: one answer for both. */
  | 'RUN_NOT_FOUND'
  | 'SEND_NOT_FOUND'
  /** The run has no files, or they are not kept any more. */
  | 'FILES_NOT_FOUND'
  | 'FILE_NOT_FOUND'
  | 'WEBHOOK_NOT_FOUND'
  /** This webhook is not given up: there is nothing to be told again. */
  | 'WEBHOOK_NOT_PARKED'
  | 'PERMISSION_DENIED'
  /** A newer version wrote the run's status; this one changes nothing of it. */
  | 'STATUS_UNKNOWN'
  | 'RUN_ENDED'
  /** Only what has ended is tried once more. */
  | 'RUN_NOT_ENDED'
  /** It has its result. */
  | 'RUN_COMPLETED'
  /** Another task of its context is not finished (G19). */
  | 'CONTEXT_BUSY'
  /** What must not run twice may do so, and was not named. */
  | 'MAY_REPEAT'
  /** A run was made of it already. */
  | 'TRIED_ALREADY'
  /** Its transcript can't be read any more, or never was there. */
  | 'TRAIL_NOT_KEPT'
  /** Its message can't be read any more as it came. */
  | 'MESSAGE_NOT_KEPT'
  /** It has no such step, or not of that kind. */
  | 'STEP_NOT_FOUND'
  /** No agent by that name is published, or none that this operator may see. */
  | 'AGENT_NOT_FOUND'
  /** The agent declares no schedule. */
  | 'SCHEDULE_NOT_FOUND'
  /** No agent that this operator may see declares a remote of that name. */
  | 'REMOTE_NOT_FOUND'
  /** Nothing of the agent's runs begins now. */
  | 'AGENT_PAUSED'
  /** The run is not blocked, or not by what the operator was shown. */
  | 'NOT_BLOCKED'
  /** What it is blocked by leaves nothing that it could go on with. */
  | 'STEPS_CHANGED'
  /** This send is resolved: its outcome is known, or its run does not wait for it. */
  | 'SEND_SETTLED'
  /** Another operator's resend may still be on its way. */
  | 'SEND_UNDER_WAY'
  /** The run may not delegate any more (G16). */
  | 'BUDGET_EXCEEDED'
  /** The agent does not declare that remote any more. */
  | 'REMOTE_NOT_DECLARED'
  /** The remote does not know that task, or knows it in another context than this send's. */
  | 'REMOTE_TASK_UNKNOWN'
  /** Provably nothing reached the remote: the same may be tried again. */
  | 'REMOTE_NOT_REACHED';

export interface OperatorRefused extends Omit<Refused, 'code'> {
  readonly code: OperatorRefusalCode;
}

export function notAllowed(
  code: OperatorRefusalCode,
  message: string,
  more: Pick<OperatorRefused, 'field'> = {},
): OperatorRefused {
  return { kind: 'refused', code, message, ...more };
}

export const unknownRun = (): OperatorRefused => notAllowed('RUN_NOT_FOUND', 'run not found');
