import type { Tightening } from '../../domain/ceiling.ts';
import { tighten } from '../../domain/transitions.ts';
import { allRuns } from '../records/all-runs.ts';
import type { App } from '../app.ts';
import { type Tightened, tightenCeiling } from './tighten-ceiling.ts';

/** How many runs met which fate. */
export type Counts = Readonly<Partial<Record<Tightened, number>>>;

export interface TightenAll extends Tightening {
  /** Only the runs of this agent. */
  readonly agent?: string;
  /** Counts what would happen, and changes nothing. */
  readonly dryRun: boolean;
  /** The operator whose word it is. */
  readonly by?: string;
}

const FATE = { none: 'tightened', redact: 'redacted', fail: 'failed', purge: 'purged' } as const;

/**
 * An operator's policy change: tightens every run there is. New runs start with what the
 * installation says.
 */
export async function tightenAll(
  app: App,
  wanted: TightenAll,
  progress: (counts: Counts) => void = () => undefined,
): Promise<Counts> {
  const counts: Partial<Record<Tightened, number>> = {};
  for await (const rows of allRuns(app)) {
    for (const { value: run } of rows) {
      if (run === undefined) continue;
      if (wanted.agent !== undefined && run.agent !== wanted.agent) continue;
      const would = run.status === 'purging' ? undefined : tighten(run, wanted);
      const planned: Tightened = would === undefined ? 'unchanged' : FATE[would.consequence];
      const fate = wanted.dryRun
        ? planned
        : await tightenCeiling(app, run.taskId, wanted, wanted.by);
      counts[fate] = (counts[fate] ?? 0) + 1;
    }
    progress(counts);
  }
  return counts;
}
