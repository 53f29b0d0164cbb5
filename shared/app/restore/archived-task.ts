import { z } from 'zod';
import type { Millis } from '../../domain/brand.ts';
import { agentName, contextId, type ContextId, type TaskId } from '../../domain/ids.ts';
import { taskFromProtoJson } from '../../domain/task-from-json.ts';
import type { Task } from '../../domain/task.ts';
import type { ArchiveSource } from '../../ports/archive-source.ts';
import type { Blob } from '../../ports/blobs.ts';
import { ageOfCopy, archiveNames, pointerName } from '../change/archive-task.ts';
import { problem, type Problem } from './problem.ts';
import type { Whose } from './whose.ts';

/** A task as its archive holds it. */
export interface ArchivedTask {
  readonly kind: 'task';
  readonly task: Task;
  readonly revision: number;
  /** Content of revisions up to this one had been destroyed when the copy was made. */
  readonly scrubbed: number;
  readonly generation: string;
  /** What its object says; undefined where it does not, as in a folder. */
  readonly whose: Whose | undefined;
  readonly createdAt: Millis | undefined;
}

const metadata = z.object({
  agent: z.string().refine((name) => agentName(name) !== undefined),
  scope: z.string().regex(/^[0-9a-f]{40}$/),
  created: z.iso.datetime().transform(Date.parse),
});

/** By its id alone, as any reader would: through the pointer. Throws Unavailable. */
export async function readArchived(
  source: ArchiveSource,
  taskId: TaskId,
): Promise<ArchivedTask | Problem> {
  const pointer = await source.get(pointerName(taskId));
  const named = pointer && contextId(textOf(pointer).trim());
  if (named === undefined) return problem(taskId, 'bad-pointer');
  const copy = await source.get(archiveNames({ taskId, contextId: named }).standard);
  if (copy === undefined) return whyMissing(source, taskId, named);
  const task = taskFromProtoJson(textOf(copy));
  if ('problem' in task) return problem(taskId, 'not-a-task', task.problem);
  if (task.taskId !== taskId || task.contextId !== named) return problem(taskId, 'other-task');
  const [scrubbed, revision] = ageOfCopy(copy);
  const said = metadata.safeParse(copy.metadata);
  return {
    kind: 'task',
    task,
    revision: natural(revision, 1),
    scrubbed: natural(scrubbed, 0),
    generation: copy.generation,
    ...whatIsSaid(said.data),
  };
}

function whatIsSaid(said: z.output<typeof metadata> | undefined) {
  if (said === undefined) return { whose: undefined, createdAt: undefined };
  const { agent, scope, created } = said;
  return { whose: { agent, scope } as Whose, createdAt: created };
}

async function whyMissing(
  source: ArchiveSource,
  taskId: TaskId,
  named: ContextId,
): Promise<Problem> {
  const sealed = await source.get(archiveNames({ taskId, contextId: named }).sealed);
  return problem(taskId, sealed === undefined ? 'no-copy' : 'sealed');
}

const textOf = ({ body }: Pick<Blob, 'body'>): string => Buffer.from(body).toString('utf8');

function natural(value: number, least: number): number {
  return Number.isSafeInteger(value) && value >= least ? value : least;
}
