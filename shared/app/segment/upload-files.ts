import {
  type Arrival,
  arrived,
  type ContextFiles,
  type Descended,
  filesOf,
  fitsInto,
  headOf,
  kept,
  meetingOf,
  type PackChange,
} from '../../domain/context-files.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { Run } from '../../domain/run.ts';
import { Fault } from '../../ports/faults.ts';
import {
  type CommitWords,
  PackGone,
  type Saved,
  type Workspace,
  type WorkspaceLimits,
} from '../../ports/workspaces.ts';
import type { App } from '../app.ts';
import { repositoryOf } from '../files/repository.ts';
import { filesDoc } from '../records/files-document.ts';

/** The task's files hold what may not be kept any more (G7). */
export class FilesBarred extends Fault {
  constructor(taskId: string) {
    super('FilesBarred', 'stop', `the files of ${taskId} may not be kept any more`);
  }
}

/** `kept`: the task goes on with them. `arrived`: it completes, and they become its context's. */
export type FilesStep = 'kept' | 'arrived';

/** Uploaded, over a list of packs that may have moved when it is committed. */
export interface Upload {
  readonly known: ContextFiles;
  readonly step: FilesStep;
  readonly arrival: Arrival;
  readonly packs: PackChange;
  /** The task's metadata, where its files did not become those of its context. */
  readonly metadata?: JsonObject;
  /** It is committed already. */
  readonly same: boolean;
}

/** A list that moves more often than this while files are merged: the task's stay a branch. */
const MERGES = 8;
/** A pack that is gone was replaced; this often in a row something else is wrong. */
const READS = 5;

/** What a folder holds by now, uploaded for the row as it is by now. */
export class FolderUploads {
  readonly #app: App;
  readonly #run: Run;
  readonly #workspace: Workspace;
  readonly #limits: WorkspaceLimits;
  #last: Upload | undefined;
  #failures = 0;
  #merges = 0;

  constructor(app: App, run: Run, workspace: Workspace, limits: WorkspaceLimits) {
    this.#app = app;
    this.#run = run;
    this.#workspace = workspace;
    this.#limits = limits;
  }

  /** A call failed, and may have left something that no row will name. */
  get leftSomething(): boolean {
    return this.#failures > 0;
  }

