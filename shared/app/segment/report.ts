import { tryOf } from '../../domain/run.ts';
import type { Problem } from '../agents.ts';
import type { App } from '../app.ts';
import { sealError } from '../content/agent-errors.ts';
import type { SealingKey } from '../content/sealing-key.ts';
import { errorFacts } from '../error-facts.ts';
import { faultName } from '../wake-up.ts';
import type { Lease } from './lease.ts';

/**
 * Says to an agent's author what its code threw: class, tool, attempt and status in every log, the
 * words only where the log stays with the author. With the next commit it is in the run's row, as
 * far as the ceilings let it be kept. One error that passes several places is said once.
 */
export function createReport(
  app: App,
  lease: Lease,
  runKey: SealingKey,
): (problem: Problem) => void {
  const { run } = lease.claimed;
  const { taskId: task } = run;
  const said = new WeakSet();
  return ({ error, fault: named, model, tool, where }) => {
    if (typeof error === 'object' && error !== null) {
      if (said.has(error)) return;
      said.add(error);
    }
    const { fault, ...facts } = errorFacts(error);
    const about = { where, attempt: tryOf(run), fault: named ?? fault };
    app.log.write('warning', 'agent error', {
      task,
      agent: run.agent,
      tool,
      model,
      fence: run.fence,
      ...about,
      ...facts,
    });
    const { status } = facts;
    const kept = {
      ...about,
      at: app.clock.now(),
      ...(tool !== undefined && { tool }),
      ...(status !== undefined && { status }),
      error,
    };
    lease.note(
      sealError(app, runKey, run, kept).catch((reason: unknown) => {
        // It is in the log; no run waits for its record.
        app.log.write('warning', 'agent error not kept', { task, fault: faultName(reason) });
        return undefined;
      }),
    );
  };
}
