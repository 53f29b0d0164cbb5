import type { Run } from '../../domain/run.ts';
import { letGoOn } from '../../domain/waiting.ts';
import type { App } from '../app.ts';
import { changeRun } from '../change/change-run.ts';
import { wakeUp } from '../wake-up.ts';
import { notAllowed, type OperatorRefused, unknownRun } from './operator-refusal.ts';
import type { Operator } from './operator-rights.ts';
import { runFor } from './seen-run.ts';

/**
 * Lets a run go on that is blocked by exactly these changes: what is gone is an error result for
 * its model, what changed is called as it is now. `digest` is that of what the operator was shown.
 */
export async function continueRun(
  app: App,
  operator: Operator,
  id: string,
  digest: string,
): Promise<Run | OperatorRefused> {
  const seen = await runFor(app, operator.rights, id, 'decide');
  if ('kind' in seen) return seen;
  const { run } = seen;
  if (run.status === 'unknown')
    return notAllowed('STATUS_UNKNOWN', 'a newer version wrote the status of this run');
  const outcome = await changeRun(app, run, {
    act: { kind: 'continue', operator: operator.subject },
    decide: (current, now) => letGoOn(current, digest, now),
  });
  if (outcome.run === undefined) return unknownRun();
  if (outcome.kind === 'unchanged') return notBlocked(outcome.run, digest);
  app.log.write('info', 'blocked run goes on', { task: run.taskId, digest });
  await wakeUp(app, outcome.run, ['run', 'poll']);
  return outcome.run;
}

function notBlocked({ blocked }: Run, digest: string): OperatorRefused {
  if (blocked?.changes.some(({ kind }) => kind === 'step') === true)
    return notAllowed(
      'STEPS_CHANGED',
      'the function of the agent asks for other steps than are recorded; publish one that fits them, or cancel the run',
    );
  const other =
    blocked !== undefined && blocked.accepted !== true && blocked.digest !== digest
      ? 'the run is blocked by other changes than these; look at it again'
      : 'the run is not blocked, or looks again just now';
  return notAllowed('NOT_BLOCKED', other);
}
