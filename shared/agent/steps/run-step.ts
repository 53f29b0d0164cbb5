import { errorFacts } from '../../app/error-facts.ts';
import type { Json } from '../../domain/json.ts';
import type { Result } from '../../domain/step.ts';
import type { StepTold } from '../../domain/step-facts.ts';
import { boundedJson } from '../bounded-json.ts';
import { triedAgain } from '../endings.ts';
import { ofStep } from '../gen-ai.ts';
import { mayPass } from '../run-tool.ts';
import type { Branch } from './branch.ts';
import { idOf, type Operation, resultOf, turnOf } from './recorded.ts';
import { failureOf, thrownBy } from './step-failed.ts';
import type { StepCall, StepOptions } from './steps-context.ts';

/** Of what a step returns, as JSON. */
const RESULT = 1024 * 1024;

type StepFunction = (call: StepCall) => unknown;

interface Ran {
  readonly step: Result;
  readonly told: StepTold;
}

/**
 * Runs a step, and commits what came of it together with what was asked for: one transaction. A
 * step that must not run twice is committed before it begins, as a tool is (G15).
 */
export function runStep(
  branch: Branch,
  name: string,
  run: StepFunction,
  { effect = 'idempotent' }: StepOptions = {},
): Promise<Json> {
  const { course, segment } = branch.around;
  return branch.operation('step', name, async (operation, recorded) => {
    if (recorded?.result !== undefined) return valueOf(recorded.result);
    const asked = { step: turnOf(operation, {}), told: branch.told(operation, effect) };
    if (effect !== 'once') {
      const ran = await runIt(branch, operation, run, { effect, key: recorded?.key });
      if (recorded === undefined) await course.commit([asked, ran], 1);
      else await course.commit([ran]);
      return valueOf(ran.step);
    }
    return course.alone(async (commit) => {
      if (recorded === undefined) await commit([asked], 1);
      await segment.transcript.begin(idOf(operation.path));
      const ran = await runIt(branch, operation, run, { effect, key: recorded?.key });
      await commit([ran]);
      return valueOf(ran.step);
    });
  });
}

async function runIt(
  { around: { branches, course, segment } }: Branch,
  { name, path }: Operation,
  run: StepFunction,
  { effect, key }: { readonly effect: string; readonly key: string | undefined },
): Promise<Ran> {
  const { signal, taskId } = segment;
  const callId = idOf(path);
  // Only the first step of a segment may have been tried before.
  const attempt = course.advanced ? 1 : segment.attempt;
  const startedAt = segment.now();
  const told: StepTold = { startedAt, attempt, calls: [{ name, effect }] };
  try {
    const call = {
      key: key ?? `${taskId}.${callId}`,
      attempt,
      now: new Date(startedAt),
      signal,
    };
    const given = await segment.span.span(
      `step ${name}`,
      () => run(call),
      ofStep(name, effect, callId),
    );
    const value = boundedJson(given ?? null, `What the step ${name} returns`, RESULT);
    return { step: resultOf(callId, value), told };
  } catch (error) {
    if (mayPass(error)) {
      const taken = { kind: 'ends', ending: triedAgain(error) } as const;
      return branches.wait({ kind: 'now', path }, () => Promise.resolve(taken));
    }
    segment.report({ where: 'tool', tool: name, error });
    const { fault } = errorFacts(error);
    const step = resultOf(callId, failureOf(error, fault), 'error');
    return { step, told: { ...told, fault } };
  }
}

/** What was returned, or thrown. */
function valueOf({ status, value }: Result): Json {
  if (status === 'error') throw thrownBy(value);
  return value;
}
