import type { Model } from '../model.ts';
import { type LanguageModel, nameOf } from './any-language-model.ts';

/** Without options. What maps a turn to a provider is loaded with the first turn. */
export function lazyModel(model: LanguageModel): Model {
  return {
    name: nameOf(model),
    provider: model.provider,
    async turn(...asked) {
      const { languageModel } = await import('./language-model.ts');
      return languageModel(model).turn(...asked);
    },
  };
}
