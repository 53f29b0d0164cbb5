import type { JsonObject } from '../../../shared/agent/index.ts';
import { firstBroken, list, type Memory, type Protocol, text } from './provider-server.ts';

/**
 * OpenAI's responses, which keep nothing (`store: false`). Its rules: each call has its output
 * (https://platform.openai.com/docs/guides/function-calling); a reasoning item comes back with its
 * encrypted content, directly before the item that it led to
 * (https://platform.openai.com/docs/guides/reasoning).
 */
export const openAiResponses: Protocol = {
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
  error: (message) => ({
    error: { message, type: 'invalid_request_error', param: null, code: null },
  }),
};

/** The calls of one turn stand behind one reasoning item. */
function isReasoned(item: JsonObject, before: readonly JsonObject[], { signed }: Memory): boolean {
  const wanted = item['type'] === 'function_call' ? signed.get(text(item['call_id'])) : undefined;
  if (wanted === undefined) return true;
  const last = before.findLast(({ type }) => type !== 'function_call' && type !== 'message');
  return last?.['type'] === 'reasoning' && last['encrypted_content'] === wanted;
}
