import type {
  LanguageModelV3Content,
  LanguageModelV3FilePart,
  LanguageModelV3Message,
  LanguageModelV4Content,
  LanguageModelV4FilePart,
} from '@ai-sdk/provider';
import type { Prompt, PromptMessage } from './prompt.ts';
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
    case 'tool':
      return message;
    case 'user':
      return { role: 'user', content: message.content.map(userPartV3) };
    case 'assistant':
      return { role: 'assistant', content: message.content.flatMap(assistantPartV3) };
  }
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
