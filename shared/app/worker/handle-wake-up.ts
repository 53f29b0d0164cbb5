import type { TaskId } from '../../domain/ids.ts';
import type { Delivered, WakeUp } from '../../ports/queue.ts';
import type { Span } from '../../ports/tracer.ts';
import { isFault } from '../../ports/faults.ts';
import type { App } from '../app.ts';
import { claimRun } from '../segment/claim-run.ts';
import { coordinate } from '../delegation/coordinate.ts';
import { runDoc } from '../records/documents.ts';
import { projectRun } from '../change/project-run.ts';
import { tidyRun } from '../change/tidy-run.ts';
import { endTrail } from '../privacy/end-trail.ts';
import { noteRemoved, type Overdue, purgeOverdue } from '../privacy/purge-overdue.ts';
import { isTimeSteady } from '../records/steady-time.ts';
import { PURGES_AT_ONCE } from './purge-batches.ts';
import { runSegment } from './run-segment.ts';
import { sweepRun } from './sweep.ts';
import { tracedFrom } from '../tracing.ts';
import { faultName } from '../wake-up.ts';
import { tellWebhooks } from '../webhooks/tell-webhooks.ts';

/**
 * What a wake-up makes happen. The row decides: one that comes twice, late or for a row that is
 * past it does nothing. `again` only for our own infrastructure's faults
 * (docs/architecture.md#wake-ups-and-obligations).
 */
export function handleWakeUp(app: App, wakeUp: WakeUp): Promise<Delivered> {
  const { kind, taskId: task, revision, repeat } = wakeUp;
  const given = () => ({
    kind: 'consumer' as const,
    attributes: { wakeUp: kind, task, revision, repeat },
  });
  return tracedFrom(app, 'wake-up', wakeUp.trace, given, async (traceable, span) => {
    const delivered = await handle(traceable, wakeUp, span);
    span?.set({ delivered });
    return delivered;
  });
}

async function handle(app: App, wakeUp: WakeUp, span: Span | undefined): Promise<Delivered> {
  const dispatched = app.clock.now();
  try {
    switch (wakeUp.kind) {
      case 'run': {
        const delivery = { due: wakeUp.at, dispatched };
        const claimed = await claimRun(app, wakeUp, delivery);
        if (claimed !== undefined)
          await runSegment(app, claimed, app.agents.get(claimed.run.agent), delivery);
        break;
      }
      case 'project':
        await projectRun(app, wakeUp.taskId);
        break;
      case 'purge':
        // The sweeper says so again; what an operator removes does not come this way.
        if (await isTimeSteady(app)) await purgeAll(app, [wakeUp.taskId, ...(wakeUp.also ?? [])]);
        break;
      case 'files':
        if (await isTimeSteady(app)) await tidyRun(app, wakeUp.taskId);
        break;
      case 'trail':
        if (await isTimeSteady(app)) await endTrail(app, wakeUp.taskId);
        break;
      case 'check-lease':
      case 'deadline': {
        const run = await app.store.get(runDoc(wakeUp.taskId));
        if (run !== undefined) await sweepRun(app, run);
        break;
      }
      case 'poll':
      case 'dependency-deadline':
      case 'cancel-remote':
        await coordinate(app, wakeUp);
        break;
      case 'push':
        await tellWebhooks(app, wakeUp);
        break;
      case 'notice':
        if (wakeUp.target !== undefined) await app.tellTarget?.(app, wakeUp.target);
        break;
      default:
        wakeUp.kind satisfies never;
    }
    return 'done';
  } catch (error) {
    const fault = faultName(error);
    span?.fail(fault);
    app.log.write('warning', 'wake-up failed', { task: wakeUp.taskId, kind: wakeUp.kind, fault });
    return isFault(error) && error.advice === 'stop' ? 'done' : 'again';
  }
}

/** Each run has its own try; then the first fault counts. */
async function purgeAll(app: App, taskIds: readonly TaskId[]): Promise<void> {
  const failed: unknown[] = [];
  const fates: Overdue[] = [];
  for (let at = 0; at < taskIds.length; at += PURGES_AT_ONCE) {
    const some = taskIds.slice(at, at + PURGES_AT_ONCE);
    const outcomes = await Promise.allSettled(some.map((taskId) => purgeOverdue(app, taskId)));
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') failed.push(outcome.reason);
      else fates.push(outcome.value);
  }
  await noteRemoved(app, fates);
  if (failed.length > 0) throw failed[0];
}
