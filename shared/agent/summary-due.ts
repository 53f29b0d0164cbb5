import type { Step, Summary } from '../domain/step.ts';
import { modelEntries, requestOf } from './model-request.ts';
import { entriesTokens, requestTokens } from './spoken.ts';
import { standing } from './standing.ts';
import type { Work } from './work.ts';

/** What is to be summed up, and from what. */
export type Due = Pick<Summary, 'reason' | 'until' | 'most'>;

/** Of the window: above it the transcript is summed up, and the answer has the rest. */
const FULL = 0.8;
/** Of the window: the newest turns that stay as they are. */
const KEPT = 0.25;
/** Of the window: what one summary is made of. */
const READ = 0.5;
/** Of that: less is not worth a turn. */
const WORTH = 0.1;

/** What is to be summed up before the model is asked for its next turn; undefined: nothing. */
export function summaryDue({ equipment, steps }: Work): Due | undefined {
  const { model, opened } = equipment;
  const before = standing(steps);
  if (before !== undefined && before.through < before.until) {
    const { most, reason, until } = before;
    return { most, reason, until };
  }
  const failed = steps.some((step) => step.kind === 'summary' && step.problem !== undefined);
  if (opened.older.length > 0 && before === undefined && !failed)
    return { reason: 'memory', until: 0, most: opened.budget };
  if (model.window === undefined || tokensOf(equipment, steps) <= model.window * FULL)
    return undefined;
  return dueFor('window', { equipment, steps }, model.window);
}

/** The same for a window of which the provider said that it is too small. */
export function refusedDue(work: Pick<Work, 'equipment' | 'steps'>): Due | undefined {
  return dueFor('refused', work, requestTokens(requestOf(work.equipment, work.steps)));
}

function dueFor(
  reason: Due['reason'],
  { equipment, steps }: Pick<Work, 'equipment' | 'steps'>,
  window: number,
): Due | undefined {
  const most = Math.floor(window * READ);
  const until = untilOf(steps, window * KEPT);
  const from = standing(steps)?.through ?? 0;
  const memory = from === 0 ? (requestOf(equipment, steps).memory ?? []) : [];
  const covered = modelEntries(steps.slice(0, until), from);
  const worth = entriesTokens([...memory, ...covered]) >= most * WORTH;
  return until > from && worth ? { reason, until, most } : undefined;
}

/** The turns from there on stay. A turn is never parted from the results of its calls. */
function untilOf(steps: readonly Step[], kept: number): number {
  const turns = turnsOf(steps);
  return turns.find((at) => entriesTokens(modelEntries(steps, at)) <= kept) ?? steps.length;
}

/** Where turns begin. */
export const turnsOf = (steps: readonly Step[]): readonly number[] =>
  steps.flatMap(({ kind }, at) => (kind === 'turn' ? [at] : []));

/** What the model counted with its last turn, and an estimate of what came since. */
function tokensOf(equipment: Work['equipment'], steps: readonly Step[]): number {
  const at = steps.findLastIndex(({ kind }) => kind === 'turn' || kind === 'summary');
  const last = steps[at];
  const { input = 0, output = 0 } = (last?.kind === 'turn' && last.usage) || {};
  if (input === 0) return requestTokens(requestOf(equipment, steps));
  return input + output + entriesTokens(modelEntries(steps, at).slice(1));
}
