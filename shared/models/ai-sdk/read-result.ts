import type { LanguageModelV4Content, LanguageModelV4GenerateResult } from '@ai-sdk/provider';
import { costOf, type Prices } from '../../domain/prices.ts';
import type { ModelArtifact, ModelFinish, ModelTurn, ModelUsage } from '../model.ts';
import { RetryLater } from '../retry-later.ts';
import { stateOf } from './turn-state.ts';

/** Of a result, what both versions have. */
export type Result = Pick<LanguageModelV4GenerateResult, 'content' | 'finishReason' | 'usage'>;

/** What a provider answered, as a turn. Throws RetryLater if it broke off. */
export function turnOf(model: string, result: Result, prices: Prices | undefined): ModelTurn {
  const { content, usage } = result;
  const calls = content.flatMap(callOf);
  const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
  const artifacts = content.flatMap(artifactOf);
  const finish = finishOf(model, result, calls.length > 0);
  const isEmpty = calls.length === 0 && text.trim() === '' && artifacts.length === 0;
  return {
    by: model,
    finish: finish === 'stop' && isEmpty ? 'malformed' : finish,
    ...(text !== '' && { text }),
    calls,
    artifacts,
    usage: usageOf(usage, prices),
    // The last turn is never handed back.
    ...(calls.length > 0 && { state: stateOf(content) }),
  };
}

/** A call that the provider carries out itself is no call of ours. */
function callOf(part: LanguageModelV4Content): { name: string; arguments: unknown }[] {
  if (part.type !== 'tool-call' || part.providerExecuted === true) return [];
  return [{ name: part.toolName, arguments: argumentsOf(part.input) }];
}

/** What is no JSON stays the text that it is: the loop tells the model. */
function argumentsOf(input: string): unknown {
  if (input.trim() === '') return {};
  try {
    return JSON.parse(input) as unknown;
  } catch {
    return input;
  }
}

function artifactOf(part: LanguageModelV4Content): ModelArtifact[] {
  if (part.type !== 'file') return [];
  const { data, mediaType } = part;
  if (data.type === 'url') return [{ parts: [{ url: String(data.url), mediaType }] }];
  const raw = typeof data.data === 'string' ? Buffer.from(data.data, 'base64') : data.data;
  return [{ parts: [{ raw, mediaType }] }];
}

function finishOf(model: string, { finishReason }: Result, hasCalls: boolean): ModelFinish {
  const { raw, unified } = finishReason;
  switch (unified) {
    case 'stop':
      // Anthropic pauses a long turn of its own tools.
      return raw === 'pause_turn' ? 'other' : 'stop';
    case 'tool-calls':
      return hasCalls ? 'stop' : 'other';
    case 'length':
      return 'length';
    case 'content-filter':
      return REFUSALS.includes(raw) ? 'refused' : 'filtered';
    case 'error':
      if (raw === 'MALFORMED_FUNCTION_CALL') return 'malformed';
      throw new RetryLater(`${model}: broke off`);
    case 'interrupted':
      throw new RetryLater(`${model}: was cut off`);
    case 'other':
      return raw === 'MALFORMED_FUNCTION_CALL' ? 'malformed' : 'other';
  }
}

/** The model's own word, and not a filter's: Anthropic names it, OpenAI stops as usual. */
const REFUSALS: readonly unknown[] = ['refusal', 'stop', undefined];

function usageOf(usage: Result['usage'], prices: Prices | undefined): ModelUsage {
  const { cacheRead: cached = 0, total: input = 0 } = usage.inputTokens;
  const { reasoning, total: output = 0 } = usage.outputTokens;
  return {
    inputTokens: input,
    outputTokens: output,
    ...(cached > 0 && { cachedInputTokens: cached }),
    ...(reasoning !== undefined && reasoning > 0 && { reasoningTokens: reasoning }),
    ...(prices !== undefined && { cost: costOf({ input, cached, output }, prices) }),
  };
}
