import type { Decision, DecisionReceipt } from '../../domain/decision.ts';
import { fence } from '../../domain/ids.ts';
import { isRefused, type Refused } from '../../domain/refusal.ts';
import { type ClaimToken, hasClaim, waitsForPerson } from '../../domain/run.ts';
import type { Step } from '../../domain/step.ts';
import type { Delivery } from '../../domain/transitions.ts';
import { decideDirectly as decideAndClaim, step } from '../../domain/waiting.ts';
import type { App } from '../app.ts';
import type { Claimed } from '../segment/claim-run.ts';
import { type Decider, runToDecide } from './decider.ts';
import { prepareStep } from '../change/prepare-step.ts';
import { ownField } from './store-decision.ts';
import { recordDecision } from './record-decision.ts';
import { tracedOf } from '../tracing.ts';

/** A decision that its decider carries out. */
export interface DecidedDirectly {
  readonly kind: 'decided';
  readonly receipt: DecisionReceipt;
  /** For `runSegment`: due and dispatched at the time of the decision. */
  readonly delivery: Delivery;
  /**
   * To be run by the caller; absent when this very decision had been taken before, and others run
   * it.
   */
  readonly claimed?: Claimed;
}

/**
 * Takes a decision and claims its run in the same transaction, so that the decider goes on with it
 * at once. The same checks and the same guard as a stored one: exactly one of the two wins a pause
 * (G18). Rights were checked just before, so the decision is taken in by that transaction, too.
 */
export async function decideDirectly(
  app: App,
  decider: Decider,
  taskId: string,
  decision: Decision,
): Promise<DecidedDirectly | Refused> {
  const run = await runToDecide(app, decider, taskId);
  if (isRefused(run)) return run;
  const { pauseGeneration: generation, kind } = decision;
  const token = app.ids.token() as ClaimToken;
  const came = app.clock.now();
  const delivery: Delivery = { due: came, dispatched: came };
  const given = () => ({ attributes: { task: run.taskId, generation, kind, direct: true } });
  return tracedOf(app, run, 'decide', given, async (traceable, span) => {
    const taken = await recordDecision(traceable, run, {
      decider,
      decision,
      mode: 'direct',
      field: ownField,
      change: {
        async seal(keys) {
          const { run: known } = keys;
          const told = waitsForPerson(known) ? { startedAt: known.pausedAt } : {};
          const incoming = { step: stepOf(decider, decision), fence: fence(known.fence + 1), told };
          return { writeStep: await prepareStep(traceable, keys, known.steps + 1, incoming) };
        },
        decide(current, now) {
          const until = now + app.settings.lease;
          const claimed = decideAndClaim(current, generation, { token, until }, delivery, now);
          return claimed && step(claimed, token, until, { number: claimed.steps + 1 }, now);
        },
        write: (tx, next, { writeStep }) => writeStep(tx, next),
      },
    });
    if (isRefused(taken)) {
      span?.set({ refused: taken.code });
      return taken;
    }
    const { receipt, run: mine } = taken;
    const claimed = mine !== undefined && hasClaim(mine, token) ? { run: mine, token } : undefined;
    return { kind: 'decided', receipt, delivery, ...(claimed && { claimed }) };
  });
}

/** A decision as a step of the transcript, which does not name the person. */
export function stepOf({ kind: by }: Pick<Decider, 'kind'>, decision: Decision): Step {
  const { input, kind, note, pauseGeneration: generation } = decision;
  return {
    kind: 'decision',
    generation,
    decision: kind,
    by,
    ...(input !== undefined && { input }),
    ...(note !== undefined && { note }),
  };
}
