import { type Orphan, withOrphans } from '../../domain/dependency.ts';
import type { Run, WaitingForDependency } from '../../domain/run.ts';
import { Unreadable } from '../../ports/faults.ts';
import { resealOperatorActions } from './operator-actions.ts';
import type { App } from '../app.ts';
import { trailCeiling } from '../../domain/trail.ts';
import { type RowKeys, trailAt } from './trail-key.ts';
import { resealRemoteTask } from './remote-task-ref.ts';
import { resealWebhookKey } from './webhook-target.ts';
import { resealWorkKey } from './work-key.ts';
import type { SealingKey } from './sealing-key.ts';

type Resealed = Partial<
  Pick<
    WaitingForDependency,
    'payloadKey' | 'trail' | 'orphans' | 'acts' | 'dependency' | 'webhooks'
  >
>;

/**
 * Everything in a row that is sealed with the run key, under a new one: redacting what is stored
 * takes nothing from the run's work. Throws Unreadable.
 */
export function resealWork(app: App, run: Run, before: SealingKey, after: SealingKey): Resealed {
  const payloadKey = resealWorkKey(app, run, before, after);
  return {
    ...(payloadKey && { payloadKey }),
    ...resealTrail(app, run, { before, after }),
    ...resealOrphans(app, run, before, after),
    ...resealOperatorActions(app, run, before, after),
    ...resealWebhookKey(app, run, before, after),
    ...(run.status === 'waiting_for_dependency' && {
      dependency: resealRemoteTask(app, run.dependency, before, after),
    }),
  };
}

/** What its ceilings still allow of it. */
function resealTrail(app: App, run: Run, keys: RowKeys): Pick<Resealed, 'trail'> {
  const trail = run.trail && trailAt(app, run.trail, trailCeiling(run), keys);
  return trail === undefined ? {} : { trail };
}

/**
 * The remote tasks that are still to be cancelled. An unreadable one is dropped: it could not be
 * cancelled anyway.
 */
export function resealOrphans(
  app: App,
  { orphans = [] }: Run,
  before: SealingKey,
  after: SealingKey,
): { readonly orphans?: readonly Orphan[] } {
  return withOrphans(orphans.flatMap((orphan) => resealIfReadable(app, orphan, before, after)));
}

function resealIfReadable(
  app: App,
  orphan: Orphan,
  before: SealingKey,
  after: SealingKey,
): Orphan[] {
  try {
    return [resealRemoteTask(app, orphan, before, after)];
  } catch (error) {
    if (error instanceof Unreadable) return [];
    throw error;
  }
}
