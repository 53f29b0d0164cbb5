import type { Millis } from '../../domain/brand.ts';
import type { NoticeKind, NoticeTarget } from '../../domain/notice.ts';
import type { Settings } from '../../domain/settings.ts';
import type { Filter } from '../../ports/backend.ts';
import { BLOCKED, UNKNOWN_SEND } from '../records/run-document.ts';

/** One look at the rows of runs for what a target may be told. */
export interface Look {
  /** By this its row knows how far it went. */
  readonly name: string;
  /** What the index finds it by. */
  readonly rows: Filter;
  /**
   * Runs whose newest revision is not newer than this: each is found once, because a look begins
   * where the one before ended. Absent: whatever the rows hold is read each time.
   */
  readonly until?: Millis;
  /** What came to be before its first look is left alone. */
  readonly fresh?: true;
  /** What it is for: a run that it finds may have more to tell, which others found. */
  readonly kind: NoticeKind;
}

/** So often what is open is looked through for what nears its deadline. */
const OPEN_EVERY: Millis = 5 * 60_000;

/**
 * The looks that what a target wants takes, now. What waits for a person or has failed has the time
 * of that in its index; of what only operators can help with there are few; and what works has its
 * deadline in no index, so it is read whole, less often.
 */
export function looksFor(
  { after, events, lead }: NoticeTarget,
  { retention, waitingRetention }: Settings,
  looked: Readonly<Record<string, Millis>>,
  now: Millis,
): readonly Look[] {
  // What is kept for a shorter time than `lead` is told as it comes; a later look would skip it.
  const soon = (kept: Millis): Millis => now + Math.min(0, lead - kept);
  const ending = soon(waitingRetention);
  const open = OPEN.filter((name) => now - (looked[name] ?? 0) >= OPEN_EVERY);
  const all: readonly Look[] = [
    { name: 'approval', kind: 'approval', rows: APPROVAL, until: now - after },
    { name: 'input', kind: 'input', rows: INPUT, until: now - after },
    { name: UNKNOWN_SEND, kind: 'unknown-send', rows: attention(UNKNOWN_SEND) },
    { name: BLOCKED, kind: 'blocked', rows: attention(BLOCKED) },
    { name: 'failed', kind: 'failed', rows: FAILED, until: now, fresh: true },
    { name: 'approval ends', kind: 'deadline', rows: APPROVAL, until: ending },
    { name: 'input ends', kind: 'deadline', rows: INPUT, until: ending },
    ...open.map((name): Look => ({ name, kind: 'deadline', rows: status(name) })),
    { name: 'purge', kind: 'purge', rows: FAILED, until: soon(retention), fresh: true },
  ];
  return all.filter(({ kind }) => events.includes(kind));
}

const OPEN = ['queued', 'running', 'waiting_for_dependency'] as const;

const status = (equals: string): Filter => ({ field: 'status', equals });
const attention = (equals: string): Filter => ({ field: 'attention', equals });
const APPROVAL = status('waiting_for_approval');
const INPUT = status('waiting_for_input');
const FAILED = status('failed');
