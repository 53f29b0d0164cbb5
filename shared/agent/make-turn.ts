import type { Ending, SegmentPorts } from '../app/agents.ts';
import { add, exceeded, type Spending } from '../domain/budget.ts';
import type { Json } from '../domain/json.ts';
import type { Part } from '../domain/message.ts';
import type { Step, Turn } from '../domain/step.ts';
import {
  ask,
  type Draft,
  type Model,
  type ModelRequest,
  type TurnContext,
} from '../models/model.ts';
import { ModelFault } from '../models/model-fault.ts';
import type { Mcp } from './define-mcp.ts';
import { modelEntries } from './model-request.ts';
import { asOffered, type Offers, specsOf } from './offers.ts';
import type { Opened } from './opening.ts';
import { type Cut, readTurn, UnusableTurn } from './read-turn.ts';
import { mayPass } from './run-tool.ts';
import { ShownAnswer } from './shown-answer.ts';
import type { Structured } from './structured.ts';

/** What an agent with a model works with. */
export interface Equipment {
  readonly model: Model;
  readonly opened: Opened;
  readonly offers: Offers;
  /** Servers whose tools are offered, too, as they list them before each step. */
  readonly mcp?: readonly Mcp[];
  /** What the final answer is to be, if not any text. */
  readonly structured?: Structured;
  /** The answer is an artifact, which callers see as it is written. */
  readonly stream: boolean;
}

export type Commit = (
  step: Step,
  more?: Parameters<SegmentPorts['transcript']['append']>[1],
) => Promise<void>;

/** What a step of the loop has at hand. */
export interface Work {
  readonly segment: SegmentPorts;
  readonly equipment: Equipment;
  readonly steps: Step[];
  readonly log: Commit;
}

type Repeated = Cut | 'misfit';
const REPEATED: readonly Repeated[] = ['length', 'malformed', 'other', 'misfit'];

/** Why a model's turn ends the task, and what its caller is told. */
const ENDINGS = {
  length: ['MODEL_LENGTH', 'The answer was too long for the model.'],
  malformed: ['MODEL_MALFORMED', 'The model gave no usable answer.'],
  other: ['MODEL_STOPPED', 'The model gave no complete answer.'],
  misfit: ['MODEL_MISFIT', 'The model gave no answer of the form that is wanted.'],
  filtered: ['MODEL_FILTERED', 'The provider of the model held the answer back.'],
  refused: ['MODEL_REFUSED', 'The model declined to answer.'],
} as const;

/** Asks the model for the next turn. An ending if that is the last of the run. */
export async function makeTurn({
  equipment,
  log,
  segment,
  steps,
}: Work): Promise<Ending | undefined> {
  const { transcript } = segment;
  const limit = exceeded(add(transcript.spent, { rounds: 1 }), transcript.limits);
  if (limit !== undefined) return { kind: 'exceeded', limit };
  const { model, stream, structured } = equipment;
  const answer = stream ? new ShownAnswer(segment) : undefined;
  // Data is shown when it has been checked, and words beside it are not the answer.
  const words = structured === undefined ? answer : undefined;
  const asked = await answerOf(segment, model, requestOf(equipment, steps), words?.draft());
  if ('kind' in asked) return asked;
  const shown = steps.reduce((sum, step) => sum + artifactsOf(step), 0);
  const read = readTurn(asked.answer, steps.length + 1, { model: model.name, shown });
  const { artifacts, declined, unusable } = read;
  const turn = { ...read.turn, calls: asOffered(read.turn.calls, equipment.offers) };
  const spend = { ...read.spend, ...useOf(turn) };
  // A run that used more than it may does not complete, also with its last turn.
  const over = exceeded(add(transcript.spent, spend), transcript.limits) !== undefined;
  if (unusable !== undefined) segment.report({ where: 'turn', model: model.name, error: unusable });
  const last = turn.calls.length === 0 && unusable === undefined;
  if (!last) {
    const why = declined ?? repeatedCut(steps, turn);
    const shownAnew = words?.whole(partsOf(turn)) ?? [];
    await log(turn, { artifacts: [...shownAnew, ...artifacts], spend });
    return why === undefined ? undefined : failedBy(why, turn.by);
  }
  if (over) {
    await log({ ...turn, artifacts: [] }, { artifacts: words?.whole([]) ?? [], spend });
    return undefined;
  }
  const fitted = structured?.read(turn.text ?? '');
  if (fitted !== undefined && 'problem' in fitted) {
    const { problem } = fitted;
    segment.report({ where: 'turn', model: model.name, error: new UnusableTurn(problem) });
    const { by, digest, usage } = turn;
    const made = { ...(by !== undefined && { by }), ...(usage && { usage }) };
    const nothing = { calls: [], digest, artifacts: [] };
    const misfit: Turn = { kind: 'turn', ...nothing, ...made, problem, finish: 'misfit' };
    const why = repeatedCut(steps, misfit);
    await log(misfit, { spend });
    return why === undefined ? undefined : failedBy(why, turn.by);
  }
  const parts = partsOf(turn, fitted);
  if (answer === undefined) return { kind: 'completed', parts, artifacts, spend };
  const all = [...answer.whole(parts, steps), ...artifacts];
  return { kind: 'completed', parts: [], artifacts: all, spend };
}

