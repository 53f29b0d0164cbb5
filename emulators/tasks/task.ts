import type { Millis } from '../../shared/domain/brand.ts';
import { invalid } from './refusal.ts';

export interface HttpTarget {
  readonly url: string;
  readonly httpMethod: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly oidc: { readonly serviceAccountEmail: string; readonly audience: string } | undefined;
}

export interface TaskDraft {
  /** Empty: the service makes one up. */
  readonly name: string;
  readonly target: HttpTarget;
  readonly scheduleTime: Millis | undefined;
  readonly dispatchDeadline: Millis;
}

export interface Attempt {
  readonly dispatchTime: Millis;
  readonly responseTime?: Millis;
  /** The HTTP status; none when there was no answer. */
  readonly status?: number;
}

export interface Task {
  readonly name: string;
  readonly target: HttpTarget;
  readonly dispatchDeadline: Millis;
  readonly createTime: Millis;
  scheduleTime: Millis;
  dispatchCount: number;
  responseCount: number;
  /** Answers that were not 5xx. */
  executionCount: number;
  first: Attempt | undefined;
  last: Attempt | undefined;
  running: boolean;
}

const DAY = 86_400_000;
const LIMIT = 1024 * 1024;
const NAME =
  /^projects\/[^/]+\/locations\/[^/]+\/queues\/[A-Za-z0-9-]{1,100}\/tasks\/[A-Za-z0-9_-]{1,500}$/;

/** The rules of google/cloud/tasks/v2/task.proto and https://cloud.google.com/tasks/docs/quotas. */
export function requireValid(draft: TaskDraft, queue: string, now: Millis): void {
  const { name, target, scheduleTime = now, dispatchDeadline } = draft;
  if (name !== '' && (!NAME.test(name) || !name.startsWith(`${queue}/tasks/`))) {
    throw invalid(`Task name must be "${queue}/tasks/TASK_ID" with an id of [A-Za-z0-9_-]{1,500}`);
  }
  if (!/^https?:\/\//.test(target.url) || target.url.length > 2083) {
    throw invalid(
      'HttpRequest.url must begin with http:// or https:// and have at most 2083 characters',
    );
  }
  const { length } = target.body;
  if (length > 0 && !['POST', 'PUT', 'PATCH'].includes(target.httpMethod)) {
    throw invalid('A body is allowed only with POST, PUT and PATCH');
  }
  const headers = JSON.stringify(target.headers).length;
  if (length + headers + target.url.length > LIMIT) throw invalid('Task size too large');
  if (dispatchDeadline < 15_000 || dispatchDeadline > 30 * 60_000) {
    throw invalid('The dispatch deadline must be from 15s to 30m');
  }
  if (scheduleTime > now + 30 * DAY) throw invalid('The schedule time is too far in the future');
}
