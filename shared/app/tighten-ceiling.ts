import type { Tightening } from '../domain/ceiling.ts';
import type { Run } from '../domain/run.ts';
import { type Consequence, fail, rekeyed, tighten } from '../domain/transitions.ts';
import type { App } from './app.ts';
import { changeRun } from './change-run.ts';
import { preparePublication } from './delta.ts';
import { runDoc } from './documents.ts';
import { afterEnd, agentMessage, failureWords } from './end-run.ts';
import { newPlace } from './place.ts';
import { purgeRun } from './purge-run.ts';
import { redactStored } from './redact-stored.ts';
import { scrubbedView } from './scrub.ts';
import { emptySnapshot, packSnapshot } from './snapshot.ts';

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
      return failUnkept(app, run, wanted);
    case 'redact':
      return (await redactStored(app, run, wanted)) ? 'redacted' : undefined;
    case 'purge':
      return (await purgeRun(app, run.taskId)) === 'purged' ? 'purged' : undefined;
  }
}

/** An open run ends FAILED with the fixed words; its history, questions and artifacts go with their key, the states stay. */
async function failUnkept(app: App, run: Run, wanted: Tightening): Promise<Tightened | undefined> {
  const { place, wrapped } = await newPlace(app, run);
  const message = agentMessage(app, [{ text: failureWords('RESULT_NOT_KEPT') }]);
  const metadata = { reason: 'RESULT_NOT_KEPT' };
  const prepared = await preparePublication(app, place, { status: { message, metadata } }, 'full');
  const empty = await packSnapshot(app, place, [], emptySnapshot);
  const outcome = await changeRun(app, run.taskId, (current, now) => {
    const tightened = tighten(current, wanted);
    if (tightened?.consequence !== 'fail' || current.revision !== run.revision) return undefined;
    const failed = fail(tightened.next, 'RESULT_NOT_KEPT', now);
    const next = failed && rekeyed(failed, current, wrapped);
    return next && { next, prepared, scrub: scrubbedView(app, current, place, wrapped, empty) };
  });
  if (outcome.kind !== 'changed') return undefined;
  app.segments.stop(run.taskId, 'lost');
  await afterEnd(app, outcome);
  return 'failed';
}
