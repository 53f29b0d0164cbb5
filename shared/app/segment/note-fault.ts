import { type Run, tryOf } from '../../domain/run.ts';
import type { App } from '../app.ts';
import { sealError } from '../content/agent-errors.ts';
import { runKeyOf } from '../content/sealing-key.ts';
import { errorFacts } from '../error-facts.ts';
import { faultName } from '../wake-up.ts';
import type { Lease } from './lease.ts';

/**
 * Has the commit that puts a run back into the queue take along why, as far as the ceilings let it
 * be kept: an operator sees what the run waits to try again for.
 */
export function noteFault(app: App, lease: Lease, error: unknown): void {
  lease.note(factsOf(app, lease.run, error));
}

async function factsOf(app: App, run: Run, error: unknown) {
  const { fault, status } = errorFacts(error);
  const facts = {
    where: 'segment',
    attempt: tryOf(run),
    fault,
    at: app.clock.now(),
    ...(status !== undefined && { status }),
  };
  try {
    return await sealError(app, await runKeyOf(app, run), run, { ...facts, error });
  } catch (reason) {
    // The fault may be that of the very service which its words want; the run waits for neither.
    const about = { task: run.taskId, fault: faultName(reason) };
    app.log.write('warning', 'words of a fault not kept', about);
    return run.auditCeiling === 'none' || run.answerCeiling === 'none' ? undefined : facts;
  }
}
