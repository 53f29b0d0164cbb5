import type { LanguageModelV3, LanguageModelV4 } from '@ai-sdk/provider';

/** A model of the AI SDK: of any provider package, in version 3 or 4 of its specification. */
export type LanguageModel = LanguageModelV3 | LanguageModelV4;

/** Whether it is a model of the AI SDK that can be asked. */
export function isLanguageModel(value: unknown): value is LanguageModel {
  return (
    typeof value === 'object' &&
    value !== null &&
    'specificationVersion' in value &&
    (value.specificationVersion === 'v3' || value.specificationVersion === 'v4') &&
    'doGenerate' in value &&
    typeof value.doGenerate === 'function'
  );
}

export const nameOf = ({ modelId, provider }: LanguageModel): string => `${provider} ${modelId}`;
