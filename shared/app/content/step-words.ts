import type { Json } from '../../domain/json.ts';
import type { Part } from '../../domain/message.ts';
import type { Step } from '../../domain/step.ts';
import { partToJson } from '../../domain/stored-content.ts';
import type { Redactor } from '../../ports/redactor.ts';
import { redactItems, redactValues } from './redact-items.ts';

/** What was said in a step. */
export interface StepWords {
  /** Of a turn or a summary its text; of a denial its note; of a message its parts. */
  readonly words?: Json;
  /** Of a turn, in the order of its calls. */
  readonly calls?: readonly { readonly tool: string; readonly arguments: Json }[];
  readonly result?: Json;
  /** Files of a result. */
  readonly parts?: readonly Json[];
  /** What a person put in. */
  readonly input?: Json;
  /** What the run goes by, where that is its own: of its first step. */
  readonly instructions?: string;
  /** Why it could not be used. */
  readonly problem?: string;
}

const partsJson = (parts: readonly Part[]): readonly Json[] => parts.map(partToJson);

export function wordsOf(step: Step): StepWords {
  switch (step.kind) {
    case 'turn': {
      const { calls, problem, text } = step;
      return {
        ...(text !== undefined && { words: text }),
        ...(calls.length > 0 && {
          calls: calls.map(({ arguments: given, tool }) => ({ tool, arguments: given })),
        }),
        ...(problem !== undefined && { problem }),
      };
    }
    case 'result': {
      const { parts, value } = step;
      return { result: value, ...(parts && { parts: partsJson(parts) }) };
    }
    case 'decision':
      return {
        ...(step.note !== undefined && { words: step.note }),
        ...(step.input !== undefined && { input: step.input }),
      };
    case 'answer': {
      const { instructions } = step.opening ?? {};
      return {
        words: partsJson(step.message.parts),
        ...(instructions !== undefined && { instructions }),
      };
    }
    case 'summary': {
      const { problem, text } = step;
      return {
        ...(text !== undefined && { words: text }),
        ...(problem !== undefined && { problem }),
      };
    }
  }
}

/**
 * The same as it may be kept at the level `redacted`: cut like a part of a task. Files are left
 * out. Throws Unavailable.
 */
export async function redactedWordsOf(redactor: Redactor, step: Step): Promise<StepWords> {
  if (step.kind === 'answer') {
    const { message } = step;
    const [item] = await redactItems(redactor, [{ kind: 'message', message }]);
    return item?.kind === 'message' ? { words: partsJson(item.message.parts) } : {};
  }
  // What is made of other tasks ends with them, and not with this trail (decision 0053).
  if (step.kind === 'summary' && step.sources.length > 0) return {};
  const { calls = [], ...words } = wordsOf(step);
  const named = Object.entries(words).filter(([name]) => name !== 'parts');
  const redacted = await redactValues(redactor, [
    ...calls.flatMap(({ arguments: given, tool }) => [tool, given]),
    ...named.map(([, value]) => value),
  ]);
  const rest = redacted.slice(2 * calls.length);
  return {
    ...Object.fromEntries(named.map(([name], at) => [name, rest[at] ?? null])),
    ...(calls.length > 0 && {
      calls: calls.map((_call, at) => ({
        tool: textOr(redacted[2 * at]),
        arguments: redacted[2 * at + 1] ?? null,
      })),
    }),
  };
}

const textOr = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