function partsOf({ text }: Turn, fitted?: { readonly value: Json }): readonly Part[] {
  if (fitted !== undefined) return [{ data: fitted.value, mediaType: 'application/json' }];
  return text === undefined ? [] : [{ text }];
}

function requestOf(
  { offers, opened: { instructions, memory }, structured }: Equipment,
  steps: readonly Step[],
): ModelRequest {
  const request = {
    ...(memory.length > 0 && { memory }),
    transcript: modelEntries(steps),
    tools: specsOf(offers),
  };
  if (structured === undefined) return { instructions, ...request };
  const told = [instructions, structured.instructions].filter((each) => each !== '').join('\n\n');
  return { instructions: told, ...request, answer: structured.schema };
}

/** What a model's adapter throws is said to be the model's. */
async function answerOf(
  segment: SegmentPorts,
  model: Model,
  request: ModelRequest,
  draft: Draft | undefined,
): Promise<{ readonly answer: unknown } | Ending> {
  const call: TurnContext = {
    tighten: (answer) => segment.tighten({ answer }),
    now: () => segment.now(),
    after: (wait, callback) => segment.after(wait, callback),
    ...(draft && { draft }),
    report: (name, error) => segment.report({ where: 'model', model: name, error }),
  };
  try {
    return { answer: await ask(model, request, segment.signal, call) };
  } catch (error) {
    if (!mayPass(error) && !segment.signal.aborted)
      segment.report({ where: 'model', model: model.name, error });
    if (error instanceof ModelFault)
      return { kind: 'failed', parts: [], error, fault: 'MODEL_FAULT' };
    throw error;
  }
}

/** The model was told that its turn was cut, and made one that is cut in the same way. */
function repeatedCut(steps: readonly Step[], { finish }: Turn): Repeated | undefined {
  const before = steps.at(-1);
  if (before?.kind !== 'turn' || before.finish !== finish) return undefined;
  return REPEATED.find((cut) => cut === finish);
}

function failedBy(why: keyof typeof ENDINGS, model = ''): Ending {
  const [fault, text] = ENDINGS[why];
  const error = new ModelFault(model, text);
  return { kind: 'failed', parts: [{ text }], error, fault };
}

/** A turn that can't be read does not say who made it. */
function useOf({ by: model, usage }: Turn): Pick<Spending, 'use'> {
  if (model === undefined) return {};
  const { cached = 0, input = 0, output = 0, reasoning = 0 } = usage ?? {};
  return { use: { model, turns: 1, input, output, cached, reasoning } };
}

function artifactsOf(step: Step): number {
  return step.kind === 'turn' ? step.artifacts.length : 0;
}
