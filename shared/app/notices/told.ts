import type { Millis } from '../../domain/brand.ts';
import type { Json } from '../../domain/json.ts';
import type { Matter, NoticeTarget } from '../../domain/notice.ts';

/** One matter as a target is told it. */
export interface Told extends Matter {
  /** The same at each attempt, and for no other matter of this target. */
  readonly id: string;
  readonly taskId: string;
  readonly agent: string;
  /** What is asked; only where the target is told content. */
  readonly content?: readonly string[];
}

/** What one message to a target says, in no form yet. */
export interface Message {
  readonly at: Millis;
  readonly told: readonly Told[];
  /** Where the console is. */
  readonly console?: string;
}

/** The body of a message, in the form that its target reads. */
export type Form = (message: Message) => { readonly [key: string]: Json };

/** The beginning of a task's id, for the command line: where ids begin with the time, all of it. */
export const shortId = (taskId: string): string => taskId.slice(0, 13);

/** The place in the console that a matter is dealt with. */
export function linkOf({ console }: Message, { kind, taskId }: Told): string | undefined {
  if (console === undefined) return undefined;
  return kind === 'unknown-send' ? `${console}/console/sends` : `${console}/console/runs/${taskId}`;
}

const WHAT: Readonly<Record<NoticeTarget['events'][number], string>> = {
  approval: 'waits for an approval',
  input: 'waits for an input',
  'unknown-send': 'waits for an operator: a message to a remote agent may or may not have arrived',
  blocked: 'is blocked: what it goes on with is gone or changed',
  failed: 'failed',
  deadline: 'nears its deadline',
  purge: 'failed, and is about to be removed',
};

/** One matter in one plain sentence, without content: who, what, since when, until when. */
export function sentenceOf({ agent, at, kind, reason, taskId, until }: Told, now: Millis): string {
  const why = reason === undefined ? '' : ` (${reason})`;
  const left = until === undefined ? '' : `, ${spanOf(until - now)} left`;
  return `${agent} ${shortId(taskId)} ${WHAT[kind]}${why}, for ${spanOf(now - at)}${left}`;
}

/** How much one message holds, in a few words of ours. */
export function headlineOf({ told: [first, ...others] }: Message): string {
  if (first === undefined) return 'Nothing waits';
  const more = others.length === 0 ? '' : `, and ${others.length} more`;
  return `${first.agent} ${WHAT[first.kind]}${more}`;
}

const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
] as const;

function spanOf(span: Millis): string {
  for (const [unit, name] of UNITS) if (span >= unit) return `${Math.floor(span / unit)} ${name}`;
  return `${Math.max(0, Math.floor(span / 1_000))} s`;
}
