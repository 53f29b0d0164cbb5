import {
  begun,
  type ContextFiles,
  filesOf,
  newContextFiles,
  startOf,
} from '../../domain/context-files.ts';
import { keepsFiles } from '../../domain/ceiling.ts';
import type { FilesCommit, RunFiles } from '../../domain/files.ts';
import type { FailureReason } from '../../domain/failure-reason.ts';
import { hasClaim, type Run } from '../../domain/run.ts';
import { Unreadable } from '../../ports/faults.ts';
import {
  PackGone,
  type Workspace,
  type WorkspaceLimits,
  WorkspaceRefused,
} from '../../ports/workspaces.ts';
import { type FilesProfile, filesLimitsOf, type Problem } from '../agents.ts';
import type { App } from '../app.ts';
import { nothing } from '../change/prepare-change.ts';
import type { Keys, Outcome, RunChange } from '../change/run-change.ts';
import type { Publication } from '../content/publication.ts';
import { repositoryOf } from '../files/repository.ts';
import { filesDoc } from '../records/files-document.ts';
import type { Lease } from './lease.ts';
import {
  FilesBarred,
  type FilesStep,
  FolderUploads,
  isFresh,
  type Upload,
  withUpload,
} from './upload-files.ts';

/** A change of the run with what the folder holds by now in the same commit. */
export interface FilesChange<S extends object, R extends object>
  extends Pick<RunChange<S, R>, 'read' | 'decide' | 'write' | 'last'> {
  /** `kept`: what the folder comes to with this change, where it comes to something new. */
  readonly seal?: (keys: Keys, kept?: FilesCommit) => S | Promise<S>;
  readonly publish?: Publication;
}

/** What a change has sealed, and what was uploaded for it. */
interface Sealed<S extends object> {
  readonly below: S;
  readonly upload: Upload;
}
/** What a change has read; the row of the context's files as listed, and as it becomes. */
interface Found<R extends object> {
  readonly found: R;
  readonly listed: ContextFiles;
  readonly files: ContextFiles;
}

/** The folder of a task, for one segment. */
export interface SegmentFiles {
  readonly folder: string;
  /** Why the run has to end because of its files; undefined as long as it need not. */
  readonly failure: FailureReason | undefined;
  /**
   * Uploads what the folder holds and commits it with the change: what is uploaded and not
   * committed is garbage, and the earlier files stay in force. Throws WorkspaceRefused, FilesBarred
   * and what a commit throws.
   */
  commit<S extends object, R extends object>(
    step: FilesStep,
    change: FilesChange<S, R>,
  ): Promise<Outcome>;
  close(): Promise<void>;
}

/**
 * Opens the folder as the task's newest commit left it, or as the task found its context: never as
 * a lost attempt left the disk. What the task began with is noted first, so that nothing of it is
 * removed meanwhile. Throws Unreadable, Unavailable.
 */
export async function openFiles(
  app: App,
  lease: Lease,
  profile: FilesProfile,
  report: (problem: Problem) => void,
): Promise<SegmentFiles | FailureReason> {
  const { run } = lease.claimed;
  if (!keepsFiles(lease.run)) return 'RESULT_NOT_KEPT';
  const files = (await present(app, run)) ?? (await begin(app, lease, profile));
  if (filesOf(files, run.taskId)?.barred === true) return 'RESULT_NOT_KEPT';
  const { commit } = run.files ?? {};
  // Two rows that one transaction writes: where they differ, one of them is damaged.
  if (commit !== undefined && startOf(files, run.taskId)?.id !== commit.id)
    throw new Unreadable(`the files of ${run.taskId}`);
  const limits = filesLimitsOf(app.settings, profile);
  const workspace = await open(app, run, limits, files);
  const uploads = new FolderUploads(app, run, workspace, limits);
  return createSegmentFiles(app, lease, workspace, uploads, report);
}

/** The row, if the task has begun there already. */
async function present(app: App, run: Run): Promise<ContextFiles | undefined> {
  if (run.files === undefined) return undefined;
  const files = await app.store.get(filesDoc(run.scope, run.contextId));
  return files && filesOf(files, run.taskId) && files;
}

async function begin(app: App, lease: Lease, { form }: FilesProfile): Promise<ContextFiles> {
  const { run, token } = lease.claimed;
  const doc = filesDoc(run.scope, run.contextId);
  const fresh = newContextFiles(run.scope, app.ids.uuid());
  const outcome = await lease.commit({
    read: async (tx) => ({ files: begun((await tx.get(doc)) ?? fresh, run.taskId) }),
    decide(current, _now, { files: { repository } }) {
      if (!hasClaim(current, token)) return undefined;
      return { ...current, files: { ...current.files, repository, form } };
    },
    write: (tx, _, { files }) => tx.set(doc, files),
  });
  const files = outcome.kind === 'changed' ? await app.store.get(doc) : undefined;
  if (files === undefined) throw new FilesBarred(run.taskId);
  return files;
}

