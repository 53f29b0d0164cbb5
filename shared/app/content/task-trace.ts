import type { JsonObject } from '../../domain/json.ts';
import { responseTrace, type ShownStatus, type TracedRun } from '../../domain/response-trace.ts';
import type { Run } from '../../domain/run.ts';
import { isSettled, isTerminal } from '../../domain/status.ts';
import { parseTraceparent } from '../../domain/trace-context.ts';
import type { App } from '../app.ts';
import { readTrail } from './read-trail.ts';

/** The newest steps that one trace has. */
const MOST = 200;

/**
 * What a run did until the state that is shown: of one that is at rest the steps up to it, of one
 * that works all that are committed. Of what may not be kept there is only the run itself. Throws
 * KeyMissing, Unavailable.
 */
export async function taskTrace(
  app: App,
  run: Run,
  { at, state }: ShownStatus,
): Promise<JsonObject> {
  const before = Math.max(0, run.steps - MOST);
  const { level, steps } = await readTrail(app, run, { from: before + 1, words: false });
  const kept = level === 'none' ? [] : steps;
  const until = isSettled(state) ? kept.filter((step) => step.at <= at) : kept;
  const { agent, createdAt, taskId, trace } = run;
  const traced: TracedRun = {
    traceId: parseTraceparent(trace)?.traceId ?? taskId,
    taskId,
    agent,
    createdAt,
    ...(isTerminal(state) && { endedAt: at }),
  };
  return responseTrace(traced, until, level === 'none' ? 0 : before);
}