  /** Throws WorkspaceRefused, FilesBarred, Unavailable. */
  async make(step: FilesStep): Promise<Upload> {
    for (let read = 1; ; read += 1) {
      const known = await this.#known();
      if (this.#last !== undefined && isFresh(this.#last, step, known, this.#run.taskId))
        return { ...this.#last, known };
      try {
        this.#last = await this.#upload(step, known);
        return this.#last;
      } catch (error) {
        this.#failures += 1;
        if (!(error instanceof PackGone) || read === READS) throw error;
      }
    }
  }

  async #known(): Promise<ContextFiles> {
    const { contextId, scope, taskId } = this.#run;
    const known = await this.#app.store.get(filesDoc(scope, contextId));
    const own = known && filesOf(known, taskId);
    if (known === undefined || own === undefined || own.barred) throw new FilesBarred(taskId);
    return known;
  }

  async #upload(step: FilesStep, known: ContextFiles): Promise<Upload> {
    const { taskId } = this.#run;
    const base = filesOf(known, taskId)?.base ?? undefined;
    const parents = base === undefined ? [] : [base.commit.id];
    const state = step === 'arrived' ? 'COMPLETED' : 'WORKING';
    const saved = await this.#workspace.save(
      repositoryOf(this.#run, known),
      this.#said(`Task ${taskId}: ${state}`, parents),
    );
    const own: Descended = { commit: saved.commit, parents };
    const packs = { ...saved, replaced: [...saved.replaced, ...this.#abandoned(known)] };
    const same = saved.commit.id === filesOf(known, taskId)?.own?.commit.id;
    const upload = { known, step, arrival: { own }, packs, same };
    const meeting = meetingOf(known, taskId);
    if (step === 'kept' || meeting.kind === 'forward') return upload;
    return this.#merge(upload, meeting);
  }

  /** What an upload has left that was out of date before it was listed: deleted with others. */
  #abandoned({ packs }: ContextFiles): readonly string[] {
    const listed = new Set(packs.map(({ name }) => name));
    const added = this.#last?.packs.added ?? [];
    return added.flatMap(({ name }) => (listed.has(name) ? [] : [name]));
  }

  async #merge(
    upload: Upload,
    { base, head }: Extract<ReturnType<typeof meetingOf>, { kind: 'merge' }>,
  ): Promise<Upload> {
    const { taskId } = this.#run;
    const { own } = upload.arrival;
    const { known, packs } = upload;
    this.#merges += 1;
    if (this.#merges > MERGES) return asBranch(upload, taskId, { reason: 'busy' });
    const { replaced } = packs;
    const listed = [...known.packs.filter(({ name }) => !replaced.includes(name)), ...packs.added];
    const parents = [head.id, own.commit.id];
    const merged = await this.#app.workspaces.merge(
      { ...repositoryOf(this.#run, known), packs: listed },
      { base, ours: head, theirs: own.commit },
      this.#limits,
      this.#said(`Merge task ${taskId}`, parents),
    );
    if (merged.kind === 'too-large') {
      const { limit, what } = merged;
      return asBranch(upload, taskId, { reason: 'too-large', what, limit });
    }
    if (merged.kind === 'overlap') {
      const { more, paths } = merged;
      return asBranch(upload, taskId, {
        reason: 'overlap',
        paths: [...paths],
        ...(more > 0 && { more }),
      });
    }
    const both = joined(packs, merged.saved);
    const made = { commit: merged.saved.commit, parents };
    return { ...upload, arrival: { own, merged: made }, packs: both };
  }

  #said(words: string, parents: readonly string[]): CommitWords {
    // No content: a caller's words may stand only where their ceiling allows it.
    return { author: this.#run.agent, at: this.#app.clock.now(), parents, message: words };
  }
}

/**
 * It may be listed as it is: the packs it replaces are there, and the context has not moved. Or it
 * is listed already, and only the answer of that commit was lost.
 */
export function isFresh(
  upload: Upload,
  step: FilesStep,
  current: ContextFiles,
  taskId: string,
): boolean {
  const { known, arrival, packs } = upload;
  const own = filesOf(current, taskId);
  if (upload.step !== step || own === undefined || own.barred) return false;
  if (own.own?.commit.id === arrival.own.commit.id && (step === 'kept' || own.order > 0))
    return true;
  if (!fitsInto(packs, known, current)) return false;
  return (
    step === 'kept' ||
    arrival.branch === true ||
    headOf(known)?.commit.id === headOf(current)?.commit.id
  );
}

/** The row with this upload in it. */
export function withUpload(
  current: ContextFiles,
  taskId: string,
  { arrival, packs, step }: Upload,
  doomedAfter: number,
): ContextFiles {
  return step === 'arrived'
    ? arrived(current, taskId, arrival, packs, doomedAfter)
    : kept(current, taskId, arrival.own, packs, doomedAfter);
}

function asBranch(upload: Upload, taskId: string, why: JsonObject): Upload {
  const { own } = upload.arrival;
  const branch = `refs/heads/${taskId}`;
  return {
    ...upload,
    arrival: { own, branch: true },
    metadata: { files: { branch, commit: own.commit.id, ...why } },
  };
}

/** A pack of the first that the second has gathered was never listed: it is deleted with others. */
function joined(first: PackChange, second: Pick<Saved, 'added' | 'replaced'>): PackChange {
  const left = first.added.filter(({ name }) => !second.replaced.includes(name));
  return {
    added: [...left, ...second.added],
    replaced: [...first.replaced, ...second.replaced],
  };
}
