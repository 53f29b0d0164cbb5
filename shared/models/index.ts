/**
 * Models for agents: those of the AI SDK, and what one of your own is made of.
 *
 * @module
 */
export type { LanguageModel } from './ai-sdk/any-language-model.ts';
export { languageModel, type LanguageModelOptions } from './ai-sdk/language-model.ts';
export { ContextTooLong, ModelFault } from './model-fault.ts';
export { RetryLater } from './retry-later.ts';
export type {
  Model,
  ModelArtifact,
  ModelCall,
  ModelEntry,
  ModelFinish,
  ModelRequest,
  ModelTurn,
  ModelUsage,
  ToolSpec,
  TurnContext,
} from './model.ts';
