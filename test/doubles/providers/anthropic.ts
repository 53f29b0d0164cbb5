import type { JsonObject } from '../../../shared/agent/index.ts';
import { frame, pieces } from './sse.ts';
import { firstBroken, list, type Memory, type Protocol, text } from './provider-server.ts';

/**
 * Anthropic's Messages API with extended thinking. Its rules:
 * roles alternate and begin with `user`, `max_tokens` is there
 * (https://docs.claude.com/en/api/messages);
 * the results of a turn's calls are the first blocks of the next message, one for each
 * (https://docs.claude.com/en/docs/agents-and-tools/tool-use/implement-tool-use);
 * a turn that calls tools is handed back with its thinking block first, its signature unchanged
 * (https://docs.claude.com/en/docs/build-with-claude/extended-thinking).
 * A stream begins with an empty message; each block is begun, written in pieces and ended, its
 * arguments as pieces of JSON and its signature behind its thinking; the reason comes before the
 * end, with the tokens until then; between them come pings, and an error in the place of the rest
 * (https://docs.claude.com/en/docs/build-with-claude/streaming).
 */
export const anthropic: Protocol = {
  path: /\/messages$/,
  key: 'x-api-key',
  refusal({ max_tokens, messages, thinking }, seen) {
    const turns = list(messages);
    const roles = turns.map(({ role }) => role);
    const enabled = (thinking as JsonObject | undefined)?.['type'] === 'enabled';
    return firstBroken(
      [typeof max_tokens === 'number', 'max_tokens: field required'],
      [roles[0] === 'user', 'messages: first message must use the "user" role'],
      [roles.every((role, at) => at === 0 || role !== roles[at - 1]), 'roles must alternate'],
      [
        turns.every((turn, at) => isAnswered(turn, turns[at + 1])),
        'tool_use ids were found without tool_result blocks immediately after',
      ],
      [
        turns.every((turn, at) => isAsked(turn, turns[at - 1])),
        'unexpected `tool_use_id` found in `tool_result` blocks',
      ],
      [
        !enabled || turns.every((turn) => isSigned(turn, seen)),
        'a final assistant message must start with a thinking block, with its signature',
      ],
    );
  },
  answer({ calls = [], finish, text: words, thought }, seen) {
    const signature = `signature ${seen.answers}`;
    if (thought !== undefined) seen.signed.set(signature, thought);
    const content = [
      ...(thought === undefined ? [] : [{ type: 'thinking', thinking: thought, signature }]),
      ...(words === undefined ? [] : [{ type: 'text', text: words }]),
      ...calls.map(({ input, name }, at) => ({
        type: 'tool_use',
        id: `toolu_${seen.answers}_${at}`,
        name,
        input,
      })),
    ];
    const usage = { input_tokens: 60, cache_read_input_tokens: 40, output_tokens: 25 };
    return {
      id: `msg_${seen.answers}`,
      type: 'message',
      role: 'assistant',
      model: 'claude-test',
      content,
      stop_reason: finish ?? (calls.length > 0 ? 'tool_use' : 'end_turn'),
      stop_sequence: null,
      usage: { ...usage, cache_creation_input_tokens: 0 },
    };
  },
  streams: ({ stream }) => stream === true,
  events(answer) {
    const { content, stop_reason, stop_sequence, usage, ...message } = answer;
    const { output_tokens, ...read } = usage as JsonObject;
    const started = { ...message, content: [], stop_reason: null, stop_sequence: null };
    return [
      event({
        type: 'message_start',
        message: { ...started, usage: { ...read, output_tokens: 1 } },
      }),
      event({ type: 'ping' }),
      ...list(content).flatMap(streamedBlock),
      event({
        type: 'message_delta',
        delta: { stop_reason: stop_reason ?? null, stop_sequence: stop_sequence ?? null },
        usage: { output_tokens: output_tokens ?? 0 },
      }),
      event({ type: 'message_stop' }),
    ];
  },
  brokenBy: (fault) =>
    event(
      fault === 'fault'
        ? { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
        : { type: 'error', error: { type: 'invalid_request_error', message: 'Bad request' } },
    ),
  tooLong: 'prompt is too long: 208310 tokens > 200000 maximum',
  error: (message) => ({ type: 'error', error: { type: 'invalid_request_error', message } }),
};

const blocks = (turn: JsonObject | undefined): readonly JsonObject[] =>
  Array.isArray(turn?.['content']) ? list(turn['content']) : [];

function isAnswered(turn: JsonObject, next: JsonObject | undefined): boolean {
  const ids = blocks(turn).flatMap(({ id, type }) => (type === 'tool_use' ? [text(id)] : []));
  const first = blocks(next).slice(0, ids.length);
  return ids.join() === first.map(({ tool_use_id: id }) => text(id)).join();
}

/** Each result has its call in the message before it. */
function isAsked(turn: JsonObject, before: JsonObject | undefined): boolean {
  const calls = blocks(before).map(({ id }) => text(id));
  return blocks(turn).every(
    ({ tool_use_id: id, type }) => type !== 'tool_result' || calls.includes(text(id)),
  );
}

function isSigned(turn: JsonObject, { signed }: Memory): boolean {
  const [first] = blocks(turn);
  const calls = blocks(turn).some(({ type }) => type === 'tool_use');
  if (turn['role'] !== 'assistant' || !calls) return true;
  return (
    first?.['type'] === 'thinking' && signed.get(text(first['signature'])) === first['thinking']
  );
}

const event = (data: JsonObject): string => frame(data, text(data['type']));

function streamedBlock(block: JsonObject, index: number): readonly string[] {
  const begun = (content_block: JsonObject): string =>
    event({ type: 'content_block_start', index, content_block });
  const delta = (given: JsonObject): string =>
    event({ type: 'content_block_delta', index, delta: given });
  const ended = event({ type: 'content_block_stop', index });
  switch (text(block['type'])) {
    case 'thinking':
      return [
        begun({ type: 'thinking', thinking: '', signature: '' }),
        ...pieces(text(block['thinking'])).map((thinking) =>
          delta({ type: 'thinking_delta', thinking }),
        ),
        delta({ type: 'signature_delta', signature: block['signature'] ?? '' }),
        ended,
      ];
    case 'text':
      return [
        begun({ type: 'text', text: '' }),
        ...pieces(text(block['text'])).map((piece) => delta({ type: 'text_delta', text: piece })),
        ended,
      ];
    default:
      return [
        begun({ ...block, input: {} }),
        ...['', ...pieces(JSON.stringify(block['input']))].map((partial_json) =>
          delta({ type: 'input_json_delta', partial_json }),
        ),
        ended,
      ];
  }
}
