import { canonicalJson, type Json } from '../../../shared/domain/json.ts';
import type { Result } from '../../../shared/domain/step.ts';
import { partBytes } from '../../../shared/domain/stored-content.ts';
import { ANSWER_BYTES } from '../remote-world.ts';
import { STEPPING_AGENT } from '../stepping-agent.ts';
import { reportOf, TURN } from '../waiting-agents.ts';
import type { Tale } from './tale.ts';
import type { Work } from './work.ts';

/**
 * A result answers a call of the turn before it, and each call is answered once at most (G11). Of a
 * function of steps several are open, in branches, and a sleep has no result.
 */
export function resultsBelongToTheirCalls({ run, steps }: Work): string | undefined {
  if (steps.length !== run.steps) return `${run.taskId} has ${steps.length} steps of ${run.steps}`;
  const stepwise = run.agent === STEPPING_AGENT;
  let open = new Set<string>();
  for (const step of steps) {
    if (step.kind === 'turn') {
      if (open.size > 0 && !stepwise)
        return `${run.taskId} took a turn before ${[...open].join()} was answered`;
      const asked = step.calls.filter(({ operation }) => operation?.kind !== 'sleep');
      open = new Set([...open, ...asked.map(({ id }) => id)]);
    }
    if (step.kind === 'result' && !open.delete(step.callId))
      return `${step.callId} of ${run.taskId} was answered again, or was never called`;
  }
  if (run.status === 'completed' && open.size > 0)
    return `${run.taskId} completed without an answer to ${[...open].join()}`;
  return undefined;
}

/**
 * The row's budget is what turns, sends and answers came to, however often the run was put aside
 * (G16).
 */
export function budgetIsWhatWasDone({ run, steps, sends }: Work): string | undefined {
  const turns = steps.filter(({ kind }) => kind === 'turn').length;
  const stepwise = run.agent === STEPPING_AGENT;
  const last = run.status === 'completed' && !stepwise ? 1 : 0;
  const rounds = turns === 0 ? 0 : turns + last;
  const answers = steps.filter(
    (step): step is Result => step.kind === 'result' && comesFromRemote(step.value),
  );
  const bytes = sends.flatMap(({ parts }) => parts).reduce((sum, part) => sum + partBytes(part), 0);
  const wanted = {
    rounds: rounds * TURN.rounds,
    tokens: stepwise ? 0 : rounds * TURN.tokens,
    cost: 0,
    delegations: sends.length,
    bytes: bytes + answers.length * ANSWER_BYTES,
  };
  const [is, should] = [canonicalJson({ ...run.spent }), canonicalJson(wanted)];
  return is === should ? undefined : `${run.taskId} spent ${should} and says ${is}`;
}

/** The value holds an answer of the remote's own, not our word for there being none. */
function comesFromRemote(value: Json): boolean {
  return typeof value === 'object' && value !== null && 'artifacts' in value;
}

/** The result of a completed run tells of every call what its transcript tells. */
export function reportSaysWhatHappened({ run, steps }: Work, tale: Tale): string | undefined {
  if (run.status !== 'completed' || steps.length === 0) return undefined;
  // eventsAreAsReported
  if (run.agent === STEPPING_AGENT) return undefined;
  const report = tale.tasks.at(-1)?.artifacts.find(({ artifactId }) => artifactId === 'report');
  const [part] = report?.parts ?? [];
  const said = part !== undefined && 'data' in part ? canonicalJson(part.data) : 'nothing';
  const wanted = canonicalJson(reportOf(steps));
  return said === wanted ? undefined : `${run.taskId} reports ${said} of ${wanted}`;
}
