import type { LanguageModelV4ToolResultOutput } from '@ai-sdk/provider';
import type { Part } from '../../domain/message.ts';
import { type Abilities, text, toldOf, userContent } from './user-content.ts';

/** The result of a tool in parts, as version 4 of the specification has it. */
export type ResultContent = Extract<LanguageModelV4ToolResultOutput, { type: 'content' }>;
type Content = ResultContent['value'][number];

/**
 * Which files a provider takes in the results of tools; it is asked by no other way. What is not
 * named here is told to the model by name, type and size, because some adapters would write the
 * bytes into the prompt as text.
 * https://docs.claude.com/en/docs/agents-and-tools/tool-use/implement-tool-use
 * https://ai.google.dev/gemini-api/docs/function-calling#multimodal
 * https://platform.openai.com/docs/guides/function-calling
 */
export function resultFiles(provider: string): (mediaType: string) => boolean {
  const image = (mediaType: string): boolean => /^image\/(?:png|jpeg|gif|webp)$/.test(mediaType);
  const imageOrPdf = (mediaType: string): boolean =>
    image(mediaType) || mediaType === 'application/pdf';
  if (provider.includes('anthropic')) return imageOrPdf;
  if (provider.endsWith('.responses')) return imageOrPdf;
  return /^google\.(?:generative-ai|vertex)/.test(provider) ? image : () => false;
}

/** Undefined: none of the parts is a file that the provider takes, and the result is JSON. */
export function resultContent(
  parts: readonly Part[],
  { results, ...abilities }: Abilities,
): ResultContent | undefined {
  const taken = ({ mediaType = '' }: Part): boolean => results?.(mediaType) === true;
  if (!parts.some((part) => 'raw' in part && taken(part))) return undefined;
  const value = parts.map((part): Content => {
    if ('raw' in part) {
      const { filename, mediaType = 'application/octet-stream', raw } = part;
      if (!taken(part)) return text(`[${toldOf(part)}: it can't be shown to you]`);
      const data = { type: 'data', data: raw } as const;
      return { type: 'file', mediaType, data, ...(filename !== undefined && { filename }) };
    }
    const [said] = userContent({ parts: [part] }, { ...abilities, files: false });
    return said?.type === 'text' ? said : text('');
  });
  return { type: 'content', value };
}
