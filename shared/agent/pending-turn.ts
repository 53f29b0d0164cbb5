import type { Json } from '../domain/json.ts';
import { type Message, textOf } from '../domain/message.ts';
import type { DeciderKind, Step, ToolCall, Turn } from '../domain/step.ts';

/** The newest turn, while a call of it has no result. */
export interface PendingTurn {
  readonly turn: Turn;
  /** The first call without a result: they are carried out in order. */
  readonly call: ToolCall;
  /** Nothing has followed the turn yet. */
  readonly fresh: boolean;
  /** What a person decided about this turn, and no other: it directly follows it (G18). */
  readonly decision?: { readonly kind: 'approve' | 'deny'; readonly by: DeciderKind };
  /**
   * What may be meant as the input of `call`, likeliest first; absent until a person has answered.
   */
  readonly answers?: readonly Json[];
}

/** Undefined: the model is next. */
export function pendingTurn(steps: readonly Step[]): PendingTurn | undefined {
  const at = steps.findLastIndex(({ kind }) => kind === 'turn');
  const turn = steps[at];
  if (turn?.kind !== 'turn') return undefined;
  const after = steps.slice(at + 1);
  const done = new Set(after.flatMap((step) => (step.kind === 'result' ? [step.callId] : [])));
  const call = turn.calls.find(({ id }) => !done.has(id));
  if (call === undefined) return undefined;
  const [first] = after;
  const decided = first?.kind === 'decision' && first.decision !== 'input' ? first : undefined;
  const since = after.slice(after.findLastIndex(({ kind }) => kind === 'result') + 1);
  const answers = since.map(answersOf).findLast((each) => each !== undefined);
  return {
    turn,
    call,
    fresh: after.length === 0,
    ...(decided && {
      decision: { kind: decided.decision === 'approve' ? 'approve' : 'deny', by: decided.by },
    }),
    ...(answers && { answers }),
  };
}

function answersOf(step: Step): readonly Json[] | undefined {
  if (step.kind === 'answer') return dataOf(step.message);
  return step.kind === 'decision' && step.decision === 'input' ? [step.input ?? null] : undefined;
}

/** Data is meant as it is; words may be the answer themselves, or write it as JSON. */
function dataOf(message: Message): readonly Json[] {
  const data = message.parts.flatMap((part) => ('data' in part ? [part.data] : []));
  if (data.length > 0) return data;
  const text = textOf(message);
  try {
    return [text, JSON.parse(text) as Json];
  } catch {
    return [text];
  }
}
