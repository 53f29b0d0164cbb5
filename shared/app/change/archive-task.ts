import { taskToProtoJson, timestamp } from '../../domain/proto-json.ts';
import type { Archived, Run } from '../../domain/run.ts';
import type { StoredSnapshot } from '../../domain/task.ts';
import { Contention } from '../../ports/faults.ts';
import type { Blob } from '../../ports/blobs.ts';
import type { App } from '../app.ts';
import type { ViewDoc } from '../records/documents.ts';
import { objectPrefix } from '../content/objects.ts';
import type { SealingKey } from '../content/sealing-key.ts';
import { sealObject } from '../content/sealing.ts';
import { taskOf, unsealTask } from '../content/snapshot.ts';
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

/** A view as stored, and what it holds where that is known unsealed. */
export interface ShownView {
  readonly view: ViewDoc;
  readonly snapshot?: StoredSnapshot;
}

/**
 * Writes the pointer and the standard A2A Task as objects (G20): a copy for readers without our
 * code, never read by us while there is a row (docs/archive.md). The write is conditional on the
 * generation; a newer task that is there already is success. `sealed` keeps the copy under the
 * run's key, so that it ends with it; `off` keeps none. Answers the copy that is there now, and the
 * revision that this call has brought or found.
 */
export async function archiveTask(
  app: App,
  runKey: SealingKey,
  { view, snapshot }: ShownView,
  { archive: mode, archived }: Pick<Run, 'archive' | 'archived'>,
): Promise<Archived | undefined> {
  if (mode === 'off') return undefined;
  const attributes = { task: view.taskId, revision: view.projectedRevision, mode };
  return traced(
    app,
    'archive',
    () => ({ attributes }),
    async () => {
      const task =
        snapshot === undefined
          ? await unsealTask(app, runKey, view)
          : await taskOf(app, runKey, view, snapshot);
      const plain = Buffer.from(JSON.stringify(taskToProtoJson(task)));
      const sealed = mode === 'sealed';
      const copy: Copy = {
        name: archiveNames(runKey)[mode],
        body: sealed ? sealObject(runKey, ['archive'], plain) : plain,
        contentType: sealed ? 'application/octet-stream' : 'application/json',
        metadata: { ...ageOf(view), ...(!sealed && whose(view)) },
        age: [view.scrubbedRevision, view.projectedRevision],
        known: archived,
      };
      if (archived !== undefined) return replace(app, copy);
      // Both are done before either fault is told: no write goes on behind it.
      const [pointed, written] = await Promise.allSettled([point(app, runKey), replace(app, copy)]);
      if (pointed.status === 'rejected') throw pointed.reason;
      if (written.status === 'rejected') throw written.reason;
      return written.value;
    },
  );
}

/** So that the context of a task is found by its id. */
async function point(app: App, { contextId, taskId }: SealingKey): Promise<void> {
  await app.blobs.put(pointerName(taskId), Buffer.from(contextId), {
    contentType: 'text/plain; charset=utf-8',
    small: true,
    expect: 'absent',
  });
}

/**
 * What the standard Task does not say and a restored one needs. The caller is named by a hash: no
 * person's name lies in the bucket.
 */
function whose({ agent, scope, createdAt }: ViewDoc): Readonly<Record<string, string>> {
  return { agent, scope, created: timestamp(createdAt) };
}

/**
 * How new a copy is: of two the one made after the later scrub, then the one of the later revision.
 */
export type Age = readonly [scrubbed: number, revision: number];

export const ageOfCopy = ({ metadata }: Pick<Blob, 'metadata'>): Age => [
  Number(metadata['scrubbed'] ?? 0),
  Number(metadata['revision'] ?? 0),
];

function ageOf({ projectedRevision, scrubbedRevision }: ViewDoc): Readonly<Record<string, string>> {
  const revision = String(projectedRevision);
  return scrubbedRevision === 0 ? { revision } : { revision, scrubbed: String(scrubbedRevision) };
}

interface Copy {
  readonly name: string;
  readonly body: Uint8Array;
  readonly contentType: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly age: Age;
  /** What its row knows of the one before. */
  readonly known: Archived | undefined;
}

async function replace(app: App, copy: Copy): Promise<Archived> {
  const { age, name, body, contentType, metadata } = copy;
  const [scrubbed, revision] = age;
  // Most tasks are archived once, and the others by rows that know the copy before: the first try
  // needs no look at what is there.
  let expect = copy.known?.generation ?? 'absent';
  for (let round = 1; round <= ROUNDS; round += 1) {
    const write = { contentType, metadata, expect, small: true };
    const written = await app.blobs.put(name, body, write);
    if (written !== 'stale') return { revision, generation: written.generation };
    const present = await app.blobs.get(name);
    const [epoch, there] = present === undefined ? [0, 0] : ageOfCopy(present);
    const newer = epoch > scrubbed || (epoch === scrubbed && there >= revision);
    // The writer of the newer copy notes it, once the files that belong to it are written, too.
    if (present !== undefined && newer) return { revision, generation: present.generation };
    expect = present?.generation ?? 'absent';
  }
  throw new Contention(ROUNDS);
}
