import { z } from 'zod';
import { cancelRun } from '../app/operators/cancel-run.ts';
import { continueRun } from '../app/operators/continue-run.ts';
import { runTimeline } from '../app/operators/run-timeline.ts';
import { taken } from './failure.ts';
import { operation } from './operation.ts';
import { rowOf } from './run-row.ts';
import { runRow } from './run-schemas.ts';
import { timeline } from './timeline-schemas.ts';
import { timelineOf } from './timeline-view.ts';

export const runOperations = [
  operation({
    id: 'getRun',
    method: 'GET',
    path: '/runs/{id}',
    summary: 'One run: what it waits for, what it used, and everything that led to where it is.',
    right: 'any',
    answer: timeline,
    errors: ['RUN_NOT_FOUND'],
    handle: async ({ app, caller }, { params }) =>
      timelineOf(taken(await runTimeline(app, caller.rights, params['id'] ?? '')), app.settings),
  }),
  operation({
    id: 'cancelRun',
    method: 'POST',
    path: '/runs/{id}/cancel',
    summary: 'Cancels an open run, whatever it does or waits for.',
    right: 'cancel',
    body: z.strictObject({}),
    answer: runRow,
    errors: ['RUN_NOT_FOUND', 'RUN_ENDED', 'TASK_NOT_CANCELABLE', 'STATUS_UNKNOWN'],
    async handle({ app, caller }, { params }) {
      const run = taken(await cancelRun(app, caller, params['id'] ?? ''));
      return rowOf({ run, may: await caller.rights(run.agent) }, app.settings);
    },
  }),
  operation({
    id: 'continueRun',
    method: 'POST',
    path: '/runs/{id}/continue',
    summary:
      'Lets a blocked run go on with what there is now: a call of what is gone gets an error result.',
    right: 'decide',
    body: z.strictObject({
      digest: z
        .string()
        .min(1)
        .max(200)
        .meta({ description: 'of the changes, as `blocked` shows it' }),
    }),
    answer: runRow,
    errors: ['RUN_NOT_FOUND', 'NOT_BLOCKED', 'STEPS_CHANGED', 'STATUS_UNKNOWN'],
    async handle({ app, caller }, { body, params }) {
      const run = taken(await continueRun(app, caller, params['id'] ?? '', body.digest));
      return rowOf({ run, may: await caller.rights(run.agent) }, app.settings);
    },
  }),
];
