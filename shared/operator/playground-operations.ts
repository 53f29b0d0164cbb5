import { z } from 'zod';
import { operation } from './operation.ts';
import { triedEvents, triedMessage, triedTask } from './playground-schemas.ts';

const errors = [
  'AGENT_NOT_FOUND',
  'TASK_NOT_FOUND',
  'CONTEXT_BUSY',
  'DECISION_NOT_ALLOWED',
] as const;

/** Loaded when first asked for: most instances of the function never are. */
const playground = () => import('./playground.ts');

export const playgroundOperations = [
  operation({
    id: 'tryAgent',
    method: 'POST',
    path: '/agents/{agent}/try',
    summary:
      'Sends the agent a message as a caller of its own, `operator:<name>`, and tells what comes of it.',
    right: 'try',
    body: triedMessage,
    answer: triedEvents,
    stream: 'always; the JSON stands for the events by name',
    errors,
    async handle(around, { body, params }) {
      await (await playground()).send(around, params['agent'], body);
      return undefined;
    },
  }),
  operation({
    id: 'followTried',
    method: 'GET',
    path: '/agents/{agent}/try/{task}',
    summary: 'Tells how a task goes on that this operator sent, behind Last-Event-ID.',
    right: 'try',
    answer: triedEvents,
    stream: 'always; the JSON stands for the events by name',
    errors,
    async handle(around, { params }) {
      await (await playground()).resume(around, params['agent'], params['task']);
      return undefined;
    },
  }),
  operation({
    id: 'cancelTried',
    method: 'POST',
    path: '/agents/{agent}/try/{task}/cancel',
    summary: 'Cancels a task that this operator sent.',
    right: 'try',
    body: z.strictObject({}),
    answer: triedTask,
    errors: [...errors, 'TASK_NOT_CANCELABLE'],
    async handle(around, { params }) {
      return (await playground()).cancel(around, params['agent'], params['task']);
    },
  }),
];
