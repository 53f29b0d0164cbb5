import type { JsonObject } from '../../../shared/agent/index.ts';
import { frame, pieces } from './sse.ts';
import { firstBroken, list, type Protocol, text } from './provider-server.ts';

/**
 * OpenAI's chat completions, which many servers speak. Its rules
 * (https://platform.openai.com/docs/api-reference/chat/create): an assistant message with
 * `tool_calls` is followed by a tool message for each `tool_call_id`, and a tool message follows
 * nothing else; the arguments of a call are JSON text. `stream_options` goes with `stream` alone.
 * A stream (https://platform.openai.com/docs/api-reference/chat-streaming) has the role first, then
 * pieces of the text and of each call, by its index, whose id and name come with its first piece;
 * then the reason; then, with `include_usage` alone, the tokens, in an event without choices; and
 * `[DONE]`.
 */
export const openAiChat: Protocol = {
  path: /\/chat\/completions$/,
  key: 'authorization',
  refusal({ messages, stream, stream_options }) {
    const turns = list(messages);
    const results = turns.flatMap(({ role, tool_call_id: id }) =>
      role === 'tool' ? [text(id)] : [],
    );
    const calls = turns.flatMap(({ tool_calls }) => list(tool_calls ?? []));
    return firstBroken(
      [
        stream_options === undefined || stream_options === null || stream === true,
        "'stream_options' goes with 'stream' alone",
      ],
      [
        turns.every((turn, at) => isAnswered(turn, turns.slice(at + 1))),
        "an assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'",
      ],
      [
        results.length === calls.length,
        "messages with role 'tool' must be a response to a preceding message with 'tool_calls'",
      ],
      [calls.every(isJsonCall), 'arguments must be JSON'],
    );
  },
  answer({ calls = [], finish, text: words }, seen) {
    const tool_calls = calls.map(({ input, name }, at) => ({
      id: `call_${seen.answers}_${at}`,
      type: 'function',
      function: { name, arguments: typeof input === 'string' ? input : JSON.stringify(input) },
    }));
    const message = { role: 'assistant', content: words ?? null, refusal: null };
    const reason = finish ?? (calls.length > 0 ? 'tool_calls' : 'stop');
    return {
      id: `chatcmpl-${seen.answers}`,
      object: 'chat.completion',
      created: 1_800_000_000,
      model: 'gpt-test',
      choices: [
        {
          index: 0,
          finish_reason: reason,
          message: { ...message, ...(calls.length > 0 && { tool_calls }) },
        },
      ],
      usage: {
        prompt_tokens: 100,
        completion_tokens: 25,
        total_tokens: 125,
        prompt_tokens_details: { cached_tokens: 40 },
        completion_tokens_details: { reasoning_tokens: 5 },
      },
    };
  },
  streams: ({ stream }) => stream === true,
  events({ choices, usage, ...whole }, { stream_options }) {
    const [choice] = list(choices);
    const { content, tool_calls } = (choice?.['message'] ?? {}) as JsonObject;
    const told = (stream_options as JsonObject | undefined)?.['include_usage'] === true;
    const chunk = (more: JsonObject): string =>
      frame({ ...whole, object: 'chat.completion.chunk', ...(told && { usage: null }), ...more });
    const delta = (given: JsonObject, finish_reason: string | null = null): string =>
      chunk({ choices: [{ index: 0, delta: given, finish_reason, logprobs: null }] });
    return [
      delta({ role: 'assistant', content: '', refusal: null }),
      ...pieces(text(content)).map((piece) => delta({ content: piece })),
      ...list(tool_calls ?? [])
        .flatMap(streamedCall)
        .map((call) => delta({ tool_calls: [call] })),
      delta({}, text(choice?.['finish_reason'])),
      ...(told ? [chunk({ choices: [], usage: usage ?? null })] : []),
      frame('[DONE]'),
    ];
  },
  brokenBy(fault) {
    const passing = { message: 'The server had an error.', type: 'server_error', code: null };
    const code = 'invalid_value';
    const lasting = { message: 'Invalid value.', type: 'invalid_request_error', code };
    return frame({ error: { ...(fault === 'fault' ? passing : lasting), param: null } });
  },
  tooLong:
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 128012 tokens. Please reduce the length of the messages.",
  error: (message) => ({
    error: { message, type: 'invalid_request_error', param: null, code: null },
  }),
};

function isAnswered({ tool_calls }: JsonObject, following: readonly JsonObject[]): boolean {
  const ids = list(tool_calls ?? []).map(({ id }) => text(id));
  const next = following.slice(0, ids.length).map(({ tool_call_id: id }) => text(id));
  return ids.join() === next.join();
}

function isJsonCall(call: JsonObject): boolean {
  JSON.parse(text((call['function'] as JsonObject)['arguments']));
  return true;
}

function streamedCall(call: JsonObject, index: number): readonly JsonObject[] {
  const { arguments: given, name } = call['function'] as JsonObject;
  return [
    {
      index,
      id: call['id'] ?? '',
      type: 'function',
      function: { name: name ?? '', arguments: '' },
    },
    ...pieces(text(given)).map((piece) => ({ index, function: { arguments: piece } })),
  ];
}
