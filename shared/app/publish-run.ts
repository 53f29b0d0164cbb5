import type { Millis } from '../domain/brand.ts';
import type { Run } from '../domain/run.ts';
import type { App } from './app.ts';
import { type Changed, changeRun, type Memory, newMemory, type Unchanged } from './change-run.ts';
import { type Prepared, preparePublication, type Publication } from './delta.ts';
import { placeOfRun } from './place.ts';

/**
 * A change that makes something public. What is published is prepared for the run's answer ceiling before the transaction, and
 * the transaction takes it only if the ceiling it reads is still that one (G5); if it was tightened meanwhile, the publication is
 * prepared anew. `decide` is pure; a next row with the same revision publishes nothing.
 */
export async function publishRun(
  app: App,
  known: Run,
  publication: Publication,
  decide: (run: Run, now: Millis) => Run | undefined,
  memory: Memory = newMemory(app),
): Promise<Changed | Unchanged> {
  for (let run = known; ; ) {
    const place = await placeOfRun(app, run);
    const prepared = await preparePublication(app, place, publication, run.answerCeiling);
    let moved = false;
    const outcome = await changeRun(
      app,
      run.taskId,
      (current, now) => {
        const next = decide(current, now);
        moved = next !== undefined && !fits(current, run, prepared);
        if (next === undefined || moved) return undefined;
        return next.revision === current.revision ? { next } : { next, prepared };
      },
      memory,
    );
    if (outcome.kind === 'changed' || outcome.run === undefined || !moved) return outcome;
    run = outcome.run;
  }
}

/** Prepared for this ceiling, and sealed with a key that still exists. */
function fits(current: Run, known: Run, prepared: Prepared): boolean {
  return (
    current.answerCeiling === prepared.ceiling &&
    current.scrubbedRevision === known.scrubbedRevision
  );
}
