import type { Ending, SegmentPorts } from '../app/agents.ts';
import type { Misfit } from '../domain/blocked.ts';
import { exceeded } from '../domain/budget.ts';
import type { Step } from '../domain/step.ts';
import type { StepTold } from '../domain/step-facts.ts';
import { errorFacts } from '../app/error-facts.ts';
import { thrownEnding, triedAgain } from './endings.ts';
import { equip } from './equip.ts';
import { failed } from './failed.ts';
import { makeTurn } from './make-turn.ts';
import { type Next, nextStep, type ThrownByTool } from './next-step.ts';
import { calledOf, withoutRemotes } from './offers.ts';
import { type Declared, opened, type Opened, openingOf } from './opening.ts';
import { pendingCalls } from './pending-turn.ts';
import { mayPass, runTool } from './run-tool.ts';
import { type Running, sideBySide } from './side-by-side.ts';
import { sumUp } from './sum-up.ts';
import type { Commit, Equipment, Work } from './work.ts';

/** As its author declares it, for any run. */
export interface DeclaredEquipment extends Omit<Equipment, 'opened'>, Declared {}

/**
 * Works on a run in steps, each of which is committed before the next begins: so a crash repeats at
 * most what is in flight, and a run that was suspended goes on by loading its steps (decision
 * 0014).
 */
export async function turnLoop(
  segment: SegmentPorts,
  declared: DeclaredEquipment,
): Promise<Ending> {
  const { transcript } = segment;
  // A step may take as long as half a segment: a call that begins is not cut off by the end of one.
  const margin = transcript.timeLeft / 2;
  const steps = [...(await transcript.load())];
  const foreign = operationIn(steps);
  if (foreign !== undefined) return { kind: 'misfit', misfit: foreign };
  const known = steps.length;
  const log: Commit = async (step, more) => {
    await transcript.append(step, more);
    steps.push(step);
  };
  const begun = await begin(segment, declared, steps, log);
  if ('kind' in begun) return begun;
  const offers = transcript.delegates ? declared.offers : withoutRemotes(declared.offers);
  const given = { ...declared, opened: begun, offers };
  const told = new Set<string>();
  for (;;) {
    const equipment = await equip(given, segment, steps, told);
    if (segment.signal.aborted) return { kind: 'yielded' };
    const limit = exceeded(transcript.spent, transcript.limits);
    if (limit !== undefined) return { kind: 'exceeded', limit };
    // Each segment makes a step at least, however short it is.
    if (steps.length > known && transcript.timeLeft < margin) return { kind: 'yielded' };
    // Only the first step of a segment may have been tried before.
    const attempt = steps.length > known ? 1 : segment.attempt;
    const work = { segment: { ...segment, attempt }, equipment, steps, log };
    try {
      const ending = await take(work, nextStep(steps, equipment.offers));
      if (ending !== undefined) return ending;
    } catch (error) {
      if (!mayPass(error)) throw error;
      return triedAgain(error);
    }
  }
}

/** What a function of steps asked for: when it was recorded, the agent was no model. */
export function operationIn(steps: readonly Step[]): Misfit | undefined {
  for (const step of steps)
    for (const { id, operation, tool } of step.kind === 'turn' ? step.calls : [])
      if (operation !== undefined)
        return { at: id, recorded: `${operation.kind} ${tool}`, now: 'a model' };
  return undefined;
}

/** Takes in the message that the run works on. An ending if the author's code threw. */
async function begin(
  segment: SegmentPorts,
  declared: DeclaredEquipment,
  steps: readonly Step[],
  log: Commit,
): Promise<Opened | Ending> {
  const { continuation } = segment.transcript;
  const first = steps.length === 0;
  try {
    if (first || continuation?.kind === 'message') {
      const opening = first ? await openingOf(segment, declared) : undefined;
      const generation = continuation?.generation ?? 0;
      const { message } = segment;
      await log({ kind: 'answer', generation, message, ...(opening && { opening }) });
    }
    return await opened(segment, steps, declared);
  } catch (error) {
    const ending = thrownEnding(error);
    if (ending === undefined) throw error;
    return ending;
  }
}

