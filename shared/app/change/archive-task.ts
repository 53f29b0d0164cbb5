import { taskToProtoJson } from '../../domain/proto-json.ts';
import type { ArchiveMode } from '../../domain/ceiling.ts';
import { Contention } from '../../ports/faults.ts';
import type { App } from '../app.ts';
import type { ViewDoc } from '../records/documents.ts';
import { objectPrefix } from '../content/objects.ts';
import type { SealingKey } from '../content/sealing-key.ts';
import { sealObject } from '../content/sealing.ts';
import { unsealTask } from '../content/snapshot.ts';
import { traced } from '../tracing.ts';

/**
 * Only its projectors write a task's archive; more than a few rounds mean that something else is
 * wrong.
 */
const ROUNDS = 8;

export const pointerName = (taskId: string): string => `tasks/${taskId}/contextId.txt`;
export const archiveNames = (task: Pick<SealingKey, 'taskId' | 'contextId'>) => ({
  standard: `${objectPrefix(task)}/task.json`,
  sealed: `${objectPrefix(task)}/task.json.sealed`,
});

/**
 * Writes the pointer and the standard A2A Task as objects (G20): a copy for readers without our
 * code, never read by us. The write is conditional on the generation; a newer task that is there
 * already is success. `sealed` keeps the copy under the run's key, so that it ends with it; `off`
 * keeps none.
 */
export async function archiveTask(
  app: App,
  runKey: SealingKey,
  view: ViewDoc,
  mode: ArchiveMode = 'standard',
): Promise<void> {
  if (mode === 'off') return;
  const attributes = { task: view.taskId, revision: view.projectedRevision, mode };
  await traced(
    app,
    'archive',
    () => ({ attributes }),
    () => archive(app, runKey, view, mode),
  );
}

async function archive(
  app: App,
  runKey: SealingKey,
  view: ViewDoc,
  mode: Exclude<ArchiveMode, 'off'>,
): Promise<void> {
  const plain = Buffer.from(JSON.stringify(taskToProtoJson(await unsealTask(app, runKey, view))));
  await app.blobs.put(pointerName(runKey.taskId), Buffer.from(runKey.contextId), {
    contentType: 'text/plain; charset=utf-8',
    expect: 'absent',
  });
  const names = archiveNames(runKey);
  const sealed = mode === 'sealed';
  const body = sealed ? sealObject(runKey, ['archive'], plain) : plain;
  const contentType = sealed ? 'application/octet-stream' : 'application/json';
  await replace(app, names[mode], body, contentType, view.projectedRevision);
}

async function replace(
  app: App,
  name: string,
  body: Uint8Array,
  contentType: string,
  revision: number,
): Promise<void> {
  const metadata = { revision: String(revision) };
  // Most tasks are archived once, so the first try needs no look at what is there.
  let expect = 'absent';
  for (let round = 1; round <= ROUNDS; round += 1) {
    const written = await app.blobs.put(name, body, { contentType, metadata, expect });
    if (written !== 'stale') return;
    const present = await app.blobs.get(name);
    if (Number(present?.metadata['revision'] ?? 0) >= revision) return;
    expect = present?.generation ?? 'absent';
  }
  throw new Contention(ROUNDS);
}
