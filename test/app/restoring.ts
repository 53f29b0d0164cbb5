import type { DefinedAgent } from '../../shared/agent/index.ts';
import { sourceOf } from '../../shared/app/restore/own-source.ts';
import type { Problem } from '../../shared/app/restore/problem.ts';
import { type RestoreOptions, restoreTasks } from '../../shared/app/restore/restore-tasks.ts';
import { World, type WorldOptions } from './world.ts';

/** The same bucket, with an empty database and another key. */
export function afterLoss(lost: World, agent: DefinedAgent, options: WorldOptions = {}): World {
  const { wrapBlobs = (blobs) => blobs } = options;
  return new World(agent, { seed: 7, ...options, wrapBlobs: () => wrapBlobs(lost.blobs) });
}

/** Restores from the world's own bucket. */
export async function restored(world: World, over: Partial<RestoreOptions> = {}) {
  const problems: Problem[] = [];
  const counts = await restoreTasks(world.app, sourceOf(world.app.blobs), {
    dryRun: false,
    own: true,
    report: (problem) => problems.push(problem),
    ...over,
  });
  return { counts, problems };
}

/** Everything that is stored, to be compared with itself. */
export function image(world: World, blobs = world.blobs): string {
  const rows = world.backend.everything().map(({ path, fields }) => [path, fields]);
  const objects = [...blobs.objects]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([name, { body, metadata }]) => [name, Buffer.from(body).toString('base64'), metadata]);
  return JSON.stringify([rows, objects]);
}
