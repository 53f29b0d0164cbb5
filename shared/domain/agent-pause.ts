import type { Millis } from './brand.ts';
import { isBlocked, type Run } from './run.ts';

/** A span in which no segment of an agent's runs begins. */
export interface AgentPause {
  readonly since: Millis;
  /** Null until the agent is resumed. */
  readonly until: Millis | null;
}

export function isPaused(pauses: readonly AgentPause[]): boolean {
  return pauses.some(({ until }) => until === null);
}

/**
 * A queued run, with a deadline that the time for which its agent was paused does not bring nearer.
 * The row itself is written by the claim alone.
 */
export function notCounting<R extends Run>(run: R, pauses: readonly AgentPause[], now: Millis): R {
  // The deadline of a blocked run stands still by itself.
  if (run.status !== 'queued' || isBlocked(run)) return run;
  const { notBefore } = run;
  const spans = pauses.map(({ since, until }) =>
    Math.max(0, Math.min(until ?? now, now) - Math.max(since, notBefore)),
  );
  const held = spans.reduce((sum, span) => sum + span, 0);
  return held === 0 ? run : { ...run, deadlineAt: run.deadlineAt + held };
}

/** So many are remembered: a queued run is claimed soon after the newest of them. */
const KEPT = 10;

/** With one that begins now; the same if one goes on already. */
export function pausedFrom(pauses: readonly AgentPause[], now: Millis): readonly AgentPause[] {
  return isPaused(pauses) ? pauses : [...pauses, { since: now, until: null }].slice(-KEPT);
}

/** The one that goes on ends now. */
export function resumedAt(pauses: readonly AgentPause[], now: Millis): readonly AgentPause[] {
  return pauses.map((pause) =>
    pause.until === null ? { ...pause, until: Math.max(now, pause.since) } : pause,
  );
}
