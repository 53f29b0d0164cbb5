import { z } from 'zod';
import { abandonSend } from '../app/operators/abandon-send.ts';
import { linkSend } from '../app/operators/link-send.ts';
import { sendName } from '../app/operators/unresolved-send.ts';
import { resendSend, type SendReport } from '../app/operators/resend-send.ts';
import type { ErrorCode } from './error-table.ts';
import { taken } from './failure.ts';
import { operation } from './operation.ts';
import { sendResponse } from './send-schemas.ts';

const errors: readonly ErrorCode[] = [
  'SEND_NOT_FOUND',
  'STATUS_UNKNOWN',
  'SEND_SETTLED',
  'SEND_UNDER_WAY',
];

const nothing = z.strictObject({});

function answerOf({ messageId, reason, state, taskId }: SendReport) {
  return {
    run: taskId,
    send: sendName(taskId, messageId),
    state,
    ...(reason !== undefined && { reason }),
  };
}

export const sendOperations = [
  operation({
    id: 'resend',
    method: 'POST',
    path: '/sends/{id}/resend',
    summary: 'Sends the message again, as a message of its own that is linked to the first.',
    right: 'send',
    body: nothing,
    answer: sendResponse,
    errors: [...errors, 'BUDGET_EXCEEDED', 'REMOTE_NOT_DECLARED', 'REMOTE_NOT_REACHED'],
    handle: async ({ app, caller }, { params }) =>
      answerOf(taken(await resendSend(app, caller, params['id'] ?? ''))),
  }),
  operation({
    id: 'link',
    method: 'POST',
    path: '/sends/{id}/link',
    summary: 'Says which task at the remote agent came of the message; the remote is asked for it.',
    right: 'send',
    body: z.strictObject({
      taskId: z.string().min(1).max(500).meta({ description: 'of the task at the remote' }),
    }),
    answer: sendResponse,
    errors: [...errors, 'REMOTE_NOT_DECLARED', 'REMOTE_TASK_UNKNOWN', 'REMOTE_NOT_REACHED'],
    handle: async ({ app, caller }, { body, params }) =>
      answerOf(taken(await linkSend(app, caller, params['id'] ?? '', body.taskId))),
  }),
  operation({
    id: 'abandon',
    method: 'POST',
    path: '/sends/{id}/abandon',
    summary:
      'Gives the message up: the run goes on, and its model is told that the outcome is unknown.',
    right: 'send',
    body: nothing,
    answer: sendResponse,
    errors,
    handle: async ({ app, caller }, { params }) =>
      answerOf(taken(await abandonSend(app, caller, params['id'] ?? ''))),
  }),
];
