import type { HeldCall } from '../app/agents.ts';
import type { Json } from '../domain/json.ts';
import type { Part } from '../domain/message.ts';
import type { Remote } from '../domain/remote.ts';
import type { DeciderKind, Step, ToolCall, Turn } from '../domain/step.ts';
import type { Question, ReadyCall, Tool } from './define-tool.ts';
import { needsApproval, type Offers, type Ready, readyOf, summaryOf, thrownBy } from './offers.ts';
import { type DecidedTurn, type PendingTurn, pendingTurn } from './pending-turn.ts';

/** What a run does next; all of it follows from its committed steps. */
export type Next =
  | { readonly kind: 'model' }
  /** The call gets an error result, and nothing runs. */
  | {
      readonly kind: 'refuse';
      readonly callId: string;
      readonly why: string;
      readonly thrown?: ThrownByTool;
    }
  /** The turn waits for an approval. */
  | {
      readonly kind: 'hold';
      readonly turn: Turn;
      readonly calls: readonly HeldCall[];
      readonly thrown: readonly ThrownByTool[];
    }
  /** The call waits for input; `problem` is what was wrong with the last one. */
  | {
      readonly kind: 'ask';
      readonly callId: string;
      readonly digest: string;
      readonly question: Question;
      readonly problem?: string;
    }
  | {
      readonly kind: 'run';
      readonly callId: string;
      /** What its tool knows the call by, if not by this run. */
      readonly key?: string;
      readonly tool: Tool;
      readonly call: ReadyCall;
      readonly input?: Json;
    }
  | {
      readonly kind: 'delegate';
      readonly callId: string;
      readonly remote: Remote;
      readonly parts: readonly Part[];
    };

/** For the author: what a tool's own functions threw. */
export interface ThrownByTool {
  readonly tool: string;
  readonly errors: readonly unknown[];
}

const MIXED =
  'A call to another agent must be the only call of its turn. No call of this turn was carried out.';
const UNAPPROVED = 'This call needs an approval, and its turn has none.';
const DECLINED: Record<DeciderKind, string> = {
  owner: 'The owner of the task declined this turn. No call of it was carried out.',
  operator: 'An operator declined this turn. No call of it was carried out.',
};

/** The note is an operator's, and a model may go by it. */
const declined = ({ by, note }: DecidedTurn): string =>
  note === undefined ? DECLINED[by] : `${DECLINED[by]} Why: ${note}`;

/** Pure, if what authors wrote about their tools is. */
export function nextStep(steps: readonly Step[], offers: Offers): Next {
  const pending = pendingTurn(steps);
  if (pending === undefined) return { kind: 'model' };
  const { call, decision, fresh, turn } = pending;
  const refuse = (why: string) => ({ kind: 'refuse', callId: call.id, why }) as const;
  if (mixes(turn.calls, offers)) return refuse(MIXED);
  if (decision?.kind === 'deny') return refuse(declined(decision));
  const held = fresh ? heldCalls(turn, offers) : undefined;
  if (held !== undefined) return { kind: 'hold', turn, ...held };
  const ready = readyOf(call, offers);
  if (ready.kind === 'unfit') {
    if (ready.thrown === undefined) return refuse(ready.why);
    return { ...refuse(ready.why), thrown: { tool: call.tool, errors: [ready.thrown] } };
  }
  // The tool came to need approval after its turn had begun.
  if (needsApproval(ready) && decision?.kind !== 'approve') return refuse(UNAPPROVED);
  return carryOut(pending, ready);
}

/** More than one call, and one of them is to a remote agent (G13). */
function mixes(calls: readonly ToolCall[], offers: Offers): boolean {
  return calls.length > 1 && calls.some(({ tool }) => offers.get(tool)?.kind === 'remote');
}

/**
 * One call that needs an approval holds its whole turn; what can't be carried out anyway is not
 * asked about.
 */
function heldCalls(
  { calls }: Turn,
  offers: Offers,
): Pick<Extract<Next, { kind: 'hold' }>, 'calls' | 'thrown'> | undefined {
  const ready = calls.flatMap(({ id, ...rest }) => {
    const each = readyOf({ id, ...rest }, offers);
    return each.kind === 'unfit' ? [] : [{ id, tool: rest.tool, each }];
  });
  if (!ready.some(({ each }) => needsApproval(each))) return undefined;
  return {
    calls: ready.map(({ each, id, tool }) => ({ id, tool, summary: summaryOf(each) })),
    thrown: ready.map(({ each, tool }) => ({ tool, errors: thrownBy(each) })),
  };
}

function carryOut({ answers, call: made, said, turn }: PendingTurn, ready: Ready): Next {
  const { id: callId, key } = made;
  if (ready.kind === 'remote') {
    const { parts, remote } = ready;
    return { kind: 'delegate', callId, remote, parts };
  }
  const { call, tool } = ready;
  const { question } = call;
  const run = { kind: 'run', callId, tool, call, ...(key !== undefined && { key }) } as const;
  if (question === undefined) return run;
  const ask = { kind: 'ask', callId, digest: turn.digest, question } as const;
  if (answers === undefined) return ask;
  if (question.open === true) return { ...run, input: said ?? null };
  const input = answers.find((answer) => question.problem(answer) === undefined);
  if (input !== undefined) return { ...run, input };
  return { ...ask, problem: question.problem(answers[0] ?? null) ?? 'There is no answer in it.' };
}
