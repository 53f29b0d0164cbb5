import { spanWords, statusWords } from '../parts/words.ts';
import type { Timeline, Trail } from '../wire.ts';
import { stepWords } from './lanes.ts';

/** One line of the log of a run. */
export interface LogEntry {
  readonly at: number;
  /** What happened; of a revision, what the caller saw from then on. */
  readonly words: string;
  readonly kind: 'caller' | 'work' | 'step' | 'wait' | 'send' | 'person' | 'error';
  /** Content, where the operator may see it. */
  readonly content?: unknown;
}

/** What happens at one instant is read in this order. */
const ORDER = ['send', 'person', 'work', 'step', 'error', 'wait', 'caller'] as const;

/** Everything that is known of a run, in the order of time. */
export function entriesOf(run: Timeline, trail: Trail | undefined): readonly LogEntry[] {
  const all: LogEntry[] = [
    ...run.timeline.map(({ at, state }) => entry(at, 'caller', state)),
    ...run.segments.flatMap(segmentEntries),
    ...stepEntries(run, trail),
    ...run.pauses.flatMap(pauseEntries),
    ...run.sends.flatMap(sendEntries),
    ...run.decisions.map((decision) =>
      entry(
        decision.storedAt,
        'person',
        `${decision.kind} of pause ${decision.generation} by ${decision.by} (${decision.state})`,
        decision.content,
      ),
    ),
    ...run.events.map(({ at, by, content, name, number }) =>
      entry(at, 'person', `event ${number}, ${name}, is delivered by the ${by}`, content),
    ),
    ...run.acts.map(({ at, kind, operator }) =>
      entry(at, 'person', `${kind} by ${operator ?? 'an operator'}`),
    ),
    ...run.errors.map(({ at, attempt, fault, tool, where, words }) =>
      entry(at, 'error', `${fault} in ${tool ?? where}, attempt ${attempt}`, words),
    ),
  ];
  return all.toSorted((a, b) => a.at - b.at || ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
}

function entry(at: string, kind: LogEntry['kind'], words: string, content?: unknown): LogEntry {
  return { at: Date.parse(at), kind, words, ...(content !== undefined && { content }) };
}

function segmentEntries({
  claimed,
  committed,
  fence,
  waited,
  worked,
}: Timeline['segments'][number]): readonly LogEntry[] {
  const begins = entry(claimed, 'work', `segment ${fence} begins, due for ${spanWords(waited)}`);
  if (committed === undefined || worked === undefined) return [begins];
  return [begins, entry(committed, 'work', `segment ${fence} leaves after ${spanWords(worked)}`)];
}

function stepEntries({ steps }: Timeline, trail: Trail | undefined): readonly LogEntry[] {
  if (trail !== undefined)
    return trail.steps.map((step) => entry(step.at, 'step', stepWords(step), step.content));
  return steps.map(({ at, content, kind, step }) =>
    entry(at, 'step', `step ${step}: ${kind}`, content),
  );
}

function pauseEntries(pause: Timeline['pauses'][number]): readonly LogEntry[] {
  const { at, content, generation, kind, resolution, resolvedAt } = pause;
  const begins = entry(at, 'wait', `pause ${generation}: waits for ${kind}`, content);
  if (resolvedAt === undefined) return [begins];
  const words = `pause ${generation} is over${resolution === undefined ? '' : `: ${resolution}`}`;
  return [begins, entry(resolvedAt, 'wait', words)];
}

function sendEntries(send: Timeline['sends'][number]): readonly LogEntry[] {
  const { content, preparedAt, reason, remote, settledAt, state } = send;
  const leaves = entry(preparedAt, 'send', `a message to ${remote} is prepared`, content);
  const why = reason === undefined ? '' : ` (${reason})`;
  const words = `the message to ${remote} is ${statusWords(state)}${why}`;
  if (settledAt === undefined)
    return state === 'prepared' ? [leaves] : [leaves, entry(preparedAt, 'send', words)];
  return [leaves, entry(settledAt, 'send', words)];
}
