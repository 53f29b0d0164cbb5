import type { App } from '../app.ts';
import { ageOfCopy, archiveNames, pointerName } from './archive-task.ts';
import { blobFolder, objectPrefix } from '../content/objects.ts';
import { workspaceName } from '../files/repository.ts';
import { type Run, stateOf } from '../../domain/run.ts';
import { boundView } from '../content/bindings.ts';
import { sealFields } from '../content/content.ts';
import { SCHEMA_VERSION, type ViewDoc, viewDoc } from '../records/documents.ts';
import type { SealingKey } from '../content/sealing-key.ts';
import type { PackedSnapshot } from '../content/snapshot.ts';

const PAGE = 100;

/**
 * Deletes, with all generations, the objects that scrubbed content lies in. Their key is gone
 * already; only the plain archive could still be read. Runs before the next archive is written, and
 * again after a crash, until the run's note says done.
 */
export async function deleteScrubbed(app: App, runKey: SealingKey): Promise<void> {
  const { standard, sealed } = archiveNames(runKey);
  for (const name of [standard, sealed]) {
    const present = await app.blobs.get(name);
    if (present === undefined) continue;
    const [scrubbed] = ageOfCopy(present);
    if (scrubbed < runKey.scrubbedRevision) await app.blobs.delete(name);
  }
  // Files can't be redacted.
  await app.blobs.delete(workspaceName(runKey.contextId, runKey.taskId));
  await deleteAll(app, `${objectPrefix(runKey)}/blobs/`, `${blobFolder(runKey)}/`);
}

/** Deletes everything that belongs to a task, whatever mode it was archived in. */
export async function deleteObjects(
  app: App,
  task: Pick<SealingKey, 'taskId' | 'contextId'>,
): Promise<number> {
  const deleted = await deleteAll(app, `${objectPrefix(task)}/`);
  await app.blobs.delete(pointerName(task.taskId));
  return deleted;
}

async function deleteAll(app: App, prefix: string, keep?: string): Promise<number> {
  let deleted = 0;
  let after: string | undefined;
  for (;;) {
    const names = (await app.blobs.list(prefix, PAGE, after)).map(({ name }) => name);
    // The plain archive first: it is the only thing that could still be read.
    for (const name of names.toSorted(plainFirst)) {
      if (keep !== undefined && name.startsWith(keep)) continue;
      await app.blobs.delete(name);
      deleted += 1;
    }
    after = names.at(-1);
    if (names.length < PAGE || after === undefined) return deleted;
  }
}

/**
 * The view after its content was destroyed or replaced: its run's new key, the new content, no
 * older pages.
 */
export function scrubbedView(
  app: App,
  run: Run,
  present: Omit<ViewDoc, 'content'>,
  { packed, pages, runKey }: PackedSnapshot & { readonly runKey: SealingKey },
): ViewDoc {
  const clear = {
    ...present,
    wrappedKey: run.wrappedKey,
    scrubbedRevision: run.scrubbedRevision,
    pages: pages.map((page) => ({ ...page })),
  };
  return {
    ...clear,
    ...sealFields(app, runKey, viewDoc(run.taskId).path, packed, boundView(clear)),
  };
}

/**
 * A run that was scrubbed before it was ever projected: a projector that read it before must find
 * that something moved.
 */
export function unprojected(run: Run): Omit<ViewDoc, 'content'> {
  const { taskId, contextId, agent, tenant, owner, scope, listShard } = run;
  const { statusAt, createdAt, wrappedKey } = run;
  const whose = { taskId, contextId, agent, tenant, owner, scope, listShard };
  return {
    v: SCHEMA_VERSION,
    ...whose,
    state: stateOf(run),
    statusAt,
    createdAt,
    projectedRevision: 0,
    lastSeq: 0,
    wrappedKey,
    scrubbedRevision: 0,
    pages: [],
  };
}

function plainFirst(a: string, b: string): number {
  return Number(b.endsWith('/task.json')) - Number(a.endsWith('/task.json'));
}
