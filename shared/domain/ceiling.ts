/** How much of an answer, or of the steps of a run, may be kept. Strictest first. */
export const CEILINGS = ['none', 'metadata', 'redacted', 'full'] as const;
export type Ceiling = (typeof CEILINGS)[number];

export function isCeiling(value: unknown): value is Ceiling {
  return CEILINGS.some((ceiling) => ceiling === value);
}

/** The strictest level wins, wherever it was set. */
export function strictest(...levels: readonly Ceiling[]): Ceiling {
  return CEILINGS.find((ceiling) => levels.includes(ceiling)) ?? 'full';
}

/**
 * Where a ceiling can be set: for everything here, for what computes the answer, for one
 * publication.
 */
export interface CeilingSources {
  readonly installation: Ceiling;
  readonly provider?: Ceiling;
  readonly task?: Ceiling;
}

/**
 * The answer ceiling. The installation's `metadata` is its default and keeps a full answer; only an
 * explicit `metadata` on a provider or task blocks one, and `none` blocks from anywhere
 * (docs/privacy.md).
 */
export function answerCeiling(sources: CeilingSources): Ceiling {
  const { installation, provider = 'full', task = 'full' } = sources;
  return strictest(installation === 'metadata' ? 'full' : installation, provider, task);
}

export function auditCeiling(sources: CeilingSources): Ceiling {
  const { installation, provider = 'full', task = 'full' } = sources;
  return strictest(installation, provider, task);
}

/** A task must be able to keep its result, or COMPLETED would be a lie (G1, G5). */
export function keepsResult(answer: Ceiling): boolean {
  return answer === 'full' || answer === 'redacted';
}

/**
 * Why a publication with these ceilings can't keep a result, in words; undefined when it can (G6).
 */
export function whyNotKept(sources: CeilingSources): string | undefined {
  if (keepsResult(answerCeiling(sources))) return undefined;
  const places = [
    ['the installation', sources.installation === 'none' ? 'none' : undefined],
    ['its provider', keepsResult(sources.provider ?? 'full') ? undefined : sources.provider],
    ['the publication itself', keepsResult(sources.task ?? 'full') ? undefined : sources.task],
  ] as const;
  const blocked = places.flatMap(([place, level]) =>
    level === undefined ? [] : [`${place} says ${level}`],
  );
  return `its answers may not be kept (${blocked.join(', ')}), and a task without a stored result can't complete`;
}

/**
 * The copy of a task for readers without our code: plain, sealed with the run's key, or none.
 * Strictest first.
 */
export const ARCHIVE_MODES = ['off', 'sealed', 'standard'] as const;
export type ArchiveMode = (typeof ARCHIVE_MODES)[number];

/** The stricter of two. */
export function strictestArchive(...modes: readonly ArchiveMode[]): ArchiveMode {
  return ARCHIVE_MODES.find((mode) => modes.includes(mode)) ?? 'standard';
}

/** Ceilings that are asked for; what is absent stays as it is. */
export interface Tightening {
  readonly answer?: Ceiling;
  readonly audit?: Ceiling;
  readonly archive?: ArchiveMode;
}

/**
 * Files can't be redacted, and readers without our code are to open them: so they need a full
 * answer and an archive in clear.
 */
export function keepsFiles(ceilings: {
  readonly answerCeiling: Ceiling;
  readonly archive: ArchiveMode;
}): boolean {
  return ceilings.answerCeiling === 'full' && ceilings.archive === 'standard';
}

/** Why a publication with these ceilings can't keep files, in words; undefined when it can. */
export function whyNoFiles(answer: Ceiling, archive: ArchiveMode): string | undefined {
  if (keepsFiles({ answerCeiling: answer, archive })) return undefined;
  const why =
    answer === 'full'
      ? `its archive is ${archive}, and files lie in the bucket in clear`
      : `its answers are kept ${answer} at most, and files can't be redacted`;
  return `its files may not be kept: ${why}`;
}
