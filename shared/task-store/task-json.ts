import { Task } from '@a2a-js/sdk';
import { z } from 'zod';
import { Unreadable } from '../ports/faults.ts';

// What a merge looks at; the rest of a task goes through as it is.
const artifact = z.looseObject({
  artifactId: z.string().optional(),
  parts: z.array(z.unknown()).optional(),
});
const message = z.looseObject({ messageId: z.string().optional(), role: z.string().optional() });
const status = z.looseObject({ state: z.string().optional(), timestamp: z.string().optional() });
const taskJson = z.looseObject({
  id: z.string(),
  contextId: z.string(),
  status: status.optional(),
  artifacts: z.array(artifact).optional(),
  history: z.array(message).optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
});

export type ArtifactJson = z.infer<typeof artifact>;
export type MessageJson = z.infer<typeof message>;
export type StatusJson = z.infer<typeof status>;
/** The standard A2A Task as ProtoJSON, unsealed: what `task.json` holds. */
export type TaskJson = z.infer<typeof taskJson>;

const TERMINAL: ReadonlySet<string | undefined> = new Set([
  'TASK_STATE_COMPLETED',
  'TASK_STATE_FAILED',
  'TASK_STATE_CANCELED',
  'TASK_STATE_REJECTED',
]);

export function stateOf(task: TaskJson): string {
  return task.status?.state ?? 'TASK_STATE_UNSPECIFIED';
}

export function isTerminal(task: TaskJson): boolean {
  return TERMINAL.has(task.status?.state);
}

/** The SDK's own codec writes it, so any A2A reader reads it (G20). */
export function textOf(task: Task): string {
  return JSON.stringify(Task.toJSON(task));
}

/** Throws Unreadable for what is no task, or another one than was asked for. */
export function parseTask(text: string, name: string, taskId?: string): TaskJson {
  try {
    const value: unknown = JSON.parse(text);
    const { id } = taskJson.parse(value);
    if (taskId !== undefined && id !== taskId) throw new TypeError('another task');
    // As it was read: zod would put the fields that it knows first, and the text must not change.
    return value as TaskJson;
  } catch (error) {
    throw new Unreadable(name, error);
  }
}

/** A new object, which its holder may change. */
export function taskOf(text: string): Task {
  return Task.fromJSON(JSON.parse(text));
}

/** Milliseconds since the epoch; 0 where a task has no time, as in the SDK's own database store. */
export function statusTime(task: Pick<TaskJson, 'status'>): number {
  const time = Date.parse(task.status?.timestamp ?? '');
  return Number.isNaN(time) ? 0 : time;
}
