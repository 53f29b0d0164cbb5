import type { Millis } from './brand.ts';

/** A state of a folder that rows may name: a commit of the context's repository. */
export interface FilesCommit {
  /** Git object ids, 40 hexadecimal digits. */
  readonly id: string;
  readonly tree: string;
  readonly count: number;
  readonly bytes: number;
}

/** What a publication leaves of files for readers without our code. */
export const FILES_FORMS = ['archive', 'git', 'both'] as const;
export type FilesForm = (typeof FILES_FORMS)[number];

/** The files of a run. Absent in rows of agents without files. */
export interface RunFiles {
  /** Random id of its context's repository, as it was when the run began. */
  readonly repository: string;
  readonly form: FilesForm;
  /** As the newest commit of this run left them; absent: as the task found them. */
  readonly commit?: FilesCommit;
  /**
   * When something of the repository is to be tidied: packs that were replaced, uploads that no row
   * names, objects of a task that was removed.
   */
  readonly dueAt?: Millis;
}

/** The same, with something of the repository due at that time, or nothing. */
export function dueAt(
  { commit, form, repository }: RunFiles,
  at: Millis | null | undefined,
): RunFiles {
  const due = at === null || at === undefined ? {} : { dueAt: at };
  return { repository, form, ...(commit && { commit }), ...due };
}
