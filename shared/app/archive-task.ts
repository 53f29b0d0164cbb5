import { taskToProtoJson } from '../domain/proto-json.ts';
import { Contention } from '../ports/faults.ts';
import type { App } from './app.ts';
import type { ViewDoc } from './documents.ts';
import { objectPrefix, type Place } from './objects.ts';
import { openTask } from './snapshot.ts';

/** Writers of one task's archive are its projectors; more than a few rounds means that something else is wrong. */
const ROUNDS = 8;

/**
 * Writes the pointer and the standard A2A Task as objects (G20): a copy for readers without our code, never read by us. The
 * write is conditional on the generation; a newer task that is there already is success.
 */
export async function archiveTask(app: App, place: Place, view: ViewDoc): Promise<void> {
  const task = await openTask(app, place, view);
  const name = `${objectPrefix(place)}/task.json`;
  const body = Buffer.from(JSON.stringify(taskToProtoJson(task)));
  const metadata = { revision: String(view.projectedRevision) };
  await app.blobs.put(`tasks/${place.taskId}/contextId.txt`, Buffer.from(place.contextId), {
    contentType: 'text/plain; charset=utf-8',
    expect: 'absent',
  });
  // Most tasks are archived once, so the first try needs no look at what is there.
  let expect = 'absent';
  for (let round = 1; round <= ROUNDS; round += 1) {
    const written = await app.blobs.put(name, body, {
      contentType: 'application/json',
      metadata,
      expect,
    });
    if (written !== 'stale') return;
    const present = await app.blobs.get(name);
    if (Number(present?.metadata['revision'] ?? 0) >= view.projectedRevision) return;
    expect = present?.generation ?? 'absent';
  }
  throw new Contention(ROUNDS);
}
