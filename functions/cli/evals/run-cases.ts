import { derivedUuid } from '../../../shared/domain/derived-id.ts';
import { timeline } from '../../../shared/operator/timeline-schemas.ts';
import type { Surroundings } from '../command.ts';
import { type Answer, answerOf, cancelTask } from './answer.ts';
import type { EvalCase } from './cases.ts';
import type { Head, Result } from './results.ts';
import { type Ask, type Score, type Scorer } from './scorers.ts';

type Around = Pick<Surroundings, 'client' | 'terminal'>;

/** Asks an agent about a case: one task for each evaluation, case and purpose. */
export function asking(
  { client, terminal }: Around,
  { evaluation }: Pick<Head, 'evaluation'>,
): Ask {
  return (agent, { id }, parts) => {
    const messageId = derivedUuid(JSON.stringify(['eval', evaluation, agent, id, parts]));
    return answerOf(client, agent, { messageId, parts }, terminal.pause);
  };
}

const ASKS: ReadonlySet<string> = new Set([
  'TASK_STATE_INPUT_REQUIRED',
  'TASK_STATE_AUTH_REQUIRED',
]);

export interface Running {
  readonly head: Head;
  readonly ask: Ask;
  readonly scorers: readonly Scorer[];
  readonly atOnce: number;
  /** Called for each case that is over, as it is. */
  readonly over: (result: Result) => void;
}

/** Works through the cases, some at a time, until all are over or the command is ended. */
export async function runCases(
  around: Around,
  cases: readonly EvalCase[],
  { ask, atOnce, head, over, scorers }: Running,
): Promise<void> {
  const left = cases.values();
  const work = async (): Promise<void> => {
    for (const each of left) {
      if (around.terminal.ended()) return;
      over(await resultOf(around, each, { ask, head, scorers }));
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, cases.length) }, work));
}

async function resultOf(
  around: Around,
  given: EvalCase,
  { ask, head, scorers }: Pick<Running, 'ask' | 'head' | 'scorers'>,
): Promise<Result> {
  const { input } = given;
  const parts = typeof input === 'string' ? [{ text: input }] : input;
  const answer = await ask(head.agent, given, parts);
  const scores = await scoresOf(given, answer, scorers);
  const lowest = Math.min(1, ...Object.values(scores).map(({ score }) => score));
  const { state, task, text } = answer;
  const spent = task === undefined ? {} : await spentBy(around, task);
  if (task !== undefined && ASKS.has(state)) await cancelTask(around.client, head.agent, task);
  return {
    case: given.id,
    ...(task !== undefined && { task }),
    state,
    score: state === given.state ? lowest : 0,
    scores,
    ...spent,
    text,
  };
}

/** An answer in another state than the wanted one has none. */
async function scoresOf(
  given: EvalCase,
  answer: Answer,
  scorers: readonly Scorer[],
): Promise<Readonly<Record<string, Score>>> {
  if (answer.state !== given.state) return {};
  const scored = scorers.map(
    async ({ name, score }) => [name, await score({ case: given, answer })] as const,
  );
  return Object.fromEntries(await Promise.all(scored));
}

async function spentBy({ client }: Around, task: string) {
  const { value } = await client.get(`/runs/${encodeURIComponent(task)}`, timeline);
  const { createdAt, endedAt, statusAt, used } = value;
  return {
    tookMs: (endedAt ?? statusAt) - createdAt,
    ...(used !== undefined && { cost: used.cost, tokens: used.input + used.output }),
  };
}