/** One step; an ending if it is the last of this segment. */
async function take(
  { segment, equipment, log, steps }: Work,
  next: Next,
): Promise<Ending | undefined> {
  const { transcript } = segment;
  reportThrown(segment, next);
  switch (next.kind) {
    case 'model':
      return nextTurn({ segment, equipment, log, steps });
    case 'refuse':
      await log(failed(next.callId, next.why), { told: [refusedTold(next, steps, equipment)] });
      return undefined;
    case 'hold':
      return {
        kind: 'paused',
        pause: approvalOf(next, await transcript.publicDigest(next.turn.digest)),
        calls: pendingCalls(steps),
      };
    case 'ask':
      return {
        kind: 'paused',
        pause: inputOf(next, await transcript.publicDigest(next.digest)),
        calls: pendingCalls(steps),
      };
    case 'run':
      return runCalls({ segment, equipment, log, steps }, next);
    case 'delegate': {
      const { callId, parts, remote } = next;
      const outcome = await transcript.delegate({ callId, parts, remote });
      if (outcome.kind !== 'answered') return outcome;
      steps.push(outcome.step);
      return undefined;
    }
  }
}

/** What is too much for the model is summed up first, which is a step of its own. */
async function nextTurn(work: Work): Promise<Ending | undefined> {
  const summed = await sumUp(work);
  return summed === undefined ? makeTurn(work) : summed.ending;
}

/**
 * The results of calls that ran side by side are one commit, in the order of the calls. A call that
 * is to be tried again costs the others nothing: they are committed without it.
 */
async function runCalls(
  { segment, equipment, steps }: Work,
  next: Running,
): Promise<Ending | undefined> {
  const { transcript } = segment;
  if (next.tool.effect === 'once') await transcript.begin(next.callId);
  const calls = sideBySide(next, steps, equipment.offers);
  for (const beside of calls.slice(1)) reportThrown(segment, beside);
  const ended = await Promise.all(calls.map((call) => runTool(call, segment, equipment.stream)));
  const ran = ended.filter((each) => each.kind === 'ran');
  const results = ran.map(({ result }) => result);
  if (ran.length > 0) await transcript.append(results, { told: ran.map(({ told }) => told) });
  steps.push(...results);
  const again = ended.filter((each) => each.kind === 'retry');
  // The one that wants to wait longest speaks for all.
  return again.toSorted((a, b) => (b.delay ?? 0) - (a.delay ?? 0))[0];
}

/** A tool's own functions that fail have a default; without a word their author would not know. */
function reportThrown(segment: SegmentPorts, next: Next): void {
  for (const { errors, tool } of thrownIn(next))
    for (const error of errors) segment.report({ where: 'tool', tool, error });
}

function thrownIn(next: Next): readonly ThrownByTool[] {
  if (next.kind === 'hold') return next.thrown;
  if (next.kind === 'refuse') return next.thrown === undefined ? [] : [next.thrown];
  if (next.kind !== 'run') return [];
  return [{ tool: next.tool.name, errors: next.call.thrown }];
}

/** Of a call that was not carried out: what it was for, and what its tool's functions threw. */
function refusedTold(
  { callId, thrown }: Extract<Next, { kind: 'refuse' }>,
  steps: readonly Step[],
  { offers }: Equipment,
): StepTold {
  const calls = pendingCalls(steps).filter(({ id }) => id === callId);
  const [error] = thrown?.errors ?? [];
  return {
    calls: calledOf(calls, offers),
    ...(error !== undefined && { fault: errorFacts(error).fault }),
  };
}

type Pause = Extract<Ending, { kind: 'paused' }>['pause'];

function approvalOf({ calls }: Extract<Next, { kind: 'hold' }>, digest: string): Pause {
  const tools = [...new Set(calls.map(({ tool }) => tool))].join(', ');
  const words = [{ text: `Approval is needed for: ${tools}.` }];
  return { kind: 'approval', words, digest, calls };
}

function inputOf(
  { callId, problem, question }: Extract<Next, { kind: 'ask' }>,
  digest: string,
): Pause {
  const { schema, words } = question;
  const again = problem === undefined ? [] : [{ text: `The last answer did not fit: ${problem}` }];
  const wanted = schema === undefined ? {} : { schema };
  return { kind: 'input', words: [{ text: words }, ...again], ...wanted, digest, callId };
}
