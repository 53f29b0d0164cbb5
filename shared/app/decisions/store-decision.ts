import type { Decision, DecisionReceipt } from '../../domain/decision.ts';
import { isRefused, type Refused } from '../../domain/refusal.ts';
import { decide } from '../../domain/waiting.ts';
import type { App } from '../app.ts';
import type { FieldName } from './check-decision.ts';
import { type Decider, runToDecide } from './decider.ts';
import { recordDecision } from './record-decision.ts';
import { tracedOf } from '../tracing.ts';
import { wakeUp } from '../wake-up.ts';

/** The field of a decision that stands for itself: `digest`, `input.count`. */
export const ownField: FieldName = (path) => path.replace(/^\./, '');

/**
 * Stores a decision and queues its run; a worker carries it out. It is checked now, answered with a
 * receipt, and its rights are checked again before its first effect (G18). Refusals name the field
 * of the decision at fault.
 */
export async function storeDecision(
  app: App,
  decider: Decider,
  taskId: string,
  decision: Decision,
): Promise<DecisionReceipt | Refused> {
  const run = await runToDecide(app, decider, taskId);
  if (isRefused(run)) return run;
  const { pauseGeneration: generation, kind } = decision;
  const given = () => ({ attributes: { task: run.taskId, generation, kind } });
  return tracedOf(app, run, 'decide', given, async (traceable, span) => {
    const taken = await recordDecision(traceable, run, {
      decider,
      decision,
      mode: 'stored',
      field: ownField,
      change: { decide: (current, now) => decide(current, generation, now) },
    });
    if (isRefused(taken)) {
      span?.set({ refused: taken.code });
      return taken;
    }
    if (taken.run !== undefined) await wakeUp(traceable, taken.run, ['run', 'project']);
    return taken.receipt;
  });
}
