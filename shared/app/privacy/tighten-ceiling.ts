import type { NewAudit } from '../../domain/audit.ts';
import type { Tightening } from '../../domain/ceiling.ts';
import { isEnded, type Run } from '../../domain/run.ts';
import { trailCeiling } from '../../domain/trail.ts';
import { type Consequence, purge, tighten } from '../../domain/transitions.ts';
import { Unreadable } from '../../ports/faults.ts';
import type { App } from '../app.ts';
import { changeRun } from '../change/change-run.ts';
import { runDoc } from '../records/documents.ts';
import { failScrubbed } from '../change/fail-scrubbed.ts';
import { endFiles } from '../files/end-files.ts';
import { projectRun } from '../change/project-run.ts';
import { runKeyOf, type SealingKey } from '../content/sealing-key.ts';
import { trailAt } from '../content/trail-key.ts';
import { undefinedIfUnreadable } from '../records/unreadable.ts';
import { projectSoon } from '../wake-up.ts';
import { purgeRun } from './purge-run.ts';
import { redactStored } from './redact-stored.ts';

export type Tightened = 'unchanged' | 'tightened' | 'redacted' | 'failed' | 'purged';

/**
 * Tightens a run's ceilings under its row: for an actual provider attempt, fallbacks included, or
 * an operator's policy change. Never loosens. What is stored already is redacted, or destroyed with
 * its key, in the same transaction; against a completion exactly one of the two comes first (G7).
 * `by`: the operator whose word it is.
 */
export async function tightenCeiling(
  app: App,
  taskId: string,
  wanted: Tightening,
  by?: string,
): Promise<Tightened> {
  for (;;) {
    const run = await app.store.get(runDoc(taskId));
    const tightened = run && tighten(run, wanted);
    if (run === undefined || run.status === 'purging' || tightened === undefined)
      return 'unchanged';
    const { answerCeiling: answer, archive, auditCeiling: audit } = tightened.next;
    const outcome = `answer ${answer}, audit ${audit}, archive ${archive}`;
    const noted =
      by === undefined ? undefined : ({ act: 'tighten', operator: by, outcome } as const);
    const done = await apply(app, run, wanted, tightened.consequence, noted);
    if (done !== undefined) return done;
  }
}

/** Undefined: the run changed meanwhile; look again. */
async function apply(
  app: App,
  run: Run,
  wanted: Tightening,
  consequence: Consequence,
  audit: NewAudit | undefined,
): Promise<Tightened | undefined> {
  switch (consequence) {
    case 'none': {
      const runKey = run.trail && (await undefinedIfUnreadable(() => runKeyOf(app, run)));
      const outcome = await changeRun(app, run.taskId, {
        ...(audit && { audit }),
        decide(current) {
          const next = tighten(current, wanted);
          if (next?.consequence !== 'none') return undefined;
          // It ended meanwhile, or got another key.
          const same = current.scrubbedRevision === run.scrubbedRevision;
          if (current.trail !== undefined && (run.trail === undefined || !same)) return undefined;
          return withTightTrail(app, next.next, runKey);
        },
      });
      if (outcome.kind !== 'changed') return undefined;
      // Its files go at once, as far as they can.
      const { run: tightened } = outcome;
      if (tightened.scrubPending)
        await projectSoon(app, tightened, () => projectRun(app, run.taskId));
      return 'tightened';
    }
    case 'fail':
      return (await failScrubbed(app, run, 'RESULT_NOT_KEPT', failing(wanted), audit))
        ? 'failed'
        : undefined;
    case 'redact':
      return redact(app, run, wanted, audit);
    case 'purge':
      // A result that may not be kept may not be kept by later tasks either.
      if (run.files !== undefined) await endFiles(app, run);
      return (await purged(app, run, audit)) ? 'purged' : undefined;
  }
}

const purged = async (app: App, { taskId }: Run, audit: NewAudit | undefined): Promise<boolean> =>
  (await purgeRun(app, taskId, purge, 'at-once', audit)) === 'purged';

/** The row with what its ceilings now allow of its steps. */
function withTightTrail(app: App, run: Run, runKey: SealingKey | undefined): Run {
  const { trail, ...rest } = run;
  if (trail === undefined) return run;
  const keys = runKey && { before: runKey, after: runKey };
  const kept = keys && trailAt(app, trail, trailCeiling(run), keys);
  return kept === undefined ? rest : { ...rest, trail: kept };
}

/** What can't be read can't be redacted, so it may not stay either. */
async function redact(
  app: App,
  run: Run,
  wanted: Tightening,
  audit: NewAudit | undefined,
): Promise<Tightened | undefined> {
  try {
    return (await redactStored(app, run, wanted, audit)) ? 'redacted' : undefined;
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    if (!same(await app.store.get(runDoc(run.taskId)), run)) return undefined;
    if (isEnded(run)) return (await purged(app, run, audit)) ? 'purged' : undefined;
    const tightened = (current: Run): Run | undefined => tighten(current, wanted)?.next;
    return (await failScrubbed(app, run, 'STATE_UNREADABLE', tightened, audit))
      ? 'failed'
      : undefined;
  }
}

/**
 * Another process may have given it a new key meanwhile, or ended it: then its newest row has more
 * to read.
 */
function same(current: Run | undefined, run: Run): boolean {
  return (
    current?.revision === run.revision &&
    current.scrubbedRevision === run.scrubbedRevision &&
    current.hasInput === run.hasInput
  );
}

const failing =
  (wanted: Tightening) =>
  (run: Run): Run | undefined => {
    const tightened = tighten(run, wanted);
    return tightened?.consequence === 'fail' ? tightened.next : undefined;
  };
