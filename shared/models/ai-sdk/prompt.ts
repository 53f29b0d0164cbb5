import { isJsonObject, type Json } from '../../domain/json.ts';
import type { ModelEntry, ModelRequest } from '../model.ts';
import { type ResultContent, resultContent } from './result-content.ts';
import { type AssistantPart, type Output, replayed } from './turn-state.ts';
import { type Abilities, text, userContent, type UserPart } from './user-content.ts';

/**
 * A prompt in what versions 3 and 4 of the specification have in common, and files of version 4.
 */
export type Prompt = PromptMessage[];
export type PromptMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: UserPart[] }
  | { readonly role: 'assistant'; readonly content: AssistantPart[] }
  | { readonly role: 'tool'; readonly content: ResultPart[] };

interface ResultPart {
  readonly type: 'tool-result';
  readonly toolCallId: string;
  readonly toolName: string;
  readonly output: Output | ResultContent;
}

/**
 * A transcript as a prompt. Roles alternate: what follows each other in one role is one message. A
 * turn of this very model is handed back as the provider wrote it; one of another model, whose
 * signatures mean nothing here, by its words and calls.
 */
export function promptOf(request: ModelRequest, model: string, abilities: Abilities): Prompt {
  const prompt: Prompt = [];
  const { instructions, memory = [], transcript } = request;
  if (instructions !== '') prompt.push({ role: 'system', content: instructions });
  const ids = new Map<string, string>();
  for (const entry of [...memory, ...transcript]) {
    switch (entry.role) {
      case 'user':
        addUser(prompt, userContent(entry.message, abilities));
        break;
      case 'notice':
        addUser(prompt, [text(entry.text)]);
        break;
      case 'model':
        prompt.push({ role: 'assistant', content: assistantContent(entry, model, ids) });
        break;
      case 'tool':
        addResult(prompt, entry, ids, abilities);
    }
  }
  return prompt;
}

type Entry<R extends ModelEntry['role']> = Extract<ModelEntry, { role: R }>;

/** `ids`: from our ids of calls to those that the provider knows. */
function assistantContent(
  { by, calls, state, text: words }: Entry<'model'>,
  model: string,
  ids: Map<string, string>,
): AssistantPart[] {
  const own = state !== undefined && by === model ? replayed(state) : undefined;
  for (const [at, { id }] of calls.entries()) ids.set(id, own?.callIds[at] ?? id);
  if (own !== undefined) return own.content;
  return [
    ...(words === undefined ? [] : [text(words)]),
    ...calls.map(({ arguments: input, id, name }) => ({
      type: 'tool-call' as const,
      toolCallId: id,
      toolName: name,
      input,
    })),
  ];
}

function addUser(prompt: Prompt, content: UserPart[]): void {
  const last = prompt.at(-1);
  if (last?.role === 'user') last.content.push(...content);
  else prompt.push({ role: 'user', content });
}

function addResult(
  prompt: Prompt,
  entry: Entry<'tool'>,
  ids: Map<string, string>,
  abilities: Abilities,
): void {
  const { callId, name: toolName, parts = [], status, value } = entry;
  const toolCallId = ids.get(callId) ?? callId;
  const content = resultContent(parts, abilities);
  const output = content ?? (status === 'ok' ? outputOf(value) : errorOf(value));
  const result = { type: 'tool-result', toolCallId, toolName, output } as const;
  const last = prompt.at(-1);
  if (last?.role === 'tool') last.content.push(result);
  else prompt.push({ role: 'tool', content: [result] });
}

function outputOf(value: Json): Output {
  return typeof value === 'string' ? { type: 'text', value } : { type: 'json', value };
}

/** `{ error }`, as the loop gives it. */
function errorOf(value: Json): Output {
  const words = isJsonObject(value) ? value['error'] : undefined;
  return typeof words === 'string'
    ? { type: 'error-text', value: words }
    : { type: 'error-json', value };
}
