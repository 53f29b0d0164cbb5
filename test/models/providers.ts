import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createVertex } from '@ai-sdk/google-vertex';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { createGoogleGenerativeAI as createGoogleV3 } from 'ai-sdk-google-v3';
import { type LanguageModel, languageModel, type Model } from '../../shared/agent/index.ts';
import { anthropic } from '../doubles/providers/anthropic.ts';
import { gemini } from '../doubles/providers/gemini.ts';
import { openAiChat } from '../doubles/providers/openai-chat.ts';
import { openAiResponses } from '../doubles/providers/openai-responses.ts';
import type { Protocol } from '../doubles/providers/provider-server.ts';

/** A real provider package, and the double that it talks to. */
export interface Provider {
  readonly protocol: Protocol;
  readonly model: (baseURL: string) => LanguageModel | Model;
  /** It shows reasoning tokens apart. */
  readonly reasons: boolean;
}

const apiKey = 'test-key';
const thinking = { type: 'enabled', budgetTokens: 2_000 };

export const PROVIDERS: Readonly<Record<string, Provider>> = {
  google: {
    protocol: gemini,
    model: (baseURL) => createGoogleGenerativeAI({ apiKey, baseURL })('gemini-3-pro-preview'),
    reasons: true,
  },
  'google, specification v3': {
    protocol: gemini,
    model: (baseURL) => createGoogleV3({ apiKey, baseURL })('gemini-3-pro-preview'),
    reasons: true,
  },
  'google vertex': {
    protocol: gemini,
    model: (baseURL) => createVertex({ apiKey, baseURL })('gemini-3-pro-preview'),
    reasons: true,
  },
  anthropic: {
    protocol: anthropic,
    model: (baseURL) =>
      languageModel(createAnthropic({ apiKey, baseURL })('claude-sonnet-4-5'), {
        providerOptions: { anthropic: { thinking } },
      }),
    reasons: false,
  },
  'openai chat': {
    protocol: openAiChat,
    model: (baseURL) => createOpenAI({ apiKey, baseURL }).chat('gpt-4.1'),
    reasons: true,
  },
  'openai responses': {
    protocol: openAiResponses,
    model: (baseURL) => createOpenAI({ apiKey, baseURL }).responses('gpt-5'),
    reasons: true,
  },
  'openai compatible': {
    protocol: openAiChat,
    model: (baseURL) =>
      createOpenAICompatible({ name: 'own', apiKey, baseURL, includeUsage: true })('own-model'),
    reasons: true,
  },
};
