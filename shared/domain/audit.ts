import type { Millis } from './brand.ts';
import type { OperatorActionKind } from './operator-action.ts';

/** What is done to a run, and is in the row of the run as well. */
const ON_RUNS = [
  'approve',
  'deny',
  'input',
  'continue',
  'resend',
  'link',
  'abandon',
  'redeliver',
  'cancel',
  'retry',
  'fork',
] as const;

/** Everything that the audit record notes. */
export const AUDIT_ACTS = [
  ...ON_RUNS,
  'tighten',
  'purge',
  'purge-without-key',
  'pause-agent',
  'resume-agent',
  'pause-schedule',
  'resume-schedule',
  'run-schedule',
  'try',
  'event',
  'reset-remote',
  'make-key',
  'revoke-key',
  'rotate-key',
  'rewrap',
  'retire-keys',
  'raise-format',
  'restore',
  'import',
  'policy',
] as const;
export type AuditAct = (typeof AUDIT_ACTS)[number] | OperatorActionKind;

/** An act, for the commit that does it. Nothing in it is content. */
export interface NewAudit {
  readonly act: AuditAct;
  /** Who did it: an operator by name, a person at a command line, or `configuration`. */
  readonly operator: string;
  /** What it was done to, if not to the run as such: the id of a send or of a key. */
  readonly subject?: string;
  /** What came of it, in a word or some. */
  readonly outcome?: string;
}

/** One entry of the audit record: it outlives the run that it names. */
export interface AuditEntry extends Omit<NewAudit, 'act' | 'operator'> {
  readonly id: string;
  readonly at: Millis;
  /** An AuditAct, or one that only a newer version knows. */
  readonly act: string;
  /** Absent where it can't be read any more. */
  readonly operator?: string;
  readonly taskId?: string;
  /** Absent where the act was one on the whole installation. */
  readonly agent?: string;
}
