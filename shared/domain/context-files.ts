import type { Millis } from './brand.ts';
import type { FilesCommit } from './files.ts';

/** One pack of a repository, as the row lists it. */
export interface PackRef {
  readonly name: string;
  readonly bytes: number;
  readonly objects: number;
  readonly frontBytes: number;
}

/** What an upload adds to the list of packs, and which of them it takes the place of. */
export interface PackChange {
  readonly added: readonly PackRef[];
  readonly replaced: readonly string[];
}

/** Packs that no list names any more; readers that began before have until then. */
export interface Doomed {
  readonly names: readonly string[];
  readonly after: Millis;
}

/** A state of the context's files, and the task whose completion made it. */
export interface Point {
  readonly task: string;
  readonly order: number;
  readonly commit: FilesCommit;
}

/** A commit, and those that it names as its parents. */
export interface Descended {
  readonly commit: FilesCommit;
  readonly parents: readonly string[];
}

/** What the context's files know of one task. */
export interface TaskFiles {
  readonly task: string;
  /** Of its completion among those of the context; 0 while the task is active. */
  readonly order: number;
  /** What it started from; null: an empty folder, or over when the task has completed. */
  readonly base: Point | null;
  /** Its own files; null: none were committed yet. */
  readonly own: Descended | null;
  /** What its completion made of the context's files, where that is not its own commit. */
  readonly merged: Descended | null;
  /** It overlapped with another task's changes: its files stand beside the context's. */
  readonly branch: boolean;
  /** It holds what may not be kept any more: nothing of it is committed. */
  readonly barred: boolean;
}

/**
 * The files of one context: one row, and the authority for what its repository holds. Everything
 * that a live commit reaches stays; the rest of the bucket below its prefix is garbage. Transitions
 * are pure.
 */
export interface ContextFiles {
  readonly scope: string;
  /** Random id: two callers may use one context id (G23). */
  readonly repository: string;
  /** Raised by each change. */
  readonly version: number;
  readonly packs: readonly PackRef[];
  readonly doomed: readonly Doomed[];
  readonly tasks: readonly TaskFiles[];
  /**
   * From when on packs are to be copied without what no task reaches any more; null: nothing of a
   * removed task is left.
   */
  readonly pruneAt: Millis | null;
}

/** Tasks whose files a context holds; of older ones only the task remains. */
export const MOST_TASKS = 1_000;

export function newContextFiles(scope: string, repository: string): ContextFiles {
  return { scope, repository, version: 0, packs: [], doomed: [], tasks: [], pruneAt: null };
}

export function filesOf(files: ContextFiles, task: string): TaskFiles | undefined {
  return files.tasks.find((each) => each.task === task);
}

/**
 * What the next task starts from: the task that completed last among those that remain. One that
 * overlapped comes after all others.
 */
export function headOf({ tasks }: ContextFiles): Point | undefined {
  const done = tasks.filter(({ order, own }) => order > 0 && own !== null);
  const main = done.filter(({ branch }) => !branch);
  const [newest] = (main.length > 0 ? main : done).toSorted((a, b) => b.order - a.order);
  const made = newest?.merged ?? newest?.own;
  if (newest === undefined || made === undefined || made === null) return undefined;
  return { task: newest.task, order: newest.order, commit: made.commit };
}

/** The files that a segment of the task begins with; undefined: an empty folder. */
export function startOf(files: ContextFiles, task: string): FilesCommit | undefined {
  const known = filesOf(files, task);
  return known?.own?.commit ?? known?.base?.commit;
}

/** The task begins: what it starts from is held for it until it has completed. */
export function begun(files: ContextFiles, task: string): ContextFiles {
  if (filesOf(files, task) !== undefined) return files;
  const entry: TaskFiles = {
    task,
    order: 0,
    base: headOf(files) ?? null,
    own: null,
    merged: null,
    branch: false,
    barred: false,
  };
  return { ...files, version: files.version + 1, tasks: [...files.tasks, entry] };
}

/** What an active task has come to by now, as its segment commits it. */
export function kept(
  files: ContextFiles,
  task: string,
  own: Descended,
  packs: PackChange,
  doomedAfter: Millis,
): ContextFiles {
  return withPacks(withTask(files, task, { own }), packs, doomedAfter);
}

/** How a task's files came into those of its context. */
export interface Arrival {
  readonly own: Descended;
  readonly merged?: Descended;
  readonly branch?: boolean;
}

/** The task completed: the context goes on from its files, or from what became of both. */
export function arrived(
  files: ContextFiles,
  task: string,
  { own, merged, branch = false }: Arrival,
  packs: PackChange,
  doomedAfter: Millis,
): ContextFiles {
  const order = 1 + Math.max(0, ...files.tasks.map((each) => each.order));
  const made = { own, merged: merged ?? null, branch, base: null, order };
  return withPacks(withoutOldest(withTask(files, task, made)), packs, doomedAfter);
}

/** How the completion of a task meets what the context came to meanwhile. */
export type Meeting =
  | { readonly kind: 'forward' }
  | {
      readonly kind: 'merge';
      readonly base: FilesCommit | undefined;
      readonly head: FilesCommit;
    };

