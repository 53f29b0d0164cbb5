import type { Millis } from '../../domain/brand.ts';
import { isEnded, type Run } from '../../domain/run.ts';
import type { App } from '../app.ts';
import {
  type Also,
  type Change,
  type Changed,
  changeRun,
  type Memory,
  newMemory,
  type Prior,
  type Unchanged,
} from './change-run.ts';
import {
  type PreparedPublication,
  preparePublication,
  type Publication,
} from '../content/publication.ts';
import { type WorkKey, workKeyOf } from '../content/work-key.ts';
import { type SealingKey, runKeyOf } from '../content/sealing-key.ts';

/** A write that depends on what `prior` reads in the same transaction; `decide` may go by it, too. */
export interface Checked {
  readonly prior: Prior;
  readonly also: Also;
}

/**
 * What is written in the same commit and nobody outside sees. Prepared before the transaction, and anew when the run's keys moved
 * meanwhile: `workKey` seals it, `runKey` is the key of the run itself, `run` its row by then.
 */
export type Along = (
  workKey: SealingKey,
  runKey: SealingKey,
  run: Run,
) => Also | Checked | Promise<Also | Checked>;

/**
 * A change that makes something public, or takes payload along. What is published is prepared for the run's answer ceiling before
 * the transaction, and the transaction takes it only if the ceiling it reads is still that one (G5); if it was tightened meanwhile,
 * all is prepared anew. `decide` is pure, but for what it seals with `runKey`; a next row with the same revision publishes nothing.
 */
export async function publishRun(
  app: App,
  known: Run,
  publication: Publication | undefined,
  decide: (run: Run, now: Millis, runKey: SealingKey) => Run | undefined,
  memory: Memory = newMemory(app),
  along?: Along,
): Promise<Changed | Unchanged> {
  for (let run = known; ; ) {
    const runKey = await runKeyOf(app, run);
    const prepared =
      publication && (await preparePublication(app, runKey, publication, run.answerCeiling));
    const workKey = along && (await workKeyOf(app, run, runKey));
    const aside = along && workKey && (await along(workKey.key, runKey, run));
    const { also, prior } =
      typeof aside === 'function' ? { also: aside } : { prior: undefined, ...aside };
    let moved = false;
    const outcome = await changeRun(
      app,
      run.taskId,
      (current, now): Change | undefined => {
        const next = decide(current, now, runKey);
        moved = next !== undefined && !fits(current, run, prepared, workKey);
        if (next === undefined || moved) return undefined;
        const fresh = workKey?.fresh;
        // A run that has ended works with nothing any more.
        const keyed = fresh === undefined || isEnded(next) ? next : { ...next, payloadKey: fresh };
        return {
          next: keyed,
          ...(prepared && next.revision !== current.revision && { prepared }),
          ...(also && { also }),
        };
      },
      memory,
      prior,
    );
    if (outcome.kind === 'changed' || outcome.run === undefined || !moved) return outcome;
    run = outcome.run;
  }
}

/** Prepared for this ceiling, and sealed with keys that still exist. */
function fits(
  current: Run,
  known: Run,
  prepared: PreparedPublication | undefined,
  workKey: WorkKey | undefined,
): boolean {
  return (
    (prepared === undefined || current.answerCeiling === prepared.ceiling) &&
    current.scrubbedRevision === known.scrubbedRevision &&
    (workKey === undefined || (current.payloadKey === undefined) === (workKey.fresh !== undefined))
  );
}
