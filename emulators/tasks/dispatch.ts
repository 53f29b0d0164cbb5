import { request as http } from 'node:http';
import { request as https } from 'node:https';
import type { Clock } from '../../shared/ports/clock.ts';
import type { IdTokens } from './id-tokens.ts';
import type { Task } from './task.ts';

export interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
}

export interface DispatchOptions {
  readonly clock: Clock;
  readonly tokens: IdTokens;
  readonly signal: AbortSignal;
}

const REPLACED = /^(?:host|content-length|user-agent|x-google-|x-appengine-|x-cloudtasks-)/i;

/**
 * One HTTP request of a task; undefined when no answer came within its dispatch deadline. At the
 * deadline the service stops listening while the handler may go on (task.proto, dispatch_deadline).
 * Redirects are not followed.
 */
export async function dispatch(task: Task, options: DispatchOptions): Promise<Answer | undefined> {
  const { clock, tokens, signal } = options;
  const { url, httpMethod, oidc, body } = task.target;
  const late = new AbortController();
  const cancel = clock.after(task.dispatchDeadline, () => late.abort());
  const headers = {
    ...headersOf(task),
    ...(oidc && {
      authorization: `Bearer ${tokens.sign(oidc.serviceAccountEmail, oidc.audience || url)}`,
    }),
    'content-length': body.length,
  };
  try {
    return await new Promise<Answer>((resolve, reject) => {
      const ask = url.startsWith('https:') ? https : http;
      // Not fetch: it gives up after five minutes without headers.
      const request = ask(
        url,
        { method: httpMethod, headers, signal: AbortSignal.any([late.signal, signal]) },
        (response) => {
          const { statusCode: status = 0, headers: answered } = response;
          response.on('error', reject);
          response.on('end', () => resolve({ status, retryAfter: answered['retry-after'] }));
          response.resume();
        },
      );
      request.on('error', reject);
      request.end(body);
    });
  } catch {
    return undefined;
  } finally {
    cancel();
  }
}

/** https://cloud.google.com/tasks/docs/creating-http-target-tasks#handler */
function headersOf(task: Task): Record<string, string> {
  const [queue = '', id = ''] = task.name.split('/queues/')[1]?.split('/tasks/') ?? [];
  const own = Object.entries(task.target.headers).filter(([name]) => !REPLACED.test(name));
  const previous = task.last?.status;
  return {
    ...Object.fromEntries(own),
    'user-agent': 'Google-Cloud-Tasks',
    'x-cloudtasks-queuename': queue,
    'x-cloudtasks-taskname': id,
    'x-cloudtasks-taskretrycount': String(task.dispatchCount - 1),
    'x-cloudtasks-taskexecutioncount': String(task.executionCount),
    'x-cloudtasks-tasketa': (task.scheduleTime / 1_000).toFixed(6),
    ...(previous !== undefined && { 'x-cloudtasks-taskpreviousresponse': String(previous) }),
  };
}
