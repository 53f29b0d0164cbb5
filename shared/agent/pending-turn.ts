import type { Json } from '../domain/json.ts';
import { type Message, textOf } from '../domain/message.ts';
import type { DeciderKind, Step, ToolCall, Turn } from '../domain/step.ts';

/** What a person decided about a turn. */
export interface DecidedTurn {
  readonly kind: 'approve' | 'deny';
  readonly by: DeciderKind;
  readonly note?: string;
}

/** The newest turn, while a call of it has no result. */
export interface PendingTurn {
  readonly turn: Turn;
  /** The first call without a result: they are carried out in order. */
  readonly call: ToolCall;
  /** Nothing has followed the turn yet. */
  readonly fresh: boolean;
  /** What a person decided about this turn, and no other: it directly follows it (G18). */
  readonly decision?: DecidedTurn;
  /**
   * What may be meant as the input of `call`, likeliest first; absent until a person has answered.
   */
  readonly answers?: readonly Json[];
  /** All of that answer, for a model to read; present with `answers`. */
  readonly said?: Json;
}

/** The calls of the newest turn without a result, in their order. */
export function pendingCalls(steps: readonly Step[]): readonly ToolCall[] {
  const at = steps.findLastIndex(({ kind }) => kind === 'turn');
  const turn = steps[at];
  if (turn?.kind !== 'turn') return [];
  const after = steps.slice(at + 1);
  const done = new Set(after.flatMap((step) => (step.kind === 'result' ? [step.callId] : [])));
  return turn.calls.filter(({ id }) => !done.has(id));
}

/** Undefined: the model is next. */
export function pendingTurn(steps: readonly Step[]): PendingTurn | undefined {
  const at = steps.findLastIndex(({ kind }) => kind === 'turn');
  const turn = steps[at];
  if (turn?.kind !== 'turn') return undefined;
  const after = steps.slice(at + 1);
  const [call] = pendingCalls(steps);
  if (call === undefined) return undefined;
  const [first] = after;
  const decided = first?.kind === 'decision' && first.decision !== 'input' ? first : undefined;
  const since = after.slice(after.findLastIndex(({ kind }) => kind === 'result') + 1);
  const given = since.map(answerOf).findLast((each) => each !== undefined);
  return {
    turn,
    call,
    fresh: after.length === 0,
    ...(decided && {
      decision: {
        kind: decided.decision === 'approve' ? 'approve' : 'deny',
        by: decided.by,
        ...(decided.note !== undefined && { note: decided.note }),
      },
    }),
    ...given,
  };
}

type Answer = Required<Pick<PendingTurn, 'answers' | 'said'>>;

/** What may be meant by what a person said, likeliest first. */
export function answersIn(step: Step): readonly Json[] {
  return answerOf(step)?.answers ?? [];
}

function answerOf(step: Step): Answer | undefined {
  if (step.kind === 'answer') return { answers: dataOf(step.message), said: saidIn(step.message) };
  if (step.kind !== 'decision' || step.decision !== 'input') return undefined;
  const { input = null } = step;
  return { answers: [input], said: input };
}

/** Words or data where there is nothing else; files and links by what they are called. */
function saidIn(message: Message): Json {
  const words = textOf(message);
  const data = message.parts.flatMap((part) => ('data' in part ? [part.data] : []));
  const files = message.parts.flatMap((part) => {
    if ('url' in part) return [part.url];
    return 'raw' in part ? [part.filename ?? part.mediaType ?? 'a file'] : [];
  });
  const [only] = data;
  if (files.length === 0 && data.length === 0) return words;
  if (files.length === 0 && words === '' && data.length === 1 && only !== undefined) return only;
  return { words, data, files };
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
