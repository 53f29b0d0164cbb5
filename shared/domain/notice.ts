import type { Millis } from './brand.ts';
import { isBlocked, type Run, waitsForPerson } from './run.ts';

/** What people who look after an installation can be told of. */
export const NOTICE_KINDS = [
  'approval',
  'input',
  'unknown-send',
  'blocked',
  'failed',
  'deadline',
  'purge',
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

export const NOTICE_FORMS = ['json', 'slack', 'google-chat'] as const;
export type NoticeForm = (typeof NOTICE_FORMS)[number];

/** Hours of each day in which nothing is sent: minutes since midnight in that time zone. */
export interface QuietHours {
  readonly from: number;
  readonly to: number;
  readonly timezone: string;
}

/** Where words of an installation go, as its operators configured it (docs/notices.md). */
export interface NoticeTarget {
  readonly name: string;
  readonly form: NoticeForm;
  /** Its URL, or the name of the secret that is its URL. */
  readonly at: { readonly url: string } | { readonly secret: string };
  readonly events: readonly NoticeKind[];
  /** Absent: all agents. */
  readonly agents?: readonly string[];
  /** What waits is told when it has waited this long. */
  readonly after: Millis;
  /** What ends is told this long before it does. */
  readonly lead: Millis;
  /** What comes up within this span of the first goes with it; 0: each at once. */
  readonly digest: Millis;
  readonly quiet?: QuietHours;
  /** Says what is asked, too, and not only that something is. */
  readonly content: boolean;
}

/** Something of a run that a person may want to know, as its row says it. */
export interface Matter {
  readonly kind: NoticeKind;
  /** Tells it from another of its kind in the same run. */
  readonly mark: string;
  /** Since when. */
  readonly at: Millis;
  /** When it is over by itself. Absent: never, or that is not known. */
  readonly until?: Millis;
  /** Of a run that failed. */
  readonly reason?: string;
}

/**
 * All that a run has to tell now. What is told and what still holds are the same question, asked
 * at two times: of the two answers, equal `kind` and `mark` are the same matter.
 */
export function mattersOf(run: Run, now: Millis, lead: Millis): readonly Matter[] {
  const matters: Matter[] = [];
  const nears = (until: Millis): boolean => until - now <= lead;
  if (waitsForPerson(run)) {
    const kind = run.status === 'waiting_for_approval' ? 'approval' : 'input';
    const wait = { mark: String(run.pauseGeneration), at: run.pausedAt, ...ends(run.purgeAt) };
    matters.push({ kind, ...wait });
    if (run.purgeAt !== null && nears(run.purgeAt)) matters.push({ kind: 'deadline', ...wait });
    return matters;
  }
  if (run.status === 'failed') {
    const { purgeAt, reason } = run;
    matters.push({ kind: 'failed', mark: '', at: run.statusAt, reason });
    // One whose wait has ended was told before it did.
    if (purgeAt !== null && nears(purgeAt) && reason !== 'WAIT_ENDED')
      matters.push({ kind: 'purge', mark: '', at: run.statusAt, until: purgeAt, reason });
    return matters;
  }
  if (isBlocked(run)) {
    const { digest = '', since = run.statusAt } = run.blocked ?? {};
    return [{ kind: 'blocked', mark: digest, at: since }];
  }
  if (run.status === 'waiting_for_dependency' && run.dependency.operation === null) {
    const { deadlineAt, sendId } = run.dependency;
    matters.push({ kind: 'unknown-send', mark: sendId, at: run.pausedAt, until: deadlineAt });
  }
  const until = openUntil(run);
  if (until !== undefined && nears(until))
    matters.push({ kind: 'deadline', mark: String(until), at: run.statusAt, until });
  return matters;
}

/** When a run that works, or waits for a remote agent, is at its end. */
function openUntil(run: Run): Millis | undefined {
  if (run.status === 'queued' || run.status === 'running') return run.deadlineAt;
  if (run.status !== 'waiting_for_dependency') return undefined;
  const { deadlineAt, operation } = run.dependency;
  return operation === null ? Math.min(run.deadlineAt, deadlineAt) : run.deadlineAt;
}

const ends = (until: Millis | null): Pick<Matter, 'until'> => (until === null ? {} : { until });

/** Whether a target wants to know of this matter, and it has waited long enough. */
export function isWanted(
  { after, agents, events }: Pick<NoticeTarget, 'after' | 'agents' | 'events'>,
  { agent }: Pick<Run, 'agent'>,
  { at, kind }: Matter,
  now: Millis,
): boolean {
  if (!events.includes(kind) || agents?.includes(agent) === false) return false;
  return now - at >= (WAITS.has(kind) ? after : 0);
}

/** What may be over before it has to be told. */
const WAITS: ReadonlySet<NoticeKind> = new Set(['approval', 'input', 'unknown-send', 'blocked']);

/** Whether a target is left alone now. From 22:00 to 07:00 is through midnight. */
export function isQuiet({ from, timezone, to }: QuietHours, now: Millis): boolean {
  const minute = minuteOf(timezone, now);
  return from <= to ? from <= minute && minute < to : minute >= from || minute < to;
}

function minuteOf(timeZone: string, now: Millis): number {
  const clock = { timeZone, hour: 'numeric', minute: 'numeric', hourCycle: 'h23' } as const;
  const parts = new Intl.DateTimeFormat('en', clock).formatToParts(now);
  const numberOf = (type: string) => Number(parts.find((part) => part.type === type)?.value ?? 0);
  return 60 * numberOf('hour') + numberOf('minute');
}
