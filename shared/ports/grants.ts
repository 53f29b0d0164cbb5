import type { AgentName } from '../domain/ids.ts';

/**
 * What an operator can be allowed to do. `view` shows content, too. `pause` stops and resumes an
 * agent, `retry` makes new runs of ended ones, `try` sends messages as a caller of its own. `keys`
 * makes and revokes API keys of callers, and counts only for an operator who has it for every
 * agent. `audit` reads the audit record.
 */
export const RIGHTS = [
  'view',
  'decide',
  'send',
  'cancel',
  'pause',
  'retry',
  'try',
  'keys',
  'audit',
] as const;
export type Right = (typeof RIGHTS)[number];

export interface Grants {
  /** Whether that operator may do it to runs of that agent, as of now. */
  allows(subject: string, right: Right, agent: AgentName): Promise<boolean>;
}
