import type { Change } from '../../domain/blocked.ts';
import type { Run } from '../../domain/run.ts';

/**
 * What becomes of a run with other agents (docs/upgrading-agents.md). `line`: of the author's code,
 * `file:line:column`, where it is known.
 */
export type Verdict =
  /** `from`: the operation or call that it waits at, if it waits at one. */
  | { readonly kind: 'goes on'; readonly from?: string }
  /** It is blocked by these changes, in the words of the server. */
  | { readonly kind: 'held'; readonly changes: readonly Change[]; readonly line?: string }
  /** It ends FAILED; `reason` as callers would read it. */
  | { readonly kind: 'fails'; readonly reason: string; readonly line?: string }
  /** Nothing stops it, but it does something else than it would have done. */
  | { readonly kind: 'differs'; readonly why: string; readonly line?: string }
  | { readonly kind: 'not checked'; readonly why: string };

/** A run that was looked at. */
export interface CheckedRun {
  readonly run: Run;
  readonly verdict: Verdict;
}
