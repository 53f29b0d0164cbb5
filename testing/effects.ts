import type { DefinedAgent, Part } from '../shared/agent/index.ts';
import type { Problem, SegmentPorts } from '../shared/app/agents.ts';
import type { TaskSpan } from '../shared/app/task-span.ts';
import type { Attributes } from '../shared/ports/tracer.ts';
import { machineTimer } from './virtual-clock.ts';

/** One time that a tool or a step of an agent ran, or that a message left for a remote agent. */
export interface Effect {
  readonly kind: 'tool' | 'step' | 'message';
  /** Of the tool, the step or the remote. */
  readonly name: string;
  /** What running it again may do, as its author declared; a message counts as `once`. */
  readonly effect: 'read' | 'idempotent' | 'once';
  readonly agent: string;
  readonly taskId: string;
  /** The same for each time that the same call ran. */
  readonly callId: string;
  /** 1, or higher when it ran again. */
  readonly attempt: number;
}

/** A call that ran more than once. */
export interface Repeated extends Omit<Effect, 'attempt'> {
  readonly times: number;
}

/** The calls that ran more than once, in the order in which they first did. */
export function repeatedIn(effects: readonly Effect[]): readonly Repeated[] {
  const calls = new Map<string, Repeated>();
  for (const each of effects) {
    const { agent, callId, effect, kind, name, taskId } = each;
    const key = `${taskId} ${kind} ${callId}`;
    const times = (calls.get(key)?.times ?? 0) + 1;
    calls.set(key, { kind, name, effect, agent, taskId, callId, times });
  }
  return [...calls.values()].filter(({ times }) => times > 1);
}

/** What an agent's code threw, and where. */
export interface Thrown extends Pick<Problem, 'where' | 'error'> {
  readonly agent: string;
  readonly taskId: string;
}

/** What is told of an agent at work. */
export interface Watch {
  effect(effect: Effect): void;
  /** What its code threw, or a model did. */
  problem(problem: Thrown): void;
  /** A run ended COMPLETED with these words, after it showed these artifacts. */
  completed(taskId: string, words: readonly Part[], artifactIds: ReadonlySet<string>): void;
}

/**
 * The agent, whose tools and steps are noted as they begin. Its waits for time always leave the
 * process, however short they are: what is at work in this process works for real.
 */
export function watched(agent: DefinedAgent, watch: Watch): DefinedAgent {
  return {
    ...agent,
    async run(segment) {
      const notes = (attributes: Attributes): void => {
        const begun = effectOf(agent.name, segment, attributes);
        if (begun !== undefined) watch.effect(begun);
      };
      const { transcript } = segment;
      const away = Object.create(transcript, { timeLeft: { value: 0 } }) as typeof transcript;
      const shown = new Set<string>();
      const ending = await agent.run({
        ...segment,
        // Of models, which work for real, too: the world waits for them as long as they take.
        after: machineTimer,
        artifact(artifact, ...more) {
          shown.add(artifact.artifactId);
          return segment.artifact(artifact, ...more);
        },
        span: noting(segment.span, notes),
        report(problem) {
          const { error, where } = problem;
          watch.problem({ where, error, agent: agent.name, taskId: segment.taskId });
          segment.report(problem);
        },
        ...(agent.steps === true && { transcript: away }),
      });
      if (ending.kind === 'completed') {
        for (const { artifactId } of ending.artifacts ?? []) shown.add(artifactId);
        watch.completed(segment.taskId, ending.parts, shown);
      }
      return ending;
    },
  };
}

function noting(below: TaskSpan, note: (attributes: Attributes) => void): TaskSpan {
  return {
    ...(below.traceparent !== undefined && { traceparent: below.traceparent }),
    set: (attributes) => below.set(attributes),
    span(name, work, attributes = {}, kind) {
      note(attributes);
      return below.span(name, (span) => work(noting(span, note)), attributes, kind);
    },
  };
}

const EFFECTS = ['read', 'idempotent', 'once'] as const;

function effectOf(
  agent: string,
  { attempt, taskId }: SegmentPorts,
  attributes: Attributes,
): Effect | undefined {
  const effect = EFFECTS.find((each) => each === attributes['holdfast.effect']);
  if (effect === undefined) return undefined;
  const step = attributes['holdfast.step.name'];
  const kind = step === undefined ? 'tool' : 'step';
  const name = String(step ?? attributes['gen_ai.tool.name']);
  const callId = String(attributes['holdfast.step.id'] ?? attributes['gen_ai.tool.call.id']);
  return { kind, name, effect, agent, taskId, callId, attempt };
}
