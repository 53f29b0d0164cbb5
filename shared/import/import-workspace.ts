import { workspaceName } from '../app/files/repository.ts';
import type { Task } from '../domain/task.ts';
import type { ArchiveSource } from '../ports/archive-source.ts';
import type { Blobs } from '../ports/blobs.ts';
import { importProblem, type ImportProblem } from './import-problem.ts';

/** What an archive holds can't be taken; `rule` says why, in words. */
export interface Refusal {
  readonly rule: string;
}

/**
 * Hands on the bytes of a `.tar.gz` as they come, and checks what they are: the last is not handed
 * on before all of it was found good. Throws its refusal, which `refusalOf` knows.
 */
export interface WorkspaceCheck {
  pass(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  refusalOf(error: unknown): Refusal | undefined;
}

export interface WorkspacePorts {
  readonly source: ArchiveSource;
  readonly blobs: Blobs;
  readonly check: WorkspaceCheck;
  /** Reads and checks it, and writes nothing. */
  readonly dryRun: boolean;
}

/**
 * Copies a workspace beside its task, while it is checked: what is refused is not written at all.
 * Answers its bytes, or undefined if there is none. Throws Unavailable.
 */
export async function importWorkspace(
  { blobs, check, dryRun, source }: WorkspacePorts,
  name: string,
  task: Task,
): Promise<number | ImportProblem | undefined> {
  const found = await source.getStream(`tasks/${name}/workspace.tar.gz`);
  if (found === undefined) return undefined;
  const body = new Begun(found.body);
  try {
    if (dryRun) await toTheEnd(check.pass(body));
    else
      await blobs.putStream(workspaceName(task.contextId, task.taskId), check.pass(body), {
        contentType: 'application/gzip',
        // `stale`: an import that broke off has copied it.
        expect: 'absent',
      });
    if (!body.begun) await letGo(found.body);
    return found.size;
  } catch (error) {
    const refusal = check.refusalOf(error);
    if (refusal === undefined) throw error;
    return importProblem(name, 'workspace-refused', refusal.rule);
  }
}

/** A body that is not read stays open: an iteration that was begun can be ended. */
export async function letGo(body: AsyncIterable<Uint8Array>): Promise<void> {
  const pieces = body[Symbol.asyncIterator]();
  await pieces.next();
  await pieces.return?.();
}

export async function toTheEnd(body: AsyncIterable<unknown>): Promise<void> {
  const pieces = body[Symbol.asyncIterator]();
  while ((await pieces.next()).done !== true) continue;
}

/** Whether anything was read of it. */
class Begun implements AsyncIterable<Uint8Array> {
  begun = false;
  readonly #body: AsyncIterable<Uint8Array>;

  constructor(body: AsyncIterable<Uint8Array>) {
    this.#body = body;
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    this.begun = true;
    return this.#body[Symbol.asyncIterator]();
  }
}
