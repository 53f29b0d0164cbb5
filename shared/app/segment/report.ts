import { tryOf } from '../../domain/run.ts';
import type { Problem } from '../agents.ts';
import type { App } from '../app.ts';
import { errorFacts } from '../error-facts.ts';
import type { Lease } from './lease.ts';

/**
 * Says to an agent's author what its code threw: class, tool, attempt and status in every log, the
 * words only where the log stays with the author. One error that passes several places is said
 * once.
 */
export function createReport(app: App, lease: Lease): (problem: Problem) => void {
  const { run } = lease.claimed;
  const said = new WeakSet();
  return ({ error, fault: named, model, tool, where }) => {
    if (typeof error === 'object' && error !== null) {
      if (said.has(error)) return;
      said.add(error);
    }
    const { fault, ...facts } = errorFacts(error);
    app.log.write('warning', 'agent error', {
      task: run.taskId,
      agent: run.agent,
      where,
      tool,
      model,
      fence: run.fence,
      attempt: tryOf(run),
      fault: named ?? fault,
      ...facts,
    });
  };
}
