import type { Exceeded } from './budget.ts';

const OWN = [
  'AGENT_FAILED',
  'AGENT_UNKNOWN',
  'ATTEMPTS_EXHAUSTED',
  'DEADLINE_EXCEEDED',
  'RESULT_NOT_STORED',
  'RESULT_NOT_KEPT',
  'STATE_UNREADABLE',
  /** No person answered within the time that a run may wait for one. */
  'WAIT_ENDED',
  /** A tool that must not run twice may have run when its worker was lost. */
  'EFFECT_UNKNOWN',
  /** The agent left something in its folder that can't be kept. */
  'FILES_REFUSED',
  /** It was taken over from an archive, unfinished: what it worked with is not there. */
  'WORK_LOST',
] as const;

/** The budget that was passed (G16). */
const BUDGETS = [
  'ROUNDS_EXCEEDED',
  'TOKENS_EXCEEDED',
  'COST_EXCEEDED',
  'DELEGATIONS_EXCEEDED',
  'BYTES_EXCEEDED',
] as const satisfies readonly `${Exceeded}_EXCEEDED`[];

/** Why a run failed; public as `metadata.reason` of its task. */
export type FailureReason = (typeof OWN)[number] | `${Exceeded}_EXCEEDED`;

export const FAILURE_REASONS: readonly FailureReason[] = [...OWN, ...BUDGETS];
