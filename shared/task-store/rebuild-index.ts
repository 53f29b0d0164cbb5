import type { Blobs } from '../ports/blobs.ts';
import type { Log } from '../ports/log.ts';
import { isTaskName, placeOf, type Scope } from './layout.ts';
import { readable } from './list-tasks.ts';
import { namesUnder } from './names-under.ts';
import type { TaskIndex } from './task-index.ts';

export interface RebuiltIndex {
  /** Tasks in the bucket, each of which has a row now. */
  readonly tasks: number;
  /** Rows of tasks that are not in the bucket. */
  readonly removed: number;
}

/**
 * Makes the index what the bucket says, of every owner under the prefix. Servers may go on
 * meanwhile: what they record is newer, and stays. May be run again at any time.
 */
export async function rebuildIndex(
  blobs: Blobs,
  index: TaskIndex,
  prefix: string,
  log: Log | undefined,
): Promise<RebuiltIndex> {
  let tasks = 0;
  for (const folder of ['contexts/', 'scopes/']) {
    for await (const names of namesUnder(blobs, `${prefix}${folder}`)) {
      for (const name of names) {
        if (await recordObject(blobs, index, prefix, name, log)) tasks += 1;
      }
    }
  }
  let removed = 0;
  for await (const rows of index.all(prefix)) {
    for (const { scope, id, contextId } of rows) {
      const place = placeOf(scope, id, contextId);
      if (place !== undefined && (await blobs.get(place.task)) !== undefined) continue;
      await index.forget(scope, id);
      removed += 1;
    }
  }
  return { tasks, removed };
}

async function recordObject(
  blobs: Blobs,
  index: TaskIndex,
  prefix: string,
  name: string,
  log: Log | undefined,
): Promise<boolean> {
  const scope = scopeOfName(prefix, name);
  if (!isTaskName(scope, name)) return false;
  const found = await readable(blobs, name, log);
  const place = found && placeOf(scope, found.task.id, found.task.contextId);
  if (found === undefined || place?.task !== name) return false;
  // An object that no store of ours wrote has no revision; it is there all the same.
  await index.record(place, found.task, Math.max(found.revision, 1));
  return true;
}

function scopeOfName(prefix: string, name: string): Scope {
  const [scope = ''] = /^scopes\/[0-9a-f]{40}\//.exec(name.slice(prefix.length)) ?? [];
  return { prefix: `${prefix}${scope}` };
}
