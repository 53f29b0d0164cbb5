import { z } from 'zod';
import {
  type SecondTry,
  trySecond,
  tryPlanned,
  type TryAsked,
} from '../app/operators/second-try.ts';
import { shownStatus } from '../app/operators/run-filter.ts';
import { isEnded } from '../domain/run.ts';
import { fail, taken } from './failure.ts';
import { operation, type Surroundings } from './operation.ts';
import { rowOf } from './run-row.ts';
import { secondTry } from './try-schemas.ts';

const again = z.array(z.string().min(1).max(300)).max(100).default([]).meta({
  description:
    'what must not run twice and may run again: calls by their ids, steps by their numbers; `*` for all, also for steps of which nothing is known',
});

const given = {
  requestId: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: 'of this request; repeated, it is answered by the run that it made' }),
  dryRun: z.boolean().default(false).meta({ description: 'shows what it would be, and ends' }),
  again,
  unlessTried: z.boolean().default(false).meta({
    description: 'not if a run was made of it already, whatever request it was',
  }),
};

const retryBody = z.strictObject(given);
const forkBody = z.strictObject({
  ...given,
  from: z.number().int().min(1).meta({ description: 'the first step that is done anew' }),
  cancel: z.boolean().default(false).meta({
    description:
      'of a run that waits: it is cancelled, which needs the right `cancel`, too, and the new one takes its place',
  }),
  text: z.string().max(1_000_000).optional().meta({
    description: 'instead of what the message says that is the step `from`',
  }),
});

const errors = [
  'RUN_NOT_FOUND',
  'AGENT_NOT_FOUND',
  'RUN_NOT_ENDED',
  'CONTEXT_BUSY',
  'MAY_REPEAT',
  'TRIED_ALREADY',
  'MESSAGE_NOT_KEPT',
  'TASK_TOO_LARGE',
  'RESULT_NOT_STORABLE',
] as const;

async function tried(
  around: Surroundings,
  id: string | undefined,
  {
    dryRun,
    requestId,
    ...asked
  }: Omit<TryAsked, 'requestId'> & {
    readonly dryRun: boolean;
    readonly requestId: string | undefined;
  },
) {
  const { app, caller } = around;
  const run = id ?? '';
  if (dryRun) return tryJson(taken(await tryPlanned(app, caller, run, asked)), around);
  if (requestId === undefined)
    throw fail('INVALID_PARAMS', 'requestId: is missing; a new one for each request', {
      field: 'requestId',
    });
  return tryJson(taken(await trySecond(app, caller, run, { ...asked, requestId })), around);
}

async function tryJson(
  { busy, earlier, made, plan, unread }: SecondTry,
  { app, caller }: Surroundings,
) {
  return {
    of: earlier.taskId,
    agent: earlier.agent,
    ...(!isEnded(earlier) && { waits: shownStatus(earlier) }),
    kept: plan.kept.length,
    steps: earlier.steps,
    ...(plan.why !== undefined && { beginsWith: plan.why }),
    anew: plan.anew.map(({ facts, kind, number }) => {
      const [called] = kind === 'result' ? (facts.calls ?? []) : [];
      return {
        step: number,
        kind,
        ...(called?.name !== undefined && { name: called.name }),
        ...(called?.effect !== undefined && { effect: called.effect }),
      };
    }),
    unread,
    risks: [...plan.risks],
    named: [...plan.named],
    ...(busy !== undefined && { busy }),
    ...(made && { run: rowOf({ run: made, may: await caller.rights(made.agent) }, app.settings) }),
  };
}

export const tryOperations = [
  operation({
    id: 'retryRun',
    method: 'POST',
    path: '/runs/{id}/retry',
    summary:
      'The work of a failed, rejected or cancelled run goes on in a new run, from its last good step.',
    right: 'retry',
    body: retryBody,
    answer: secondTry,
    errors: [...errors, 'RUN_COMPLETED'],
    handle: (around, { body, params }) =>
      tried(around, params['id'], { kind: 'retry', ...body, requestId: body.requestId }),
  }),
  operation({
    id: 'forkRun',
    method: 'POST',
    path: '/runs/{id}/fork',
    summary: 'A new run does the work of one that has ended, or that waits, anew, from a step on.',
    right: 'retry',
    body: forkBody,
    answer: secondTry,
    errors: [...errors, 'STEP_NOT_FOUND', 'TRAIL_NOT_KEPT'],
    handle: (around, { body: { text, ...body }, params }) =>
      tried(around, params['id'], {
        kind: 'fork',
        ...body,
        requestId: body.requestId,
        ...(text !== undefined && { edit: { parts: [{ text }] } }),
      }),
  }),
];
