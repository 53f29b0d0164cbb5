import type { Millis } from '../../domain/brand.ts';
import { isBlocked, isEnded, type Run, RUN_STATUSES } from '../../domain/run.ts';

/** Which runs an operator means: for a list of them, and for what is done to all of them. */
export interface RunFilter {
  /**
   * As stored, also one that this version does not know; or one of `QUEUED_WAITS`, all of which
   * `queued` names, too; `open` and `ended` name several.
   */
  readonly status?: string;
  readonly agent?: string;
  /** Why they failed. */
  readonly reason?: string;
  /** Whose they are; needs the right `view` on the agent. */
  readonly caller?: string;
  /** Of that caller; '' unless given. */
  readonly tenant?: string;
  readonly context?: string;
  /** Changed at or after, and before. */
  readonly since?: Millis;
  readonly until?: Millis;
  /** Accepted at or after, and before. */
  readonly startedSince?: Millis;
  readonly startedUntil?: Millis;
  /** They cost so much or more, in millionths of the currency of the prices. */
  readonly minCost?: number;
  /** Runs whose message to a remote agent has an unknown outcome; runs that are blocked. */
  readonly waitingFor?: 'unknown-send' | 'blocked';
}

export const OPEN_STATUSES = [
  'queued',
  'running',
  'waiting_for_input',
  'waiting_for_approval',
  'waiting_for_dependency',
] as const satisfies readonly (typeof RUN_STATUSES)[number][];

const ENDED_STATUSES = RUN_STATUSES.filter(
  (status) => !(OPEN_STATUSES as readonly string[]).includes(status),
);

/** What a row that is queued is shown as while its agent waits for something that is to come. */
export const QUEUED_WAITS = ['waiting_for_event', 'waiting_for_circuit', 'sleeping'] as const;
type QueuedWait = (typeof QUEUED_WAITS)[number];

/** Every status that operators see and ask for. */
export const SHOWN_STATUSES: readonly string[] = [...RUN_STATUSES, ...QUEUED_WAITS];

/** The stored statuses that a filter names; undefined where it names none. */
export function statusesOf({ status }: Pick<RunFilter, 'status'>): readonly string[] | undefined {
  if (status === undefined) return undefined;
  if (status === 'open') return OPEN_STATUSES;
  if (status === 'ended') return ENDED_STATUSES;
  return QUEUED_WAITS.some((each) => each === status) ? ['queued'] : [status];
}

/** Whether the filter means this run. One that is being removed is none any more. */
export function isWanted(run: Run, filter: RunFilter): boolean {
  if (run.status === 'purging') return false;
  const { agent, caller, context, minCost = 0, reason, tenant = '', waitingFor } = filter;
  const { since = 0, startedSince = 0 } = filter;
  const { startedUntil = Number.POSITIVE_INFINITY, until = Number.POSITIVE_INFINITY } = filter;
  if (agent !== undefined && run.agent !== agent) return false;
  if (context !== undefined && run.contextId !== context) return false;
  if (caller !== undefined && (run.owner !== caller || run.tenant !== tenant)) return false;
  if (reason !== undefined && !(run.status === 'failed' && run.reason === reason)) return false;
  if (run.statusAt < since || run.statusAt >= until) return false;
  if (run.createdAt < startedSince || run.createdAt >= startedUntil) return false;
  if (run.spent.cost < minCost) return false;
  if (waitingFor === 'unknown-send' && !waitsForUnknownSend(run)) return false;
  if (waitingFor === 'blocked' && !isBlocked(run)) return false;
  return hasStatus(run, filter.status);
}

function hasStatus(run: Run, status: string | undefined): boolean {
  if (status === undefined) return true;
  if (status === 'open') return !isEnded(run);
  if (status === 'ended') return isEnded(run);
  return storedStatus(run) === status || shownStatus(run) === status;
}

export function waitsForUnknownSend(run: Run): boolean {
  return run.status === 'waiting_for_dependency' && run.dependency.operation === null;
}

/** The status as its row has it, also one that this version does not know. */
export function storedStatus(run: Run): string {
  return run.status === 'unknown' ? run.stored : run.status;
}

/** The status that operators see. */
export const shownStatus = (run: Run): string => queuedWait(run) ?? storedStatus(run);

/** What a queued run waits for; undefined: for a worker, or to be tried again. */
function queuedWait(run: Run): QueuedWait | undefined {
  if (run.status !== 'queued') return undefined;
  if (run.circuit !== undefined) return 'waiting_for_circuit';
  if (run.awaits !== undefined) return 'waiting_for_event';
  return run.asleep === true ? 'sleeping' : undefined;
}
