import type {
  LanguageModelV3Content,
  LanguageModelV3FilePart,
  LanguageModelV3Message,
  LanguageModelV3ToolResultPart,
  LanguageModelV4Content,
  LanguageModelV4FilePart,
} from '@ai-sdk/provider';
import type { Prompt, PromptMessage } from './prompt.ts';
import type { ResultContent } from './result-content.ts';
import type { AssistantPart } from './turn-state.ts';
import type { UserPart } from './user-content.ts';

// What version 3 of the specification says otherwise: it does not tag files, and has no parts of a
// provider's own.

export function promptV3(prompt: Prompt): LanguageModelV3Message[] {
  return prompt.map(messageV3);
}

function messageV3(message: PromptMessage): LanguageModelV3Message {
  switch (message.role) {
    case 'system':
      return message;
    case 'tool':
      return { role: 'tool', content: message.content.map(resultV3) };
    case 'user':
      return { role: 'user', content: message.content.map(userPartV3) };
    case 'assistant':
      return { role: 'assistant', content: message.content.flatMap(assistantPartV3) };
  }
}

type ToolMessage = Extract<PromptMessage, { role: 'tool' }>;
type ResultV3 = Extract<LanguageModelV3Message, { role: 'tool' }>['content'][number];

function resultV3({ output, ...part }: ToolMessage['content'][number]): ResultV3 {
  if (output.type !== 'content') return { ...part, output };
  const value = output.value.flatMap(resultPartV3);
  return { ...part, output: { type: 'content', value } };
}

type ResultPartV3 = Extract<
  LanguageModelV3ToolResultPart['output'],
  { type: 'content' }
>['value'][number];

/** Version 3 has a kind of its own for pictures, and bytes as base64. */
function resultPartV3(item: ResultContent['value'][number]): ResultPartV3[] {
  if (item.type === 'text') return [item];
  if (item.type !== 'file' || item.data.type !== 'data') return [];
  const { filename, mediaType } = item;
  const { data: bytes } = item.data;
  const data = typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('base64');
  if (mediaType.startsWith('image/')) return [{ type: 'image-data', data, mediaType }];
  return [{ type: 'file-data', data, mediaType, ...(filename !== undefined && { filename }) }];
}

const userPartV3 = (part: UserPart) => (part.type === 'file' ? fileV3(part) : part);

type AssistantPartV3 = Extract<LanguageModelV3Message, { role: 'assistant' }>['content'][number];

function assistantPartV3(part: AssistantPart): AssistantPartV3[] {
  if (part.type === 'custom' || part.type === 'reasoning-file') return [];
  return part.type === 'file' ? [fileV3(part)] : [part];
}

function fileV3({ data, ...part }: LanguageModelV4FilePart): LanguageModelV3FilePart {
  switch (data.type) {
    case 'data':
      return { ...part, data: data.data };
    case 'url':
      return { ...part, data: data.url };
    case 'text':
      return { ...part, data: new TextEncoder().encode(data.text) };
    case 'reference':
      throw new TypeError('a file by reference is no part of ours');
  }
}

export function contentV4(part: LanguageModelV3Content): LanguageModelV4Content {
  if (part.type !== 'file') return part;
  return { ...part, data: { type: 'data', data: part.data } };
}