/** A pack that is gone was replaced meanwhile: the row says by which. */
const READS = 5;

async function open(
  app: App,
  run: Run,
  limits: WorkspaceLimits,
  known: ContextFiles,
): Promise<Workspace> {
  let files = known;
  for (let read = 1; ; read += 1) {
    const at = startOf(files, run.taskId);
    try {
      return await app.workspaces.open(repositoryOf(run, files), at, limits);
    } catch (error) {
      const current = await app.store.get(filesDoc(run.scope, run.contextId));
      if (!(error instanceof PackGone) || read === READS || current === undefined) throw error;
      files = current;
    }
  }
}

function createSegmentFiles(
  app: App,
  lease: Lease,
  workspace: Workspace,
  uploads: FolderUploads,
  report: (problem: Problem) => void,
): SegmentFiles {
  const { run } = lease.claimed;
  const doc = filesDoc(run.scope, run.contextId);
  let failure: FailureReason | undefined;

  const make = async (step: FilesStep): Promise<Upload> => {
    try {
      return await uploads.make(step);
    } catch (error) {
      failure ??= failureOf(error);
      // For the agent's author: no caller and no deployed log learns what a folder holds.
      if (error instanceof WorkspaceRefused) report({ where: 'files', error });
      throw error;
    }
  };

  return {
    folder: workspace.folder,
    get failure() {
      return failure;
    },
    async commit<S extends object, R extends object>(step: FilesStep, change: FilesChange<S, R>) {
      // A folder that is refused, or unchanged, is found out before anything is committed.
      let ready: Upload | undefined = await make(step);
      if (step === 'kept' && ready.same) return lease.commit(change);
      const { publish, seal, read, decide, write } = change;
      const whole: RunChange<Sealed<S>, Found<R>> = {
        ...(publish && { publish: ({ upload }) => withMetadata(publish, upload) }),
        async seal(keys) {
          const upload = ready ?? (await make(step));
          ready = undefined;
          const { commit } = upload.arrival.own;
          return { below: seal === undefined ? nothing<S>() : await seal(keys, commit), upload };
        },
        async read(tx, current, { below, upload }) {
          const found = read === undefined ? nothing<R>() : await read(tx, current, below);
          const listed = (await tx.get(doc)) ?? upload.known;
          const after = app.clock.now() + app.settings.filesGrace;
          const files = withUpload(listed, run.taskId, upload, after);
          return { found, listed, files };
        },
        stale: ({ listed, upload }) => !isFresh(upload, step, listed, run.taskId),
        decide(current, now, { below, files, found, upload }) {
          const next = decide(current, now, { ...below, ...found });
          return next && { ...next, files: runFilesOf(current, files, upload, now) };
        },
        write(tx, next, { below, files, found }) {
          tx.set(doc, files);
          write?.(tx, next, { ...below, ...found });
        },
      };
      return lease.commit(whole);
    },
    close: () => workspace.close(),
  };

  function runFilesOf(
    current: Run,
    files: ContextFiles,
    { arrival, packs }: Upload,
    now: number,
  ): RunFiles {
    const { dueAt, ...known } = current.files ?? { repository: files.repository, form: 'git' };
    const times = [
      ...(dueAt === undefined ? [] : [dueAt]),
      ...(packs.replaced.length === 0 ? [] : [now + app.settings.filesGrace]),
      ...(uploads.leftSomething ? [now + app.settings.filesOrphans] : []),
      // This task no longer needs what another one had that is gone.
      ...(files.pruneAt !== null && files.pruneAt <= now ? [now] : []),
    ];
    return {
      ...known,
      commit: arrival.own.commit,
      ...(times.length > 0 && { dueAt: Math.min(...times) }),
    };
  }
}

function failureOf(error: unknown): FailureReason | undefined {
  if (error instanceof WorkspaceRefused) return 'FILES_REFUSED';
  return error instanceof FilesBarred ? 'RESULT_NOT_KEPT' : undefined;
}

function withMetadata(publish: Publication, { metadata }: Upload): Publication {
  if (metadata === undefined || publish.status === undefined) return publish;
  const all = { ...publish.status.metadata, ...metadata };
  return { ...publish, status: { ...publish.status, metadata: all } };
}
