import type { z } from 'zod';
import type { TaskSpan } from '../../app/task-span.ts';
import type { Caller, RequestDetails } from '../../domain/caller.ts';
import type { Ceiling } from '../../domain/ceiling.ts';
import type { Json } from '../../domain/json.ts';
import type { Message } from '../../domain/message.ts';
import type { ScheduledAt } from '../../domain/schedule.ts';
import type { DeciderKind } from '../../domain/step.ts';
import type { Task } from '../../domain/task.ts';
import type { AgentFiles } from '../agent-files.ts';
import type { ArtifactInput } from '../artifact-input.ts';
import type { ToolEffect } from '../define-tool.ts';
import type { Words } from '../parts.ts';
import type { EventDeclarations } from './event-declaration.ts';

/**
 * What an agent's `steps` works with. The function runs from its top whenever its task is taken up
 * again: what it awaits here answers at once with what is recorded, and is carried out where
 * nothing is (docs/steps.md). In one branch these follow one another; `all` has several.
 */
export interface StepsContext<E extends EventDeclarations = EventDeclarations> {
  readonly taskId: string;
  readonly contextId: string;
  /** The message that made the task: the same whenever the function runs. */
  readonly message: Message;
  /** The text of `message`. */
  readonly text: string;
  /** Who sent it: the owner of the task. */
  readonly caller: Caller;
  /** What came beside the last message: metadata of the request, accepted output modes. */
  readonly request: RequestDetails;
  /** The tick that made the task. Absent: a caller made it (docs/schedules.md). */
  readonly schedule?: ScheduledAt;
  /** Aborted when the task was cancelled, the worker lost its claim, or time is up. */
  readonly signal: AbortSignal;
  /** The span of this segment in the trace of its task, for spans of the agent's own. */
  readonly trace: TaskSpan;
  /**
   * Runs a function, and keeps what it returns: JSON, 1 MiB at most. What it throws is kept, too,
   * and thrown as StepFailed; RetryLater, and faults of our own services, run it again.
   */
  step<T>(
    name: string,
    run: (step: StepCall) => T | Promise<T>,
    options?: StepOptions,
  ): Promise<Recordable<T>>;
  /** Waits; milliseconds, or a span like `30 s`, `2 h`, `7 d`. A year at most. */
  sleep(span: number | string): Promise<void>;
  /** Waits until then: a Date, or milliseconds since 1970. A year ahead at most. */
  until(time: Date | number): Promise<void>;
  /**
   * Sends a message to one of the agent's `remotes`, and waits for what comes of it. Nothing that
   * goes wrong there is thrown: `status` says it.
   */
  call(remote: string, message: Words): Promise<RemoteAnswer>;
  /**
   * Waits for a person to approve or to deny. `summary` is public: what a person who is asked may
   * know. `details` is seen by operators with the right to, and an approval is for exactly these.
   */
  approve(
    name: string,
    asked: { readonly summary: string; readonly details?: Json },
  ): Promise<Approval>;
  /** Asks the caller (INPUT_REQUIRED), and waits for the answer; with a schema, for data. */
  ask(question: Words): Promise<Message>;
  ask<S extends z.ZodType>(question: Words, schema: S): Promise<z.output<S>>;
  /**
   * Waits for an event that the agent declares, and answers with its data, as its schema reads it.
   * Each event is taken once, in the order of arrival; one that came before is there. With a
   * `timeout`, undefined when none came in time; without, StepFailed is thrown after 366 days. Data
   * that does not fit the schema any more throws StepFailed.
   */
  event<N extends keyof E & string>(name: N): Promise<z.output<E[N]['schema']>>;
  event<N extends keyof E & string>(
    name: N,
    options: EventOptions,
  ): Promise<z.output<E[N]['schema']> | undefined>;
  /**
   * Runs branches side by side, each with a context of its own. When one of them fails, that is
   * thrown after all have ended. Waits for people, agents and time are taken one at a time.
   */
  all<T extends readonly unknown[]>(
    branches: {
      readonly [K in keyof T]: (ctx: StepsContext<E>) => Promise<T[K]>;
    },
  ): Promise<T>;
  /** Shows progress. Committed with the next operation, or before. */
  status(words: Words): Promise<void>;
  artifact(artifact: ArtifactInput): Promise<void>;
  /** The task's folder, for an agent that declares `files`. It is kept with each operation. */
  readonly files: AgentFiles;
  /** Tasks of the same caller in the same context, newest first, 20 at most. Not recorded. */
  earlierTasks(): Promise<readonly Task[]>;
  /** Ends the task REJECTED. */
  reject(reason: Words): Promise<never>;
  /** Tightens what may be kept of this task's answer (docs/privacy.md). */
  tighten(answer: Ceiling): Promise<void>;
}

export interface EventOptions {
  /** Milliseconds, or a span like `30 s`, `2 h`, `7 d`. A year at most. */
  readonly timeout: number | string;
}

export interface StepOptions {
  /**
   * What running it again may do, as for tools. Default: `idempotent`. What was begun `once` is
   * never run again: a run whose worker was lost within it ends FAILED.
   */
  readonly effect?: ToolEffect;
}

/** What a step works with. */
export interface StepCall {
  /** The same for each run of this step: the key for what must not happen twice. */
  readonly key: string;
  /** 1, or higher when it is run again because a worker was lost or a fault may pass. */
  readonly attempt: number;
  /** When this try of it began. */
  readonly now: Date;
  readonly signal: AbortSignal;
}

/** What is kept of a value: members of JSON alone; a Date is its text. */
export type Recordable<T> = T extends Date
  ? string
  : T extends string | number | boolean | null
    ? T
    : T extends undefined | void
      ? null
      : T extends readonly (infer E)[]
        ? Recordable<E>[]
        : T extends object
          ? { -readonly [K in keyof T]: Recordable<T[K]> }
          : unknown;

export interface RemoteAnswer {
  /** `completed`, or why nothing came of it (docs/delegation.md). */
  readonly status: string;
  /** The remote's last message, and its artifacts, as JSON. */
  readonly message: readonly Json[];
  readonly artifacts: readonly Json[];
  /** What is known of it in words of ours: why a message did not get there, for instance. */
  readonly note?: string;
}

export interface Approval {
  readonly approved: boolean;
  /** Who decided: the owner of the task, or an operator. */
  readonly by: DeciderKind;
}
