import type { Millis } from './brand.ts';
import type { JsonObject } from './json.ts';
import { timestamp } from './proto-json.ts';
import type { CallFact, StepFacts } from './step-facts.ts';

/** A run, as its trace tells it. */
export interface TracedRun {
  readonly traceId: string;
  readonly taskId: string;
  readonly agent: string;
  readonly createdAt: Millis;
  /** Absent while it is open. */
  readonly endedAt?: Millis;
}

/** The state that a trace is told beside. */
export interface ShownStatus {
  readonly state: string;
  readonly at: Millis;
}

/** A step without its words. */
export interface TracedStep {
  readonly number: number;
  readonly kind: string;
  /** When it was committed. */
  readonly at: Millis;
  readonly facts: StepFacts;
}

/**
 * What a run did, as the traceability extension of A2A's samples has it (docs/extensions.md): names
 * and figures, never what was said. The run is the root; below it are the calls of its models, and
 * below each the tools and remote agents that it called. `leftOut`: steps before these.
 */
export function responseTrace(
  run: TracedRun,
  steps: readonly TracedStep[],
  leftOut: number,
): JsonObject {
  const { agent, createdAt, endedAt, taskId, traceId } = run;
  const calls = new Map<string, CallFact>();
  const callers = new Map<string, string>();
  const shown = steps.flatMap((step): JsonObject[] => {
    const place = { traceId, id: `${taskId}/${step.number}`, root: taskId };
    switch (step.kind) {
      case 'turn':
      case 'summary':
        for (const call of step.facts.calls ?? []) {
          calls.set(call.callId, call);
          callers.set(call.callId, place.id);
        }
        return [modelCall(step, place, agent)];
      case 'result': {
        const { callId = '' } = step.facts;
        const called = step.facts.calls?.[0] ?? calls.get(callId);
        return [callOf(step, { ...place, root: callers.get(callId) ?? taskId }, called)];
      }
      default:
        // What a person said or decided is no operation of the agent.
        return [];
    }
  });
  const used = steps.reduce((sum, { facts }) => sum + tokensOf(facts), 0);
  const cost = steps.reduce((sum, { facts }) => sum + (facts.cost ?? 0), 0);
  const root: JsonObject = {
    step_id: taskId,
    trace_id: traceId,
    parent_step_id: '',
    call_type: 'AGENT',
    name: agent,
    step_action: { agent_invocation: { agent_name: agent } },
    ...(used > 0 && { total_tokens: used }),
    ...(cost > 0 && { cost }),
    ...(leftOut > 0 && { additional_attributes: { steps_left_out: String(leftOut) } }),
    ...spanOf(createdAt, endedAt),
  };
  return { trace_id: traceId, steps: [root, ...shown] };
}

interface Place {
  readonly traceId: string;
  readonly id: string;
  /** The step that it belongs to. */
  readonly root: string;
}

function modelCall({ at, facts, kind }: TracedStep, place: Place, agent: string): JsonObject {
  const { cost, model } = facts;
  const tokens = tokensOf(facts);
  return {
    ...frameOf(place),
    call_type: 'AGENT',
    name: model ?? agent,
    step_action: { agent_invocation: { agent_name: agent } },
    ...(tokens > 0 && { total_tokens: tokens }),
    ...(cost !== undefined && { cost }),
    additional_attributes: attributes({ kind, model, ...outcomeOf(facts) }),
    ...spanOf(facts.startedAt, at),
  };
}

function callOf({ at, facts }: TracedStep, place: Place, call: CallFact | undefined): JsonObject {
  const { effect, name = 'unknown' } = call ?? {};
  const remote = effect === 'remote';
  return {
    ...frameOf(place),
    call_type: remote ? 'AGENT' : 'TOOL',
    name,
    step_action: remote
      ? { agent_invocation: { agent_name: name } }
      : { tool_invocation: { tool_name: name } },
    ...(facts.cost !== undefined && { cost: facts.cost }),
    additional_attributes: attributes({
      kind: remote ? 'remote' : 'tool',
      effect,
      ...outcomeOf(facts),
    }),
    ...spanOf(facts.startedAt, at),
  };
}

const frameOf = ({ id, root, traceId }: Place): JsonObject => ({
  step_id: id,
  trace_id: traceId,
  parent_step_id: root,
});

function outcomeOf({ attempt, status }: StepFacts): Readonly<Record<string, string | undefined>> {
  return { status, attempt: attempt === undefined ? undefined : String(attempt) };
}

function attributes(all: Readonly<Record<string, string | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(all).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}

const tokensOf = ({ usage }: StepFacts): number =>
  usage === undefined ? 0 : usage.input + usage.output;

/** Milliseconds between two times, and both, as far as they are known. */
function spanOf(from: Millis | undefined, to: Millis | undefined): JsonObject {
  return {
    ...(from !== undefined && to !== undefined && { latency: Math.max(0, to - from) }),
    ...(from !== undefined && { start_time: timestamp(from) }),
    ...(to !== undefined && { end_time: timestamp(to) }),
  };
}
