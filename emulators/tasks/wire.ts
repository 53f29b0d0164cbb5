import { z } from 'zod';
import type { Millis } from '../../shared/domain/brand.ts';
import type { QueueConfig } from './queue-config.ts';
import { burstOf } from './queue-config.ts';
import { invalid } from './refusal.ts';
import type { Attempt, Task, TaskDraft } from './task.ts';
import type { TaskQueue } from './task-queue.ts';

// google.protobuf.Timestamp and Duration have the same two fields. Unset fields are absent, except
// in `oneof`s.
const span = z
  .object({ seconds: z.number().default(0), nanos: z.number().default(0) })
  .transform(({ seconds, nanos }): Millis => seconds * 1_000 + Math.trunc(nanos / 1e6));

const task = z.object({
  name: z.string().default(''),
  scheduleTime: span.nullish(),
  dispatchDeadline: span.nullish(),
  httpRequest: z.object({
    url: z.string(),
    httpMethod: z.string().default('POST'),
    headers: z.record(z.string(), z.string()).default({}),
    body: z.instanceof(Uint8Array).default(new Uint8Array(0)),
    oidcToken: z
      .object({ serviceAccountEmail: z.string(), audience: z.string().default('') })
      .nullish(),
  }),
});

export function draftOf(message: unknown): TaskDraft {
  const parsed = task.safeParse(message);
  if (!parsed.success)
    throw invalid('Task.http_request is required; other targets are not emulated');
  const { name, scheduleTime, dispatchDeadline, httpRequest } = parsed.data;
  const { oidcToken, httpMethod, ...target } = httpRequest;
  return {
    name,
    scheduleTime: scheduleTime ?? undefined,
    dispatchDeadline: dispatchDeadline ?? 10 * 60_000,
    target: {
      ...target,
      httpMethod: httpMethod === 'HTTP_METHOD_UNSPECIFIED' ? 'POST' : httpMethod,
      oidc: oidcToken ?? undefined,
    },
  };
}

const queue = z.object({
  name: z.string(),
  rateLimits: z
    .object({
      maxDispatchesPerSecond: z.number().positive().max(500),
      maxConcurrentDispatches: z.number().int().positive().max(5_000),
    })
    .partial()
    .nullish(),
  retryConfig: z
    .object({
      maxAttempts: z.number().int().min(-1),
      maxRetryDuration: span,
      minBackoff: span,
      maxBackoff: span,
      maxDoublings: z.number().int(),
    })
    .partial()
    .nullish(),
});

export function queueOf(message: unknown): { name: string; config: Partial<QueueConfig> } {
  const parsed = queue.safeParse(message);
  if (!parsed.success) throw invalid(`Queue: ${parsed.error.issues[0]?.path.join('.')}`);
  const { name, rateLimits, retryConfig } = parsed.data;
  const given = Object.entries({ ...rateLimits, ...retryConfig }).filter(
    ([, value]) => value !== undefined,
  );
  return { name, config: Object.fromEntries(given) };
}

export function queueMessage({ name, config, paused }: TaskQueue): object {
  return {
    name,
    state: paused ? 'PAUSED' : 'RUNNING',
    rateLimits: {
      maxDispatchesPerSecond: config.maxDispatchesPerSecond,
      maxConcurrentDispatches: config.maxConcurrentDispatches,
      maxBurstSize: burstOf(config),
    },
    retryConfig: {
      maxAttempts: config.maxAttempts,
      maxDoublings: config.maxDoublings,
      maxRetryDuration: spanMessage(config.maxRetryDuration),
      minBackoff: spanMessage(config.minBackoff),
      maxBackoff: spanMessage(config.maxBackoff),
    },
  };
}

/** BASIC leaves the payload out (task.proto, View). */
export function taskMessage(found: Task, view: unknown): object {
  const { url, httpMethod, headers, body, oidc } = found.target;
  return {
    name: found.name,
    httpRequest: {
      url,
      httpMethod,
      headers,
      ...(view === 'FULL' && { body }),
      ...(oidc && { oidcToken: oidc }),
    },
    scheduleTime: spanMessage(found.scheduleTime),
    createTime: spanMessage(found.createTime),
    dispatchDeadline: spanMessage(found.dispatchDeadline),
    dispatchCount: found.dispatchCount,
    responseCount: found.responseCount,
    ...(found.first && { firstAttempt: attemptMessage(found.first) }),
    ...(found.last && { lastAttempt: attemptMessage(found.last) }),
    view: view === 'FULL' ? 'FULL' : 'BASIC',
  };
}

function attemptMessage({ dispatchTime, responseTime }: Attempt): object {
  return {
    dispatchTime: spanMessage(dispatchTime),
    ...(responseTime !== undefined && { responseTime: spanMessage(responseTime) }),
  };
}

function spanMessage(millis: Millis): object {
  return { seconds: Math.floor(millis / 1_000), nanos: (millis % 1_000) * 1e6 };
}
