import type { Run } from '../../domain/run.ts';
import type { App } from '../app.ts';
import { type PreparedPublication, preparePublication } from '../content/publication.ts';
import { type WorkKey, workKeyUnder } from '../content/work-key.ts';
import type { NewAudit } from '../../domain/audit.ts';
import { prepareAudit, type WriteAudit } from '../content/audit-record.ts';
import { sealAction, type SealedAction } from '../content/operator-actions.ts';
import { type SealingKey, runKeyOf } from '../content/sealing-key.ts';
import type { ActBy, Keys, RunChange } from './run-change.ts';

/** What a change has ready before its transaction, and for which row. */
export interface Ready<S extends object> {
  readonly run: Run | undefined;
  readonly publication: PreparedPublication | undefined;
  readonly workKey: WorkKey | undefined;
  /** Of the row as it was known. Undefined where nothing was sealed for it. */
  readonly runKey?: SealingKey;
  readonly sealed: S;
  /** What an operator does, sealed for the row; and the write of the audit record. */
  readonly act?: SealedAction;
  readonly audit?: WriteAudit;
}

/**
 * Seals what a change commits, for the run as it is known by now. A change that seals nothing opens
 * no key, so it does not need one that can be opened. Throws Unreadable, Unavailable.
 */
export async function prepare<S extends object, R extends object>(
  app: App,
  run: Run | undefined,
  { act, audit, publish, seal }: RunChange<S, R>,
): Promise<Ready<S>> {
  const noted = await audited(app, act, audit);
  const ready = typeof publish === 'object' && 'packed' in publish ? publish : undefined;
  const toSeal = typeof publish === 'object' && 'packed' in publish ? undefined : publish;
  const seals = seal !== undefined || toSeal !== undefined || act !== undefined;
  if (run === undefined || !seals)
    return { run: undefined, publication: ready, workKey: undefined, sealed: nothing(), ...noted };
  const runKey = await runKeyOf(app, run);
  const keys = new LazyKeys(app, run, runKey);
  const sealed = seal === undefined ? nothing<S>() : await seal(keys);
  const shown = typeof toSeal === 'function' ? toSeal(sealed) : toSeal;
  const publication =
    shown === undefined ? ready : await preparePublication(app, runKey, shown, run.answerCeiling);
  const done = act && { act: sealAction(app, runKey, act, act.operator) };
  return { run, publication, workKey: keys.used, runKey, sealed, ...done, ...noted };
}

/** One entry for a change, however often it is tried. */
async function audited(
  app: App,
  act: ActBy | undefined,
  audit: NewAudit | undefined,
): Promise<{ readonly audit?: WriteAudit }> {
  const { kind, operator, sendId, task } = act ?? {};
  const subject = sendId ?? task;
  const acted: NewAudit | undefined =
    kind === undefined || operator === undefined
      ? undefined
      : { act: kind, operator, ...(subject !== undefined && { subject }) };
  const wanted = audit ?? acted;
  return wanted === undefined ? {} : { audit: await prepareAudit(app, wanted) };
}

/** Prepared for this ceiling, and sealed with keys that still exist. */
export function fits(current: Run, { workKey, publication, run }: Ready<object>): boolean {
  // Nothing was sealed for a row: there is nothing that could be out of date.
  if (run === undefined) return true;
  return (
    (publication === undefined || current.answerCeiling === run.answerCeiling) &&
    current.scrubbedRevision === run.scrubbedRevision &&
    (workKey === undefined || (current.payloadKey === undefined) === (workKey.fresh !== undefined))
  );
}

/** A change without a step has nothing to hand on from it, and its type says so. */
export const nothing = <T extends object>(): T => ({}) as T;

class LazyKeys implements Keys {
  readonly run: Run;
  readonly runKey: SealingKey;
  readonly #app: App;
  #work: WorkKey | undefined;

  constructor(app: App, run: Run, runKey: SealingKey) {
    this.#app = app;
    this.run = run;
    this.runKey = runKey;
  }

  get workKey(): SealingKey {
    this.#work ??= workKeyUnder(this.#app, this.run, this.runKey);
    return this.#work.key;
  }

  /** Undefined: no step asked for it. */
  get used(): WorkKey | undefined {
    return this.#work;
  }
}
