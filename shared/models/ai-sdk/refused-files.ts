import { ContextTooLong, ModelFault } from '../model-fault.ts';
import type { Prompt } from './prompt.ts';
import { modelErrorOf } from './provider-error.ts';

/**
 * What providers answer to a request with a file that they don't take: a bad request most often,
 * too large, of an unsupported type, or unprocessable. It is also what they answer to requests that
 * are wrong in another way.
 */
const REFUSALS: readonly (number | undefined)[] = [400, 413, 415, 422];

/**
 * Whether the files of a prompt may be why it was refused: by the provider, or by its package
 * before the provider is asked.
 */
export function mayRefuseFiles(model: string, prompt: Prompt, error: unknown): boolean {
  if (!hasFiles(prompt)) return false;
  if (error instanceof Error && error.name === 'AI_UnsupportedFunctionalityError') return true;
  const fault = error instanceof ModelFault ? error : modelErrorOf(model, error);
  if (!(fault instanceof ModelFault) || !REFUSALS.includes(fault.status)) return false;
  // A request with too many words is summed up; one with too many bytes may be its files.
  return fault.status === 413 || !(fault instanceof ContextTooLong);
}

function hasFiles(prompt: Prompt): boolean {
  return prompt.some(({ content, role }) => {
    if (role === 'user') return content.some(({ type }) => type === 'file');
    if (role !== 'tool') return false;
    return content.some(
      ({ output }) => output.type === 'content' && output.value.some(({ type }) => type === 'file'),
    );
  });
}
