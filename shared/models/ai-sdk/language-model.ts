import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { Millis } from '../../domain/brand.ts';
import type { Ceiling } from '../../domain/ceiling.ts';
import type { Prices } from '../../domain/prices.ts';
import type { Draft, Model, ModelRequest, ToolSpec } from '../model.ts';
import { type LanguageModel, nameOf } from './any-language-model.ts';
import { type Prompt, promptOf } from './prompt.ts';
import { modelErrorOf } from './provider-error.ts';
import { type Result, turnOf } from './read-result.ts';
import { mayRefuseFiles } from './refused-files.ts';
import { resultFiles } from './result-content.ts';
import { readStream } from './read-stream.ts';
import type { StreamPart } from './streamed-content.ts';
import { contentV4, promptV3 } from './to-v3.ts';
import { ModelFault } from '../model-fault.ts';
import { RetryLater } from '../retry-later.ts';

/** How a model is asked. What a provider does not know it ignores. */
export interface LanguageModelOptions
  extends Pick<
    LanguageModelV4CallOptions,
    | 'frequencyPenalty'
    | 'headers'
    | 'maxOutputTokens'
    | 'presencePenalty'
    | 'providerOptions'
    | 'seed'
    | 'stopSequences'
    | 'temperature'
    | 'topK'
    | 'topP'
  > {
  /** How hard it thinks; only for models of version 4, others have it in `providerOptions`. */
  readonly reasoning?: NonNullable<LanguageModelV4CallOptions['reasoning']>;
  /** For the limit `cost`: in its currency per million tokens. */
  readonly prices?: Prices;
  /**
   * Its context window in tokens: a transcript that fills four fifths of it is summed up. Without
   * it that happens when the provider says that a request is too long.
   */
  readonly window?: number;
  /** How much of its answers may be kept: the run is put under it before the provider is asked. */
  readonly ceiling?: Ceiling;
  /**
   * Of a streamed answer: how many milliseconds the provider may say nothing, before its first word
   * and between two, until the turn is made again or the next model is asked. Default: 100 seconds.
   */
  readonly idleTimeout?: Millis;
}

/** Some think for a minute before they write; and another model must have its time in the step. */
const IDLE_TIMEOUT: Millis = 100_000;

/**
 * A model of the AI SDK as an agent's model, with options; without any, `defineAgent` takes it as
 * it is.
 *
 * @example
 * model: languageModel(google('gemini-3-pro-preview'), { temperature: 0 })
 */
export function languageModel(model: LanguageModel, options: LanguageModelOptions = {}): Model {
  const name = nameOf(model);
  const { ceiling, idleTimeout = IDLE_TIMEOUT, prices, window, ...given } = options;
  const settings = { ...given, ...selfContained(model, given) };
  return {
    name,
    provider: model.provider,
    ...(window !== undefined && { window }),
    ...(ceiling !== undefined && { ceiling }),
    async turn(request, signal, call) {
      const urls = await model.supportedUrls;
      const promptWith = (files: boolean): Prompt =>
        promptOf(request, name, {
          files,
          urls,
          ...(files && { results: resultFiles(model.provider) }),
        });
      const ask = async (prompt: Prompt, draft: Draft | undefined): Promise<Result> => {
        const asked = { ...settings, ...toolsOf(request.tools), ...formatOf(request) };
        if (draft === undefined) return generate(model, prompt, { ...asked, abortSignal: signal });
        const open = (abortSignal: AbortSignal) => stream(model, prompt, { ...asked, abortSignal });
        const shown = { ...call, draft };
        return readStream({ model: name, call: shown, idleTimeout, open, signal });
      };
      const whole = promptWith(true);
      const answer = ask(whole, call.draft).catch((error: unknown) => {
        if (signal.aborted || !mayRefuseFiles(name, whole, error)) throw error;
        call.report(name, error instanceof ModelFault ? error : modelErrorOf(name, error));
        return ask(promptWith(false), call.draft?.anew());
      });
      const result = await answer.catch((error: unknown) => {
        const known = error instanceof RetryLater || error instanceof ModelFault;
        throw signal.aborted || known ? error : modelErrorOf(name, error);
      });
      return turnOf(name, result, prices);
    },
  };
}

/**
 * What OpenAI's responses keep at the provider they refer to by an id, for a month. A turn that is
 * stored here is to be complete: its reasoning comes back encrypted instead, unless the author says
 * otherwise.
 */
function selfContained(
  { provider }: LanguageModel,
  { providerOptions }: LanguageModelOptions,
): Pick<LanguageModelV4CallOptions, 'providerOptions'> {
  if (!provider.endsWith('.responses')) return {};
  const [name = ''] = provider.split('.');
  const own = { store: false, include: ['reasoning.encrypted_content'] };
  return {
    providerOptions: { ...providerOptions, [name]: { ...own, ...providerOptions?.[name] } },
  };
}

async function generate(
  model: LanguageModel,
  prompt: ReturnType<typeof promptOf>,
  options: Omit<LanguageModelV4CallOptions, 'prompt'>,
): Promise<Result> {
  if (model.specificationVersion === 'v4') return model.doGenerate({ ...options, prompt });
  const v3 = { ...options, prompt: promptV3(prompt) };
  const { content, ...result } = await model.doGenerate(v3);
  return { ...result, content: content.map(contentV4) };
}

async function stream(
  model: LanguageModel,
  prompt: ReturnType<typeof promptOf>,
  options: Omit<LanguageModelV4CallOptions, 'prompt'>,
): Promise<ReadableStream<StreamPart>> {
  if (model.specificationVersion === 'v4')
    return (await model.doStream({ ...options, prompt })).stream;
  return (await model.doStream({ ...options, prompt: promptV3(prompt) })).stream;
}

function toolsOf(specs: readonly ToolSpec[]): Pick<LanguageModelV4CallOptions, 'tools'> {
  if (specs.length === 0) return {};
  return {
    tools: specs.map(({ description, name, parameters }) => ({
      type: 'function',
      name,
      description,
      inputSchema: parameters,
    })),
  };
}

/** Not beside tools: some models answer in JSON at once then, and call none. */
function formatOf({
  answer,
  tools,
}: ModelRequest): Pick<LanguageModelV4CallOptions, 'responseFormat'> {
  if (answer === undefined || tools.length > 0) return {};
  return { responseFormat: { type: 'json', schema: answer } };
}
