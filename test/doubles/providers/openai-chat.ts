import type { JsonObject } from '../../../shared/agent/index.ts';
import { firstBroken, list, type Protocol, text } from './provider-server.ts';

/**
 * OpenAI's chat completions, which many servers speak. Its rules
 * (https://platform.openai.com/docs/api-reference/chat/create): an assistant message with
 * `tool_calls` is followed by a tool message for each `tool_call_id`, and a tool message follows
 * nothing else; the arguments of a call are JSON text.
 */
export const openAiChat: Protocol = {
  refusal({ messages }) {
    const turns = list(messages);
    const results = turns.flatMap(({ role, tool_call_id: id }) =>
      role === 'tool' ? [text(id)] : [],
    );
    const calls = turns.flatMap(({ tool_calls }) => list(tool_calls ?? []));
    return firstBroken(
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
