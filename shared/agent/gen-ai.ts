import type { Attributes } from '../ports/tracer.ts';
import type { Model, ModelTurn } from '../models/model.ts';
import type { Tool } from './define-tool.ts';

/**
 * The semantic conventions of OpenTelemetry for generative AI, as of version 1.41
 * (https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/): what is asked, how much it
 * took, and never what was said. Not `gen_ai.conversation.id`, which a client chooses.
 */
export const asked = ({ name, provider }: Model): Attributes => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.provider.name': provider ?? name,
  'gen_ai.request.model': name,
});

/** Of a turn that nothing has checked yet. */
export function answered({ name }: Model, turn: ModelTurn | undefined): Attributes {
  const { by, usage } = turn ?? {};
  return {
    'gen_ai.response.model': typeof by === 'string' ? by : name,
    'gen_ai.usage.input_tokens': tokens(usage?.inputTokens),
    'gen_ai.usage.output_tokens': tokens(usage?.outputTokens),
    'gen_ai.usage.cache_read.input_tokens': tokens(usage?.cachedInputTokens),
    'gen_ai.usage.reasoning.output_tokens': tokens(usage?.reasoningTokens),
  };
}

/** What an answer says of its size, by the conventions' type of token. */
export function tokensOf(turn: ModelTurn | undefined): readonly (readonly [string, number])[] {
  const given = [
    ['input', tokens(turn?.usage?.inputTokens)],
    ['output', tokens(turn?.usage?.outputTokens)],
  ] as const;
  return given.flatMap(([type, count]) => (count === undefined ? [] : [[type, count] as const]));
}

export const ofTool = ({ effect, name }: Tool, callId: string): Attributes => ({
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': name,
  'gen_ai.tool.type': 'function',
  'gen_ai.tool.call.id': callId,
  'holdfast.effect': effect,
});

/** A step of a function, for which there are no conventions. */
export const ofStep = (name: string, effect: string, callId: string): Attributes => ({
  'holdfast.step.name': name,
  'holdfast.step.id': callId,
  'holdfast.effect': effect,
});

const tokens = (count: unknown): number | undefined =>
  typeof count === 'number' && Number.isFinite(count) ? count : undefined;
