import { z } from 'zod';
import { decideDirectly } from '../app/decisions/decide-directly.ts';
import { runFor } from '../app/operators/seen-run.ts';
import { storeDecision } from '../app/decisions/store-decision.ts';
import { isPaused } from '../domain/agent-pause.ts';
import type { Decision } from '../domain/decision.ts';
import type { Json } from '../domain/json.ts';
import { carryOut } from './carry-out.ts';
import { fail, taken } from './failure.ts';
import { operation } from './operation.ts';
import { receipt } from './receipt-schema.ts';

const body = z.strictObject({
  mode: z.enum(['stored', 'direct']).default('stored').meta({
    description:
      'stored: a worker carries it out; direct: this request does, and streams the progress',
  }),
  kind: z.enum(['approve', 'deny', 'input']),
  pauseGeneration: z.number().int().min(1),
  digest: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: 'of the turn that is held; left out where the pause has none' }),
  input: z.unknown().optional().meta({ description: 'what is put in, for kind `input` alone' }),
  note: z.string().min(1).max(2_000).optional().meta({
    description: 'why, for kind `deny` alone: the model is told, and may go by it',
  }),
});

export const decideOperation = operation({
  id: 'decide',
  method: 'POST',
  path: '/runs/{id}/decisions',
  summary: 'Decides what a run waits for; the receipt names the decision.',
  right: 'decide',
  body,
  answer: receipt,
  stream:
    'With `mode: direct`: events `receipt`, then `task` and `event` with the ids of the journal, at last `rest` with the run.',
  errors: [
    'RUN_NOT_FOUND',
    'TASK_NOT_FOUND',
    'STATUS_UNKNOWN',
    'PAUSE_OVER',
    'DECISION_MISMATCH',
    'DECISION_NOT_ALLOWED',
    'AGENT_PAUSED',
  ],
  async handle(around, { body: given, params }) {
    const { app, caller } = around;
    const { run } = taken(await runFor(app, caller.rights, params['id'] ?? '', 'decide'));
    if (run.status === 'unknown') throw fail('STATUS_UNKNOWN');
    const decider = { kind: 'operator', subject: caller.subject } as const;
    const decision = decisionOf(given);
    if (given.mode === 'stored')
      return taken(await storeDecision(app, decider, run.taskId, decision));
    if (isPaused(await app.pausedAgents.surelyOf(run.agent)))
      throw fail(
        'AGENT_PAUSED',
        'the agent is paused; a stored decision is carried out when it is resumed',
      );
    const decided = taken(await decideDirectly(app, decider, run.taskId, decision));
    await carryOut(around, run, decided, receipt.parse(decided.receipt));
    return undefined;
  },
});

function decisionOf({
  digest,
  input,
  kind,
  note,
  pauseGeneration,
}: z.output<typeof body>): Decision {
  if (kind !== 'input' && input !== undefined)
    throw fail('INVALID_PARAMS', 'input: goes with kind input alone', { field: 'input' });
  if (kind !== 'deny' && note !== undefined)
    throw fail('INVALID_PARAMS', 'note: goes with kind deny alone', { field: 'note' });
  return {
    kind,
    pauseGeneration,
    ...(note !== undefined && { note }),
    ...(digest !== undefined && { digest }),
    ...(input !== undefined && { input: input as Json }),
  };
}
