import type { Millis } from './brand.ts';
import type { Step, TurnUsage } from './step.ts';

/** A call of a turn, without what it was called with. */
export interface CallFact {
  readonly callId: string;
  /** Absent: the model called what was not offered, and that could be any words. */
  readonly name?: string;
  /** Of a tool; of a remote agent it is `remote`. */
  readonly effect?: string;
}

/** What the maker of a step knows of it beside the step. No content. */
export interface StepTold {
  /** When its model was asked, its tool began, or its question was asked. */
  readonly startedAt?: Millis;
  /** Which try of it this was; 1 for the first. */
  readonly attempt?: number;
  /** Of a turn. */
  readonly cost?: number;
  readonly calls?: readonly Omit<CallFact, 'callId'>[];
  /** Class of what was thrown in it. */
  readonly fault?: string;
}

/** Of the answer of a remote agent: what was asked, and since when it was waited for. */
export const toldOfRemote = (name: string, startedAt: Millis): StepTold => ({
  startedAt,
  calls: [{ name, effect: 'remote' }],
});

/** What is known of a step where none of its words may be kept. */
export interface StepFacts extends Omit<StepTold, 'calls'> {
  readonly calls?: readonly CallFact[];
  /** Of a result. */
  readonly callId?: string;
  /** `ok` or `error`; of a turn that can't be used its `finish`, of a decision what was decided. */
  readonly status?: string;
  readonly model?: string;
  readonly usage?: TurnUsage;
  /** Of a decision: the owner of the task or an operator. */
  readonly by?: string;
  /** Of a decision and an answer: the pause. */
  readonly generation?: number;
  /** Of a summary. */
  readonly reason?: string;
}

/** Of a step what says nothing of its words. */
export function factsOf(step: Step, { calls: told, ...more }: StepTold = {}): StepFacts {
  switch (step.kind) {
    case 'turn': {
      const calls = step.calls.map(({ id: callId }, at) => ({ callId, ...told?.[at] }));
      const status = step.finish ?? (step.problem === undefined ? undefined : 'error');
      return {
        ...more,
        ...madeBy(step),
        ...(calls.length > 0 && { calls }),
        ...(status !== undefined && { status }),
      };
    }
    case 'result': {
      const [called] = told ?? [];
      const calls = called && [{ callId: step.callId, ...called }];
      return { ...more, callId: step.callId, status: step.status, ...(calls && { calls }) };
    }
    case 'decision': {
      const { by, decision: status, generation } = step;
      return { ...more, by, generation, status };
    }
    case 'answer':
      return { ...more, generation: step.generation };
    case 'summary': {
      const status = step.problem === undefined ? 'ok' : 'error';
      return { ...more, ...madeBy(step), reason: step.reason, status };
    }
  }
}

function madeBy({
  by,
  usage,
}: {
  readonly by?: string;
  readonly usage?: TurnUsage;
}): Pick<StepFacts, 'model' | 'usage'> {
  return { ...(by !== undefined && { model: by }), ...(usage && { usage }) };
}
