import type { Tightening } from '../domain/ceiling.ts';
import type { Run } from '../domain/run.ts';
import { type Consequence, tighten } from '../domain/transitions.ts';
import type { App } from './app.ts';
import { changeRun } from './change-run.ts';
import { runDoc } from './documents.ts';
import { failScrubbed } from './fail-scrubbed.ts';
import { purgeRun } from './purge-run.ts';
import { redactStored } from './redact-stored.ts';

export type Tightened = 'unchanged' | 'tightened' | 'redacted' | 'failed' | 'purged';

/**
 * Tightens a run's ceilings under its row: for an actual provider attempt, fallbacks included, or an operator's policy change.
 * Never loosens. What is stored already is redacted, or destroyed with its key, in the same transaction; against a completion
 * exactly one of the two comes first (G7).
 */
export async function tightenCeiling(
  app: App,
  taskId: string,
  wanted: Tightening,
): Promise<Tightened> {
  for (;;) {
    const run = await app.store.get(runDoc(taskId));
    const tightened = run && tighten(run, wanted);
    if (run === undefined || run.status === 'purging' || tightened === undefined)
      return 'unchanged';
    const outcome = await apply(app, run, wanted, tightened.consequence);
    if (outcome !== undefined) return outcome;
  }
}

/** Undefined: the run changed meanwhile; look again. */
async function apply(
  app: App,
  run: Run,
  wanted: Tightening,
  consequence: Consequence,
): Promise<Tightened | undefined> {
  switch (consequence) {
    case 'none': {
      const outcome = await changeRun(app, run.taskId, (current) => {
        const next = tighten(current, wanted);
        return next?.consequence === 'none' ? { next: next.next } : undefined;
      });
      return outcome.kind === 'changed' ? 'tightened' : undefined;
    }
    case 'fail':
      return (await failScrubbed(app, run, 'RESULT_NOT_KEPT', failing(wanted)))
        ? 'failed'
        : undefined;
    case 'redact':
      return (await redactStored(app, run, wanted)) ? 'redacted' : undefined;
    case 'purge':
      return (await purgeRun(app, run.taskId)) === 'purged' ? 'purged' : undefined;
  }
}

const failing =
  (wanted: Tightening) =>
  (run: Run): Run | undefined => {
    const tightened = tighten(run, wanted);
    return tightened?.consequence === 'fail' ? tightened.next : undefined;
  };
