import type { Installation } from '../../shared/app/app.ts';
import type { RunRecord } from '../../shared/app/upgrade/record.ts';
import type { Verdict } from '../../shared/app/upgrade/verdict.ts';
import type { Settings } from '../../shared/domain/settings.ts';
import type { Task } from '../../shared/domain/task.ts';

/** What the thread with the agents' code is started with. */
export interface ReplayData {
  /** The module that has the agents; undefined: those of the checkout. */
  readonly agents: string | undefined;
  readonly settings: Settings;
  readonly installation: Installation;
  /** An empty folder in the place of the files of a task. */
  readonly folder: string;
}

export type ToThread =
  | { readonly kind: 'judge'; readonly record: RunRecord }
  | { readonly kind: 'earlier tasks'; readonly tasks: readonly Task[] };

export type FromThread =
  | { readonly kind: 'loaded'; readonly agents: readonly string[] }
  | { readonly kind: 'not loaded'; readonly why: string }
  | { readonly kind: 'earlier tasks' }
  | { readonly kind: 'verdict'; readonly verdict: Verdict };
