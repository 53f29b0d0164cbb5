import type { Agent, Ending, PublicationProfile, SegmentPorts } from '../../shared/app/agents.ts';
import type { Transcript } from '../../shared/app/transcript.ts';
import type { Limits } from '../../shared/domain/budget.ts';
import { agentName } from '../../shared/domain/ids.ts';
import type { Message } from '../../shared/domain/message.ts';
import type { Json } from '../../shared/domain/json.ts';
import { digestOfCalls, type Result, type Step, type ToolCall } from '../../shared/domain/step.ts';
import type { Effects } from './remote-line.ts';
import { MANNERS, remoteNamed } from './remotes.ts';

/**
 * What one turn of a script calls: a remote by its name, a tool that may run twice, or one that may
 * not.
 */
interface Turn {
  readonly calls: readonly string[];
  /** A person has to say yes first. */
  readonly approval?: true;
  /** Shows something, in the commit of the turn. */
  readonly shows?: true;
}

interface Script {
  readonly turns: readonly Turn[];
  readonly limits?: Limits;
  readonly decisions?: PublicationProfile['decisions'];
}

/** What each turn of a script costs. */
export const TURN = { rounds: 1, tokens: 10 };

const calls = (...names: readonly string[]): Turn => ({ calls: names });

/** By the name of the agent. */
const SCRIPTS: { readonly [agent: string]: Script } = {
  delegates: { turns: [calls('quick')] },
  'delegates-twice': {
    turns: [{ ...calls('quick'), shows: true }, { ...calls('verbose'), shows: true }, calls()],
  },
  'two-timeouts': { turns: [calls('endless'), calls('endless')] },
  'with-mute': { turns: [calls('mute')] },
  'with-instant': { turns: [calls('instant')] },
  'with-eternal': { turns: [calls('eternal')] },
  'with-endless': { turns: [calls('endless')] },
  'with-failing': {
    turns: [calls('failing'), calls('vanishing'), calls('refusing'), calls('talking')],
  },
  'with-asking': { turns: [calls('asking'), calls('garbled')] },
  'with-guarded': { turns: [calls('guarded')] },
  'with-busy': { turns: [calls('busy')] },
  pays: { turns: [calls('look-up', 'pay'), calls('quick'), calls('pay', 'look-up')] },
  'with-silent': { turns: [calls('silent')] },
  'asks-size': { turns: [calls('ask')] },
  overspends: { turns: [calls('instant'), calls('quick')], limits: { delegations: 1 } },
  'asks-leave': {
    turns: [{ ...calls('look-up', 'pay'), approval: true, shows: true }],
    decisions: { owner: true },
  },
  'asks-leave-twice': {
    turns: [
      { ...calls('pay'), approval: true },
      { ...calls('pay'), approval: true },
    ],
    decisions: { owner: true },
  },
};

export const WAITING_AGENTS = Object.keys(SCRIPTS);

/** Agents that work in steps and wait: each resumes from its transcript alone. */
export function waitingAgents(effects: Effects): readonly Agent[] {
  return Object.entries(SCRIPTS).map(([called, script]): Agent => {
    const name = agentName(called);
    if (name === undefined) throw new TypeError(called);
    const { turns, limits, decisions } = script;
    const remotes = [...new Set(turns.flatMap((turn) => turn.calls))]
      .filter((tool) => tool in MANNERS)
      .map(remoteNamed);
    return {
      name,
      parallel: false,
      remotes,
      ...(limits && { limits }),
      ...(decisions && { publication: { decisions } }),
      run: (segment) => follow(segment, turns, effects),
    };
  });
}

async function follow(
  segment: SegmentPorts,
  turns: readonly Turn[],
  effects: Effects,
): Promise<Ending> {
  const { transcript } = segment;
  const steps = [...(await transcript.load())];
  for (const [at, turn] of turns.entries()) {
    const ending = await takeTurn(segment, steps, at, turn, effects);
    if (ending !== undefined) return ending;
  }
  return {
    kind: 'completed',
    parts: [{ text: 'all turns done' }],
    artifacts: [{ artifactId: 'report', parts: [{ data: reportOf(steps) }] }],
    spend: TURN,
  };
}

/** What came of each call, for everybody to see. */
export function reportOf(steps: readonly Step[]): Json {
  return steps
    .filter((step): step is Result => step.kind === 'result')
    .map(({ callId, status, value }) => [callId, status, value]);
}

