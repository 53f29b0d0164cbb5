import type { JsonObject } from '../../../shared/agent/index.ts';
import { frame, pieces } from './sse.ts';
import { firstBroken, list, type Memory, type Protocol, text } from './provider-server.ts';

/**
 * OpenAI's responses, which keep nothing (`store: false`). Its rules: each call has its output
 * (https://platform.openai.com/docs/guides/function-calling); a reasoning item comes back with its
 * encrypted content, directly before the item that it led to
 * (https://platform.openai.com/docs/guides/reasoning).
 * A stream (https://platform.openai.com/docs/api-reference/responses-streaming) numbers its events;
 * each item is added, written in pieces and done, and what it is at last, its encrypted content
 * above all, is in the event that says so; the last one has the whole response, and there is no
 * `[DONE]`. A fault is an event `error`, in the place of the rest.
 */
export const openAiResponses: Protocol = {
  path: /\/responses$/,
  key: 'authorization',
  refusal({ include, input, store }, seen) {
    const items = list(input);
    const ids = (kind: string) =>
      items.flatMap(({ call_id: id, type }) => (type === kind ? [text(id)] : []));
    const outputs = ids('function_call_output');
    return firstBroken(
      [store === false, 'nothing is stored here: send store false'],
      [list(include ?? []).some((each) => text(each) === 'reasoning.encrypted_content'), 'include'],
      [!items.some(({ type }) => type === 'item_reference'), 'Item not found'],
      [
        ids('function_call').every((id) => outputs.includes(id)),
        'No tool output found for function call',
      ],
      [
        outputs.every((id) => ids('function_call').includes(id)),
        'No tool call found for function call output',
      ],
      [
        items.every((item, at) => isReasoned(item, items.slice(0, at), seen)),
        "function_call was provided without its required 'reasoning' item",
      ],
    );
  },
  answer({ calls = [], finish, text: words, thought }, seen) {
    const n = seen.answers;
    const output: JsonObject[] = [];
    if (thought !== undefined) {
      const encrypted_content = `encrypted ${n}`;
      for (const [at] of calls.entries()) seen.signed.set(`call_${n}_${at}`, encrypted_content);
      const summary = [{ type: 'summary_text', text: thought }];
      output.push({ type: 'reasoning', id: `rs_${n}`, summary, encrypted_content });
    }
    if (words !== undefined) {
      const content = [{ type: 'output_text', text: words, annotations: [], logprobs: [] }];
      output.push({
        type: 'message',
        id: `msg_${n}`,
        role: 'assistant',
        status: 'completed',
        content,
      });
    }
    for (const [at, { input, name }] of calls.entries()) {
      const given = typeof input === 'string' ? input : JSON.stringify(input);
      const ids = { id: `fc_${n}_${at}`, call_id: `call_${n}_${at}` };
      output.push({ type: 'function_call', ...ids, name, arguments: given, status: 'completed' });
    }
    return {
      id: `resp_${n}`,
      object: 'response',
      created_at: 1_800_000_000,
      model: 'gpt-5-test',
      status: finish === undefined ? 'completed' : 'incomplete',
      error: null,
      incomplete_details: finish === undefined ? null : { reason: finish },
      output,
      usage: {
        input_tokens: 100,
        input_tokens_details: { cached_tokens: 40 },
        output_tokens: 25,
        output_tokens_details: { reasoning_tokens: 5 },
        total_tokens: 125,
      },
    };
  },
  streams: ({ stream }) => stream === true,
  events(answer) {
    const begun = { ...answer, status: 'in_progress', output: [], usage: null };
    const ended = answer['status'] === 'completed' ? 'response.completed' : 'response.incomplete';
    return [
      { type: 'response.created', response: begun },
      { type: 'response.in_progress', response: begun },
      ...list(answer['output']).flatMap(streamedItem),
      { type: ended, response: answer },
    ].map((data, sequence_number) => frame({ ...data, sequence_number }, data.type));
  },
  brokenBy(fault) {
    const passing = { code: 'server_error', message: 'The server had an error.' };
    const lasting = { code: 'invalid_prompt', message: 'Invalid prompt.' };
    const said = { ...(fault === 'fault' ? passing : lasting), param: null, sequence_number: 99 };
    return frame({ type: 'error', ...said }, 'error');
  },
  tooLong:
    'Your input exceeds the context window of this model. Please adjust your input and try again.',
  error: (message) => ({
    error: { message, type: 'invalid_request_error', param: null, code: null },
  }),
};

/** The calls of one turn stand behind one reasoning item. */
function isReasoned(item: JsonObject, before: readonly JsonObject[], { signed }: Memory): boolean {
  const wanted = item['type'] === 'function_call' ? signed.get(text(item['call_id'])) : undefined;
  if (wanted === undefined) return true;
  // A message may leave its type out (https://platform.openai.com/docs/api-reference/responses/create).
  const others = ['function_call', 'message', undefined];
  const last = before.findLast(({ type }) => !others.includes(type as string | undefined));
  return last?.['type'] === 'reasoning' && last['encrypted_content'] === wanted;
}

type Event = JsonObject & { readonly type: string };

function streamedItem(item: JsonObject, output_index: number): readonly Event[] {
  const at = { item_id: item['id'] ?? '', output_index };
  const done: Event = { type: 'response.output_item.done', output_index, item };
  const added = (begun: JsonObject): Event => {
    return { type: 'response.output_item.added', output_index, item: { ...item, ...begun } };
  };
  switch (text(item['type'])) {
    case 'reasoning': {
      const [summary] = list(item['summary']);
      const part = { ...at, summary_index: 0 };
      const kind = 'response.reasoning_summary';
      const words = text(summary?.['text']);
      return [
        added({ summary: [], encrypted_content: 'not yet' }),
        { type: `${kind}_part.added`, ...part, part: { type: 'summary_text', text: '' } },
        ...pieces(words).map((delta) => ({ type: `${kind}_text.delta`, ...part, delta })),
        { type: `${kind}_text.done`, ...part, text: words },
        { type: `${kind}_part.done`, ...part, part: { type: 'summary_text', text: words } },
        done,
      ];
    }
    case 'message': {
      const [content] = list(item['content']);
      const part = { ...at, content_index: 0 };
      const words = text(content?.['text']);
      const kind = 'response.output_text';
      return [
        added({ content: [], status: 'in_progress' }),
        { type: 'response.content_part.added', ...part, part: { ...content, text: '' } },
        ...pieces(words).map((delta) => ({ type: `${kind}.delta`, ...part, delta, logprobs: [] })),
        { type: `${kind}.done`, ...part, text: words, logprobs: [] },
        { type: 'response.content_part.done', ...part, part: content ?? {} },
        done,
      ];
    }
    default: {
      const given = text(item['arguments']);
      const kind = 'response.function_call_arguments';
      return [
        added({ arguments: '', status: 'in_progress' }),
        ...pieces(given).map((delta) => ({ type: `${kind}.delta`, ...at, delta })),
        { type: `${kind}.done`, ...at, arguments: given },
        done,
      ];
    }
  }
}