export function meetingOf(files: ContextFiles, task: string): Meeting {
  const head = headOf(files);
  const known = filesOf(files, task);
  // What it started from was removed since, and the context fell back to something older.
  if (head === undefined || head.order <= (known?.base?.order ?? 0)) return { kind: 'forward' };
  return { kind: 'merge', base: known && heldBase(files, known), head: head.commit };
}

/**
 * The files of a task that ended without a result, or is removed, are no one's to go on from. What
 * only it reached goes with the next pruning: at `pruneAt`, or whenever there is one.
 */
export function dropped(
  files: ContextFiles,
  tasks: readonly string[],
  pruneAt: Millis | null,
): ContextFiles {
  const left = files.tasks.filter(({ task }) => !tasks.includes(task));
  const due = earliest(files.pruneAt, pruneAt);
  if (left.length === files.tasks.length && due === files.pruneAt) return files;
  return { ...files, version: files.version + 1, tasks: left, pruneAt: due };
}

/** What these active tasks work with may not be kept: their next commit is refused. */
export function barred(files: ContextFiles, tasks: readonly string[]): ContextFiles {
  const of = tasks.filter((task) => filesOf(files, task)?.barred === false);
  return of.reduce(
    (so, task) => withTask(so, task, { barred: true, base: null, own: null }),
    files,
  );
}

/** Every commit whose objects stay. */
export function liveOf(files: ContextFiles): readonly FilesCommit[] {
  const live = files.tasks.flatMap((known) =>
    [heldBase(files, known), known.own?.commit, known.merged?.commit].filter(
      (commit) => commit !== undefined,
    ),
  );
  return [...new Map(live.map((commit) => [commit.id, commit])).values()];
}

/**
 * What a task started from stays until it has files of its own; from then on for as long as the
 * task that left it.
 */
function heldBase(files: ContextFiles, { base, own }: TaskFiles): FilesCommit | undefined {
  if (base === null) return undefined;
  return own === null || filesOf(files, base.task) !== undefined ? base.commit : undefined;
}

/** Some task still works with what another left that is gone by now. */
function holdsRemoved(files: ContextFiles): boolean {
  return files.tasks.some(
    ({ base, own }) => base !== null && own === null && filesOf(files, base.task) === undefined,
  );
}

/**
 * The packs were copied without what no task reaches. What they replaced, now and before, is due
 * to be deleted at once.
 */
export function pruned(files: ContextFiles, packs: PackChange): ContextFiles {
  const { pruneAt } = files;
  const listed = withPacks(files, packs, 0);
  // A copy takes the place of its pack among the old ones, which are the large ones.
  const sorted = listed.packs.toSorted((a, b) => b.bytes - a.bytes);
  const doomed = listed.doomed.map(({ names }) => ({ names, after: 0 }));
  return { ...listed, packs: sorted, doomed, pruneAt: holdsRemoved(files) ? pruneAt : null };
}

/** Replaced packs that may be deleted by now. */
export function discardable({ doomed }: ContextFiles, now: Millis): readonly string[] {
  return doomed.flatMap(({ after, names }) => (after <= now ? names : []));
}

/** These packs are deleted. */
export function discarded(files: ContextFiles, names: readonly string[]): ContextFiles {
  const doomed = files.doomed.filter((each) => !each.names.every((name) => names.includes(name)));
  return doomed.length === files.doomed.length
    ? files
    : { ...files, version: files.version + 1, doomed };
}

/**
 * Whether an upload that was made over `known` may be listed in `current`: every pack that it took
 * the place of is still listed. What it counts on is live, wherever it lies by now.
 */
export function fitsInto(
  { replaced }: PackChange,
  known: ContextFiles,
  current: ContextFiles,
): boolean {
  if (known.repository !== current.repository) return false;
  const listed = new Set(current.packs.map(({ name }) => name));
  return known.packs.every(({ name }) => !replaced.includes(name) || listed.has(name));
}

function withTask(
  files: ContextFiles,
  task: string,
  change: Partial<Omit<TaskFiles, 'task'>>,
): ContextFiles {
  const tasks = files.tasks.map((each) => (each.task === task ? { ...each, ...change } : each));
  return { ...files, version: files.version + 1, tasks };
}

function withPacks(
  files: ContextFiles,
  { added, replaced }: PackChange,
  after: Millis,
): ContextFiles {
  const left = files.packs.filter(({ name }) => !replaced.includes(name));
  const doomed =
    replaced.length === 0 ? files.doomed : [...files.doomed, { names: replaced, after }];
  return { ...files, version: files.version + 1, packs: [...left, ...added], doomed };
}

/** What the oldest task alone holds goes when packs are next copied. */
function withoutOldest(files: ContextFiles): ContextFiles {
  const done = files.tasks.filter(({ order }) => order > 0);
  if (done.length <= MOST_TASKS) return files;
  const oldest = Math.min(...done.map(({ order }) => order));
  return { ...files, tasks: files.tasks.filter(({ order }) => order !== oldest) };
}

function earliest(a: Millis | null, b: Millis | null): Millis | null {
  if (a === null || b === null) return a ?? b;
  return Math.min(a, b);
}
