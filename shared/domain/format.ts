/**
 * What rows may hold, by version; each includes those before it. A version is written only when
 * every function reads it (docs/operating.md#upgrade): a reader that does not know a status would
 * take a run that waits for one that is over.
 */
export const FORMATS = {
  /** Runs, their transcripts, and waits for a person. */
  base: 1,
  /** Runs that wait for a remote agent: `waiting_for_dependency`, sends, orphans. */
  delegation: 2,
  /** Runs with files: `files` in their rows, and the rows of their contexts' files. */
  files: 3,
  /** Tasks with webhooks: `webhooks` in the rows of their runs, and rows of their own. */
  webhooks: 4,
  /** Transcripts with summaries. */
  summaries: 5,
  /** Runs that are held because their function asks for other steps than are recorded. */
  steps: 6,
  /** Runs with events: `signals` in their rows, and rows of their own. */
  signals: 7,
} as const;

/** The newest version that this code reads, and would write. */
export const READS: number = FORMATS.signals;
