import type { AgentName } from '../../domain/ids.ts';
import { isRefused, type Refused } from '../../domain/refusal.ts';
import type { Run } from '../../domain/run.ts';
import { extraTask } from '../../domain/schedule.ts';
import type { App } from '../app.ts';
import { prepareAudit } from '../content/audit-record.ts';
import { runDoc } from '../records/documents.ts';
import { callerOf, tickRequest } from '../schedules/tick-request.ts';
import { acceptFor } from '../tasks/accept-message.ts';
import { notAllowed, type OperatorRefused } from './operator-refusal.ts';
import type { Operator } from './operator-rights.ts';
import { scheduleFor } from './schedules.ts';

/**
 * Makes a task as a tick would, now, also while the schedule is paused. The same request makes one
 * task; the ticks go on as they were.
 */
export async function runSchedule(
  app: App,
  operator: Operator,
  agent: AgentName,
  requestId: string,
): Promise<Run | OperatorRefused | Refused> {
  const schedule = await scheduleFor(app, operator, agent, 'try');
  if ('kind' in schedule) return schedule;
  const taskId = extraTask(agent, requestId);
  const note = await prepareAudit(app, { act: 'run-schedule', operator: operator.subject });
  const tick = { taskId, at: app.clock.now(), requestId };
  const made = await acceptFor(app, callerOf(agent, schedule), tickRequest(agent, schedule, tick), {
    taskId,
    read: async (tx) =>
      (await tx.get(runDoc(taskId))) === undefined ? (to, run) => note(to, { run }) : undefined,
  });
  if (made !== undefined && isRefused(made)) return made;
  return (await app.store.get(runDoc(taskId))) ?? notAllowed('RUN_NOT_FOUND', 'run not found');
}