async function takeTurn(
  segment: SegmentPorts,
  steps: Step[],
  at: number,
  turn: Turn,
  effects: Effects,
): Promise<Ending | undefined> {
  const { transcript } = segment;
  const asked = turn.calls.map(
    (tool, n): ToolCall => ({ id: `call-${at + 1}-${n + 1}`, tool, arguments: { at } }),
  );
  const digest = digestOfCalls(asked);
  if (steps.filter(({ kind }) => kind === 'turn').length <= at) {
    const shown = turn.shows ? [{ artifactId: `turn-${at + 1}`, parts: [{ text: 'shown' }] }] : [];
    const artifacts = shown.map(({ artifactId }) => artifactId);
    const step: Step = { kind: 'turn', calls: asked, digest, artifacts };
    await append(transcript, steps, step, { artifacts: shown, spend: TURN });
  }
  if (turn.approval) {
    const decided = since(steps, at).find((step) => step.kind === 'decision');
    if (decided === undefined) {
      const held = asked.map(({ id, tool }) => ({ id, tool, summary: `${tool} something` }));
      const words = [{ text: 'may I?' }];
      return { kind: 'paused', pause: { kind: 'approval', words, digest, calls: held } };
    }
    if (decided.decision === 'deny') {
      const denied = { denied: decided.by };
      for (const { id } of asked)
        if (!isAnswered(steps, id)) await answer(transcript, steps, id, 'error', denied);
      return undefined;
    }
  }
  for (const call of asked) {
    const ending = await make(segment, steps, call, effects);
    if (ending !== undefined) return ending;
  }
  return undefined;
}

const isAnswered = (steps: readonly Step[], callId: string): boolean =>
  steps.some((step) => step.kind === 'result' && step.callId === callId);

/** What follows the turn of that number, up to the next. */
function since(steps: readonly Step[], at: number): readonly Step[] {
  const turns = steps.flatMap(({ kind }, place) => (kind === 'turn' ? [place] : []));
  return steps.slice(turns[at], turns[at + 1]);
}

/** Makes one call, unless it has its result. */
async function make(
  { transcript, message, taskId }: SegmentPorts,
  steps: Step[],
  { id, tool }: ToolCall,
  effects: Effects,
): Promise<Ending | undefined> {
  if (isAnswered(steps, id)) return undefined;
  if (tool === 'ask') return ask(transcript, steps, id, message);
  if (tool in MANNERS) {
    const parts = [{ text: `please do ${id}` }];
    const delegated = await transcript.delegate({ callId: id, remote: remoteNamed(tool), parts });
    if (delegated.kind !== 'answered') return delegated;
    steps.push(delegated.step);
    return undefined;
  }
  const once = tool === 'pay';
  if (once) await transcript.begin(id);
  const done = await effects({ taskId, callId: id, once }).then(
    () => true,
    () => false,
  );
  await answer(transcript, steps, id, done ? 'ok' : 'error', { tool });
  return undefined;
}

const SIZE: Json = {
  type: 'object',
  properties: { size: { type: 'number' } },
  required: ['size'],
};

/** Waits for a size, which comes as a decision or in the client's own words. */
async function ask(
  transcript: Transcript,
  steps: Step[],
  callId: string,
  message: Message,
): Promise<Ending | undefined> {
  const { continuation } = transcript;
  if (continuation?.kind === 'message')
    await append(transcript, steps, {
      kind: 'answer',
      generation: continuation.generation,
      message,
    });
  const said = steps.findLast(
    (step) => step.kind === 'answer' || (step.kind === 'decision' && step.decision === 'input'),
  );
  if (said === undefined) {
    const words = [{ text: 'which size?' }];
    const digest = digestOfCalls(openCalls(steps));
    return { kind: 'paused', pause: { kind: 'input', words, schema: SIZE, digest, callId } };
  }
  await answer(transcript, steps, callId, 'ok', { said: said.kind });
  return undefined;
}

/** The calls of the newest turn. */
function openCalls(steps: readonly Step[]): readonly ToolCall[] {
  const turn = steps.findLast((step) => step.kind === 'turn');
  return turn?.kind === 'turn' ? turn.calls : [];
}

function answer(
  transcript: Transcript,
  steps: Step[],
  callId: string,
  status: Result['status'],
  value: Json,
): Promise<void> {
  return append(transcript, steps, { kind: 'result', callId, status, value });
}

async function append(
  transcript: Transcript,
  steps: Step[],
  step: Step,
  more: Parameters<Transcript['append']>[1] = {},
): Promise<void> {
  await transcript.append(step, more);
  steps.push(step);
}
