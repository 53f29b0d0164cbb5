import type { Millis } from './brand.ts';
import { CEILINGS, type Ceiling, strictest } from './ceiling.ts';

/** The levels at which something of a trail is kept. Strictest first. */
export type TrailLevel = Exclude<Ceiling, 'none'>;

/** What the row of a run that has ended keeps, so that its steps can still be read. */
export interface Trail {
  readonly level: TrailLevel;
  /**
   * Opens of the steps what that level keeps, and nothing more; sealed with the run key. Absent of
   * a run without steps.
   */
  readonly key?: Uint8Array;
  /**
   * When what was said is destroyed, and the level becomes `metadata`. Absent where nothing of it
   * is kept.
   */
  readonly until?: Millis;
  /**
   * What is known of the turn that completed the run, which is no step: its words are the answer of
   * the task. Sealed like the facts of a step.
   */
  readonly last?: Uint8Array;
}

interface Ceilings {
  readonly answerCeiling: Ceiling;
  readonly auditCeiling: Ceiling;
}

/** A step quotes the task, so the ceiling of the answer counts as well. */
export const trailCeiling = ({ answerCeiling, auditCeiling }: Ceilings): Ceiling =>
  strictest(answerCeiling, auditCeiling);

/** Whether a level keeps less than another one. */
export const keepsLess = (level: Ceiling, than: Ceiling): boolean =>
  CEILINGS.indexOf(level) < CEILINGS.indexOf(than);

/** Whether what was said may be kept, if only redacted. */
export const keepsWords = (level: Ceiling): boolean => keepsLess('metadata', level);
