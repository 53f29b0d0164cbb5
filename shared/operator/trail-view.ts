import type { z } from 'zod';
import type { TrailStep } from '../app/content/read-trail.ts';
import type { RunTrail } from '../app/operators/run-trail.ts';
import type { trail as schema } from './trail-schemas.ts';
import { errorJson } from './timeline-view.ts';

type Wire = z.input<typeof schema>;
type Step = Wire['steps'][number];

/** What a run did, as the API shows it. */
export function trailOf({ errors, level, next, open, run, steps, until }: RunTrail): Wire {
  return {
    run: run.taskId,
    agent: run.agent,
    open,
    level,
    ...(until !== undefined && { keptUntil: until }),
    steps: steps.map(stepOf),
    errors: errors.map(errorJson),
    ...(next !== undefined && { next }),
  };
}

function stepOf({ at, facts, fence, kind, number, words }: TrailStep): Step {
  const { calls = [], fault, startedAt, ...rest } = facts;
  const [called] = kind === 'result' ? calls : [];
  return {
    n: number,
    segment: fence,
    kind,
    ...rest,
    ...called,
    at,
    ...(startedAt !== undefined && { startedAt, tookMs: Math.max(0, at - startedAt) }),
    ...(fault !== undefined && { error: { class: fault } }),
    ...(kind === 'turn' && calls.length > 0 && { calls: [...calls] }),
    ...(words !== undefined && { content: contentOf(words, calls) }),
  };
}

/** Each call with its id: the order is that of the turn. */
function contentOf(
  { calls, parts, ...words }: NonNullable<TrailStep['words']>,
  known: NonNullable<TrailStep['facts']['calls']>,
): NonNullable<Step['content']> {
  return {
    ...words,
    ...(calls && {
      calls: calls.map((call, at) => ({ callId: known[at]?.callId ?? '', ...call })),
    }),
    ...(parts && { parts: [...parts] }),
  };
}
