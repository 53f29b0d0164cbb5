import type { Principal } from '../../domain/ids.ts';
import type { ShownStatus } from '../../domain/response-trace.ts';
import type { App } from '../app.ts';
import type { SegmentLane } from '../segment/segment-lane.ts';
import { cancelTask } from './cancel-task.ts';
import { listTasks } from './list-tasks.ts';
import { pollTask } from './poll-task.ts';
import { readTask } from './read-task.ts';
import { sendMessage } from './send-message.ts';
import type { TaskService } from '../service.ts';
import { settledTask } from './settled-task.ts';
import { streamTask } from './stream-task.ts';
import { traceOf } from './trace-of.ts';
import { within } from '../tracing.ts';
import { withOwnerLimits } from '../limits/owner-limits.ts';
import { createWebhook } from '../webhooks/create-webhook.ts';
import { deleteWebhook } from '../webhooks/delete-webhook.ts';
import { getWebhook, listWebhooks } from '../webhooks/read-webhooks.ts';

/**
 * The use cases behind the A2A edge. `lane`: this process works on what it accepts. `traceability`:
 * callers that ask are told what was done for their tasks (docs/extensions.md).
 */
export function createTaskService(
  app: App,
  lane?: SegmentLane,
  { traceability = false }: { readonly traceability?: boolean } = {},
): TaskService {
  return withOwnerLimits(app, {
    send: (principal, request) => sendMessage(within(app, request.trace), principal, request, lane),
    settled: (principal, taskId, settling, signal) =>
      settledTask(app, principal, taskId, settling, signal),
    get: (principal, taskId, historyLength) => readTask(app, principal, taskId, { historyLength }),
    poll: (principal, taskId, polling, signal) => pollTask(app, principal, taskId, polling, signal),
    ...(traceability && {
      trace: (principal: Principal, taskId: string, shown: ShownStatus) =>
        traceOf(app, principal, taskId, shown),
    }),
    list: (principal, filter) => listTasks(app, principal, filter),
    cancel: (principal, taskId, trace) => cancelTask(within(app, trace), principal, taskId),
    createWebhook: (principal, taskId, webhook) => createWebhook(app, principal, taskId, webhook),
    getWebhook: (principal, taskId, id) => getWebhook(app, principal, taskId, id),
    listWebhooks: (principal, taskId, page) => listWebhooks(app, principal, taskId, page),
    deleteWebhook: (principal, taskId, id) => deleteWebhook(app, principal, taskId, id),
    stream: (principal, taskId, request, signal) =>
      streamTask(app, principal, taskId, request, signal),
  });
}
