import type { RemoteTaskRef } from '../domain/remote.ts';
import type {
  CallFailure,
  CancelOutcome,
  PollOutcome,
  RemoteTask,
  SendOutcome,
} from '../ports/remote-agents.ts';
import type { Called } from './called.ts';
import type { Message } from '../domain/message.ts';
import type { TaskState } from '../domain/status.ts';

/** A task, without the size that only the call knows. */
export type TaskResponse = Omit<RemoteTask, 'bytes'>;

export type SendResponse =
  | { readonly kind: 'task'; readonly task: TaskResponse }
  | { readonly kind: 'message'; readonly message: Message; readonly contextId: string };

const TASK_NOT_FOUND = -32001;

// Not among them: -32603 and -32006 (something went wrong while it was at work), 408 and 409 (it
// may have it already), 301 to 303 (a form that was taken is answered so), 5xx, and whatever is
// new.
const REFUSED_BY_A2A = [
  -32700, -32600, -32601, -32602, -32001, -32002, -32003, -32004, -32005, -32007, -32008, -32009,
];
const REFUSED_BY_HTTP = [
  307, 308, 400, 401, 402, 403, 404, 405, 410, 411, 413, 414, 415, 422, 426, 428, 429, 431, 451,
];
const REFUSALS: ReadonlySet<number> = new Set([...REFUSED_BY_A2A, ...REFUSED_BY_HTTP]);

type Unanswered =
  | ({ readonly kind: 'refused' } & CallFailure)
  | ({ readonly kind: 'not_sent' } & CallFailure)
  | ({ readonly kind: 'outcome_unknown' } & CallFailure);

export function sendOutcome(called: Called<SendResponse>, contextId: string): SendOutcome {
  if (called.kind !== 'result') return unanswered(called);
  const { value, bytes } = called;
  const other = value.kind === 'task' ? value.task.ref.contextId : value.contextId;
  if (value.kind === 'message') {
    // A message need not name its context; if it does, it must be ours.
    if (other !== contextId && other !== '') return unknown({ reason: 'other context' });
    return { kind: 'replied', message: value.message, bytes };
  }
  if (other !== contextId) return unknown({ reason: 'other context' });
  return { kind: 'acknowledged', task: { ...value.task, bytes } };
}

export function pollOutcome(called: Called<TaskResponse>, remoteTask: RemoteTaskRef): PollOutcome {
  switch (called.kind) {
    case 'result': {
      const { taskId, contextId } = called.value.ref;
      if (taskId !== remoteTask.taskId) return { kind: 'unusable', reason: 'other task' };
      if (contextId !== remoteTask.contextId) return { kind: 'unusable', reason: 'other context' };
      return { kind: 'task', task: { ...called.value, bytes: called.bytes } };
    }
    case 'unusable':
      return { kind: 'unusable', ...called.failure };
    case 'error':
      if (called.failure.code === TASK_NOT_FOUND) return { kind: 'gone' };
      return { kind: 'failed', ...called.failure };
    case 'lost':
    case 'not_sent':
      return { kind: 'failed', ...called.failure };
  }
}

export function cancelOutcome(
  called: Called<{ readonly taskId: string; readonly state: TaskState | 'UNKNOWN' }>,
  { taskId }: RemoteTaskRef,
): CancelOutcome {
  if (called.kind !== 'result') return unanswered(called);
  if (called.value.taskId !== taskId) return unknown({ reason: 'other task' });
  return { kind: 'answered', state: called.value.state };
}

function unanswered(called: Exclude<Called<never>, { kind: 'result' }>): Unanswered {
  switch (called.kind) {
    case 'not_sent':
      return { kind: 'not_sent', ...called.failure };
    case 'error':
      if (REFUSALS.has(called.failure.code)) return { kind: 'refused', ...called.failure };
      return unknown(called.failure);
    case 'lost':
    case 'unusable':
      return unknown(called.failure);
  }
}

function unknown(failure: CallFailure): Unanswered & { kind: 'outcome_unknown' } {
  return { kind: 'outcome_unknown', ...failure };
}
