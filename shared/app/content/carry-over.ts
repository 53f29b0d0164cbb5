import { type Orphan, withOrphans } from '../../domain/dependency.ts';
import type { Run, WaitingForDependency } from '../../domain/run.ts';
import { Unreadable } from '../../ports/faults.ts';
import { carriedActs } from './acts.ts';
import type { App } from '../app.ts';
import { carriedOperation } from './operation.ts';
import { carriedPayloadKey } from './payload.ts';
import type { Place } from './place.ts';

type Carried = Partial<
  Pick<WaitingForDependency, 'payloadKey' | 'orphans' | 'acts' | 'dependency'>
>;

/**
 * What a row holds sealed with its run's key, under a new one: an answer that is tightened to redacted text takes nothing from the
 * run's own work. Throws Unreadable.
 */
export function carriedOver(app: App, run: Run, before: Place, after: Place): Carried {
  const payloadKey = carriedPayloadKey(app, run, before, after);
  return {
    ...(payloadKey && { payloadKey }),
    ...carriedOrphans(app, run, before, after),
    ...carriedActs(app, run, before, after),
    ...(run.status === 'waiting_for_dependency' && {
      dependency: carriedOperation(app, run.dependency, before, after),
    }),
  };
}

/** The remote tasks that are still to be cancelled. One that can't be read any more nobody could cancel. */
export function carriedOrphans(
  app: App,
  { orphans = [] }: Run,
  before: Place,
  after: Place,
): { readonly orphans?: readonly Orphan[] } {
  return withOrphans(orphans.flatMap((orphan) => carriedIfReadable(app, orphan, before, after)));
}

function carriedIfReadable(app: App, orphan: Orphan, before: Place, after: Place): Orphan[] {
  try {
    return [carriedOperation(app, orphan, before, after)];
  } catch (error) {
    if (error instanceof Unreadable) return [];
    throw error;
  }
}
