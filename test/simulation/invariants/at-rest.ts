import { isEnded, type Run } from '../../../shared/domain/run.ts';
import { allRuns } from '../../../testing/rows.ts';
import type { World } from '../world.ts';
import { noticesRest } from './notices.ts';
import { webhooksRest } from './webhooks.ts';

/** It ended, or waits for a person. */
export function isStill(run: Run): boolean {
  const waits = run.status === 'waiting_for_input' || run.status === 'waiting_for_approval';
  return isEnded(run) || waits;
}

/**
 * Nothing is to be done for this run: it ended or waits for a person, and everything that it made
 * public is shown.
 */
export function rests(run: Run): boolean {
  const shown = run.projectedRevision === run.revision && run.archivePending === undefined;
  const told = run.webhooks === undefined || run.webhooks.told >= run.projectedRevision;
  return told && isStill(run) && (run.orphans ?? []).length === 0 && shown;
}

export function atRest(world: World): boolean {
  return (
    allRuns(world.backend).every(rests) &&
    webhooksRest(world) &&
    noticesRest(world) &&
    world.processes.every((each) => each.app.segments.size === 0)
  );
}

/**
 * With no more faults and enough time every run ends, or waits for a person, and is shown as it is
 * (G24).
 */
export function everythingComesToRest(world: World): string | undefined {
  const restless = allRuns(world.backend).find((run) => !rests(run));
  if (restless !== undefined) {
    const { taskId, status, revision, projectedRevision } = restless;
    return `${taskId} is ${status} at revision ${revision}, shown up to ${projectedRevision}`;
  }
  if (world.cameToRest) return undefined;
  return `a story, a segment or one of ${world.queue.open} deliveries goes on for ever`;
}
