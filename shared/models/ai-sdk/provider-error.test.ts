import { describe, expect, it } from 'vitest';
import { ContextTooLong, ModelFault } from '../model-fault.ts';
import { RetryLater } from '../retry-later.ts';
import { modelErrorOf, streamErrorOf } from './provider-error.ts';

const refused = (statusCode: number, message: string, responseBody = '') =>
  Object.assign(new Error(message), { name: 'AI_APICallError', statusCode, responseBody });

describe('what a provider says of a request that is too long', () => {
  it.each([
    [
      'OpenAI, chat',
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 128012 tokens.",
    ],
    [
      'OpenAI, responses',
      'Your input exceeds the context window of this model. Please adjust your input and try again.',
    ],
    ['Anthropic', 'prompt is too long: 208310 tokens > 200000 maximum'],
    [
      'Anthropic, with its answer',
      'input length and `max_tokens` exceed context limit: 198000 + 8192 > 200000, decrease input length',
    ],
    [
      'Gemini',
      'The input token count (1048577) exceeds the maximum number of tokens allowed (1048576).',
    ],
    [
      'Vertex AI',
      'Unable to submit request because the input token count is 40000 but model only supports up to 32768.',
    ],
    [
      'llama.cpp',
      'the request exceeds the available context size. try increasing the context size',
    ],
  ])('is understood: %s', (_who, words) => {
    expect(modelErrorOf('m', refused(400, words))).toBeInstanceOf(ContextTooLong);
    expect(modelErrorOf('m', refused(400, 'Bad Request', words))).toBeInstanceOf(ContextTooLong);
    expect(streamErrorOf('m', { message: words })).toBeInstanceOf(ContextTooLong);
  });

  it('is understood by its code or status where the words say nothing', () => {
    const code = 'context_length_exceeded';
    expect(
      modelErrorOf('m', refused(400, 'no', JSON.stringify({ error: { code } }))),
    ).toMatchObject({
      name: 'ContextTooLong',
      status: 400,
    });
    expect(modelErrorOf('m', refused(413, 'no'))).toBeInstanceOf(ContextTooLong);
    expect(streamErrorOf('m', { code, message: 'no' })).toBeInstanceOf(ContextTooLong);
  });

  it.each([
    [400, 'Invalid value for max_tokens.'],
    [401, 'prompt is too long'],
    [404, 'The model does not exist.'],
  ])('is not read into another refusal: %i, %s', (status, words) => {
    const error = modelErrorOf('m', refused(status, words));
    expect(error).toBeInstanceOf(ModelFault);
    expect(error).not.toBeInstanceOf(ContextTooLong);
  });

  it('is not read into a fault that may pass', () => {
    expect(modelErrorOf('m', refused(429, 'input token count per minute exceeded'))).toBeInstanceOf(
      RetryLater,
    );
  });
});
