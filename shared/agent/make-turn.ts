import type { Ending } from '../app/agents.ts';
import { add, exceeded } from '../domain/budget.ts';
import type { Json } from '../domain/json.ts';
import type { Part } from '../domain/message.ts';
import type { Step, Turn } from '../domain/step.ts';
import { factsOf } from '../domain/step-facts.ts';
import { answerOf, failedBy, useOf } from './ask-model.ts';
import { requestOf } from './model-request.ts';
import { asOffered, calledOf } from './offers.ts';
import { type Cut, readTurn, UnusableTurn } from './read-turn.ts';
import { ANSWER, ShownAnswer } from './shown-answer.ts';
import { sumUpRefused } from './sum-up.ts';
import type { Work } from './work.ts';

type Repeated = Cut | 'misfit';
const REPEATED: readonly Repeated[] = ['length', 'malformed', 'other', 'misfit'];

/** Asks the model for the next turn. An ending if that is the last of the run. */
export async function makeTurn(work: Work): Promise<Ending | undefined> {
  const { equipment, log, segment, steps } = work;
  const { transcript } = segment;
  const limit = exceeded(add(transcript.spent, { rounds: 1 }), transcript.limits);
  if (limit !== undefined) return { kind: 'exceeded', limit };
  const { model, stream, structured } = equipment;
  const answer = stream ? new ShownAnswer(segment) : undefined;
  // Data is shown when it has been checked, and words beside it are not the answer.
  const words = structured === undefined ? answer : undefined;
  const startedAt = segment.now();
  const asked = await answerOf(segment, model, requestOf(equipment, steps), words?.draft());
  if ('kind' in asked) return asked;
  if ('tooLong' in asked) {
    const artifacts = words?.whole([]) ?? [];
    const taken: Work['log'] = (step, more) => log(step, { ...more, artifacts });
    return sumUpRefused({ ...work, log: taken }, asked.tooLong);
  }
  const shown = steps.reduce((sum, step) => sum + artifactsOf(step), 0);
  const read = readTurn(asked.answer, steps.length + 1, {
    model: model.name,
    shown,
    ...(stream && { reserved: ANSWER }),
  });
  const { artifacts, declined, unusable } = read;
  const turn = { ...read.turn, calls: asOffered(read.turn.calls, equipment.offers) };
  const spend = { ...useOf(turn, segment.prices), ...read.spend };
  const told = {
    startedAt,
    attempt: segment.attempt,
    ...(spend.cost !== undefined && { cost: spend.cost }),
    calls: calledOf(turn.calls, equipment.offers),
  };
  // A run that used more than it may does not complete, also with its last turn.
  const over = exceeded(add(transcript.spent, spend), transcript.limits) !== undefined;
  if (unusable !== undefined) segment.report({ where: 'turn', model: model.name, error: unusable });
  const last = turn.calls.length === 0 && unusable === undefined;
  if (!last) {
    const why = declined ?? repeatedCut(steps, turn);
    const shownAnew = words?.whole(partsOf(turn)) ?? [];
    await log(turn, { artifacts: [...shownAnew, ...artifacts], spend, told: [told] });
    return why === undefined ? undefined : failedBy(why, turn.by);
  }
  if (over) {
    await log(
      { ...turn, artifacts: [] },
      { artifacts: words?.whole([]) ?? [], spend, told: [told] },
    );
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
    await log(misfit, { spend, told: [told] });
    return why === undefined ? undefined : failedBy(why, turn.by);
  }
  const parts = partsOf(turn, fitted);
  const made = factsOf(turn, told);
  if (answer === undefined) return { kind: 'completed', parts, artifacts, spend, last: made };
  const all = [...answer.whole(parts, steps), ...artifacts];
  return { kind: 'completed', parts: [], artifacts: all, spend, last: made };
}

function partsOf({ text }: Turn, fitted?: { readonly value: Json }): readonly Part[] {
  if (fitted !== undefined) return [{ data: fitted.value, mediaType: 'application/json' }];
  return text === undefined ? [] : [{ text }];
}

/** The model was told that its turn was cut, and made one that is cut in the same way. */
function repeatedCut(steps: readonly Step[], { finish }: Turn): Repeated | undefined {
  const before = steps.findLast(({ kind }) => kind !== 'summary');
  if (before?.kind !== 'turn' || before.finish !== finish) return undefined;
  return REPEATED.find((cut) => cut === finish);
}

function artifactsOf(step: Step): number {
  return step.kind === 'turn' ? step.artifacts.length : 0;
}
