import { z } from 'zod';
import type { SegmentPorts } from '../app/agents.ts';
import type { TaskSpan } from '../app/task-span.ts';
import type { Caller, RequestDetails } from '../domain/caller.ts';
import type { Ceiling } from '../domain/ceiling.ts';
import type { Json, JsonObject } from '../domain/json.ts';
import { type Artifact, type Message, textOf } from '../domain/message.ts';
import { type ScheduledAt, tickOf } from '../domain/schedule.ts';
import type { Task } from '../domain/task.ts';
import { type AgentFiles, agentFiles } from './agent-files.ts';
import { SegmentEnding } from './endings.ts';
import type { ArtifactInput } from './artifact-input.ts';
import { toJson, toParts, type Words } from './parts.ts';

/**
 * What an agent's `run` works with, for one segment: from a message to its answer or its question.
 */
export interface AgentContext {
  readonly taskId: string;
  readonly contextId: string;
  /** The message to work on: the one that made the task, or the answer to the agent's question. */
  readonly message: Message;
  /** The text of `message`. */
  readonly text: string;
  /** Who sent `message`: the owner of the task. */
  readonly caller: Caller;
  /** What came beside `message`: metadata of the request, accepted output modes, extensions. */
  readonly request: RequestDetails;
  /** Everything said in this task before `message`, oldest first. */
  readonly history: readonly Message[];
  /** The tick that made the task. Absent: a caller made it (docs/schedules.md). */
  readonly schedule?: ScheduledAt;
  /**
   * 1, or higher when this segment runs again because a worker was lost or the agent threw
   * RetryLater.
   */
  readonly attempt: number;
  /**
   * Aborted when the task was cancelled, the worker lost its claim, or time is up; `signal.reason`
   * says which.
   */
  readonly signal: AbortSignal;
  /**
   * The span of this segment in the trace of its task (docs/tracing.md), for spans of the agent's
   * own within it and the header of its calls. Without tracing it does nothing.
   */
  readonly trace: TaskSpan;
  /** Tasks of the same caller in the same context, newest first, 20 at most. */
  earlierTasks(): Promise<readonly Task[]>;
  /**
   * Shows progress. Committed with what is shown around it, at most four times a second; nothing is
   * lost by that.
   */
  status(words: Words): Promise<void>;
  artifact(artifact: ArtifactInput): Promise<void>;
  /** The task's folder, for an agent that declares `files`; of any other it throws TypeError. */
  readonly files: AgentFiles;
  /**
   * Ends the segment with a question (INPUT_REQUIRED). Nothing is held while the caller thinks; its
   * next message runs the agent again, with that message as `message`. With a schema, data in the
   * answer is checked before it is taken.
   */
  ask(question: Words, schema?: z.ZodType | JsonObject): never;
  /** Ends the task REJECTED. */
  reject(reason: Words): never;
  /**
   * Tightens what may be kept of this task's answer, for instance before falling back to a stricter
   * provider. What is stored already is redacted or destroyed. At `metadata` or `none` the task
   * ends FAILED, and this never returns.
   */
  tighten(answer: Ceiling): Promise<void>;
}

export function agentContext(
  segment: SegmentPorts,
  end: (ending: SegmentEnding) => void,
): AgentContext {
  // Positions count through the whole task: a later segment's first artifact must not replace an
  // earlier one's.
  let { artifacts } = segment;
  const finish = (ending: SegmentEnding): never => {
    // Noted as well as thrown: code that swallows every error can't swallow an ending.
    end(ending);
    throw ending;
  };
  const artifact = async (input: ArtifactInput): Promise<void> => {
    artifacts += 1;
    const append = input.append ?? false;
    await segment.artifact(toArtifact(input, artifacts), append, input.lastChunk ?? !append);
  };
  return {
    taskId: segment.taskId,
    contextId: segment.contextId,
    message: segment.message,
    text: textOf(segment.message),
    caller: segment.caller,
    request: segment.request,
    history: segment.history,
    ...scheduled(segment.taskId, segment.history[0] ?? segment.message),
    attempt: segment.attempt,
    signal: segment.signal,
    trace: spanOf(segment.span),
    earlierTasks: () => segment.earlierTasks(),
    tighten: (answer) => segment.tighten({ answer }),
    status: async (words) => segment.status(someParts(words, 'status')),
    artifact,
    files: agentFiles(segment.folder, artifact),
    ask: (question, schema) =>
      finish(
        new SegmentEnding({
          kind: 'asked',
          parts: someParts(question, 'question'),
          ...(schema !== undefined && { schema: jsonSchema(schema) }),
        }),
      ),
    reject: (reason) =>
      finish(new SegmentEnding({ kind: 'rejected', parts: toParts(reason, 'reason') })),
  };
}

/** What made the task is in its first message. */
export function scheduled(taskId: string, first: Message): { readonly schedule?: ScheduledAt } {
  const schedule = tickOf(taskId, first);
  return schedule === undefined ? {} : { schedule };
}

/** A question or a refusal is thrown, and yet ends nothing badly. */
export function spanOf(span: TaskSpan): TaskSpan {
  return {
    ...span,
    async span(name, work, ...more) {
      const done = await span.span(
        name,
        async (inner) => {
          try {
            return { value: await work(spanOf(inner)) };
          } catch (error) {
            if (error instanceof SegmentEnding) return { ending: error };
            throw error;
          }
        },
        ...more,
      );
      if ('ending' in done) throw done.ending;
      return done.value;
    },
  };
}

export function someParts(words: Words, what: string) {
  const parts = toParts(words, what);
  if (parts.length === 0) throw new TypeError(`${what} is empty`);
  return parts;
}

export function toArtifact(input: ArtifactInput, position: number | string): Artifact {
  const parts = toParts(input.parts, 'artifact.parts');
  if (parts.length === 0) throw new TypeError('artifact.parts needs at least one part');
  return {
    artifactId: input.artifactId ?? `artifact-${position}`,
    ...(input.name !== undefined && { name: input.name }),
    ...(input.description !== undefined && { description: input.description }),
    ...(input.metadata !== undefined && {
      metadata: toJson(input.metadata, 'artifact.metadata') as JsonObject,
    }),
    parts,
  };
}

function jsonSchema(schema: z.ZodType | JsonObject): Json {
  return toJson(schema instanceof z.ZodType ? z.toJSONSchema(schema) : schema, 'schema');
}
