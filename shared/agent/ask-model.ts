import type { Ending, SegmentPorts } from '../app/agents.ts';
import { errorFacts } from '../app/error-facts.ts';
import type { Spending } from '../domain/budget.ts';
import { costOf, type PriceTable, pricesOf } from '../domain/prices.ts';
import type { Turn } from '../domain/step.ts';
import {
  ask,
  type Draft,
  type Model,
  type ModelRequest,
  type ModelTurn,
  type TurnContext,
} from '../models/model.ts';
import { ContextTooLong, ModelFault } from '../models/model-fault.ts';
import { answered, asked, tokensOf } from './gen-ai.ts';
import { mayPass } from './run-tool.ts';

/** Why a model's turn ends the task, and what its caller is told. */
const ENDINGS = {
  length: ['MODEL_LENGTH', 'The answer was too long for the model.'],
  malformed: ['MODEL_MALFORMED', 'The model gave no usable answer.'],
  other: ['MODEL_STOPPED', 'The model gave no complete answer.'],
  misfit: ['MODEL_MISFIT', 'The model gave no answer of the form that is wanted.'],
  context: ['MODEL_CONTEXT', 'The conversation is too long for the model.'],
  filtered: ['MODEL_FILTERED', 'The provider of the model held the answer back.'],
  refused: ['MODEL_REFUSED', 'The model declined to answer.'],
} as const;

export type Asked =
  | { readonly answer: unknown }
  /** The request does not fit into the model's window. */
  | { readonly tooLong: ContextTooLong }
  | Ending;

/** What a model's adapter throws is said to be the model's. */
export async function answerOf(
  segment: SegmentPorts,
  model: Model,
  request: ModelRequest,
  draft: Draft | undefined,
): Promise<Asked> {
  const call: TurnContext = {
    tighten: (answer) => segment.tighten({ answer }),
    now: () => segment.now(),
    after: (wait, callback) => segment.after(wait, callback),
    ...(draft && { draft }),
    report: (name, error) => segment.report({ where: 'model', model: name, error }),
  };
  try {
    const answer = await timed(segment, model, () =>
      segment.span.span(
        `chat ${model.name}`,
        async (span) => {
          const turn = await ask(model, request, segment.signal, call);
          span.set(answered(model, turn));
          return turn;
        },
        asked(model),
        'client',
      ),
    );
    return { answer };
  } catch (error) {
    if (error instanceof ContextTooLong) return { tooLong: error };
    if (!mayPass(error) && !segment.signal.aborted)
      segment.report({ where: 'model', model: model.name, error });
    if (error instanceof ModelFault)
      return { kind: 'failed', parts: [], error, fault: 'MODEL_FAULT' };
    throw error;
  }
}

/** How long the model took, or its fault, and the tokens of its answer. */
async function timed(
  segment: SegmentPorts,
  model: Model,
  asking: () => Promise<ModelTurn>,
): Promise<ModelTurn> {
  const { measure } = segment;
  const began = segment.now();
  const took = (fault?: string): void =>
    measure('gen_ai.client.operation.duration', (segment.now() - began) / 1_000, {
      ...asked(model),
      'error.type': fault,
    });
  try {
    const turn = await asking();
    took();
    for (const [type, count] of tokensOf(turn))
      measure('gen_ai.client.token.usage', count, { ...asked(model), 'gen_ai.token.type': type });
    return turn;
  } catch (error) {
    took(errorFacts(error).fault);
    throw error;
  }
}

export function failedBy(why: keyof typeof ENDINGS, model = ''): Ending {
  const [fault, text] = ENDINGS[why];
  const error = new ModelFault(model, text);
  return { kind: 'failed', parts: [{ text }], error, fault };
}

/**
 * Which model made it, of what size, and what that costs by the installation's table: what it says
 * itself goes before it. A turn that can't be read does not say who made it.
 */
export function useOf(
  { by: model, usage }: Pick<Turn, 'by' | 'usage'>,
  table: PriceTable,
): Pick<Spending, 'use' | 'cost'> {
  if (model === undefined) return {};
  const { cached = 0, input = 0, output = 0, reasoning = 0 } = usage ?? {};
  const prices = usage && pricesOf(table, model);
  return {
    use: { model, turns: 1, input, output, cached, reasoning },
    ...(prices && { cost: Math.ceil(costOf({ input, output, cached }, prices)) }),
  };
}
