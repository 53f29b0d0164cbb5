import type { App } from '../../shared/app/app.ts';
import { type Purged, purgeRun } from '../../shared/app/privacy/purge-run.ts';
import { type Counts, tightenAll } from '../../shared/app/privacy/tighten-all.ts';
import { runDoc } from '../../shared/app/records/documents.ts';
import type { Tightening } from '../../shared/domain/ceiling.ts';
import { taskId } from '../../shared/domain/ids.ts';
import { type Run, waitsForPerson } from '../../shared/domain/run.ts';
import { purge } from '../../shared/domain/transitions.ts';
import { facts, type View } from '../cli/screen/view.ts';
import { spanOf } from '../cli/table.ts';
import type { StartOptions } from '../start/arguments.ts';
import { purgeLost } from './keys.ts';
import { personAtTerminal } from './person.ts';

/** Resolves when a person said yes to it, or `--yes` did. Throws CliError. */
export type Confirm = (shown: View | string, question: string) => Promise<void>;

type Progress = (counts: object) => void;

/**
 * Removes one task, as it was shown: one that has moved by then is left. What is in use is not
 * asked about, for it is left in any case.
 */
export async function purgeTask(app: App, task: string, confirm: Confirm): Promise<Purged> {
  const known = taskId(task);
  const run = known === undefined ? undefined : await app.store.get(runDoc(known));
  if (run === undefined) return 'unknown';
  const now = app.clock.now();
  if (run.status !== 'purging' && purge(run, now) === undefined) return 'in-use';
  const waits = waitsForPerson(run) ? '; it still waits for an answer, and would never end' : '';
  await confirm(shownRun(run, now), `Remove it with all that belongs to it${waits}`);
  return purgeRun(
    app,
    run.taskId,
    (current, at) => (current.revision === run.revision ? purge(current, at) : undefined),
    'at-once',
    { act: 'purge', operator: personAtTerminal(), outcome: run.status },
  );
}

const shownRun = (run: Run, now: number): View => [
  facts([
    ['task', run.taskId],
    ['agent', run.agent],
    ['status', `${run.status}, for ${spanOf(now - run.statusAt)}`],
  ]),
];

/** `purge --without-key`, after it was counted and a person said yes. The result, in JSON. */
export async function purgeWithoutKeys(
  app: App,
  options: StartOptions,
  progress: Progress,
  confirm: Confirm | undefined,
): Promise<string> {
  const counted = await purgeLost(app, options, true, progress);
  if (confirm === undefined) return counted;
  await confirm(counted, 'Remove every task that the keys at hand do not open, in use or not');
  return purgeLost(app, options, false, progress);
}

export interface TightenWanted extends Tightening {
  readonly agent?: string;
}

/** The same for `tighten`. */
export async function tightenRuns(
  app: App,
  wanted: TightenWanted,
  progress: Progress,
  confirm: Confirm | undefined,
): Promise<Counts> {
  const counted = await tightenAll(app, { ...wanted, dryRun: true }, progress);
  const changes = Object.keys(counted).some((fate) => fate !== 'unchanged');
  if (confirm === undefined || !changes) return counted;
  await confirm(JSON.stringify(counted), 'Destroy what may not be kept any more');
  return tightenAll(app, { ...wanted, dryRun: false, by: personAtTerminal() }, progress);
}
