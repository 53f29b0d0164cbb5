import { createGoogleGenerativeAI } from '@ai-sdk/google';
import type { LanguageModel, Model } from 'holdfast/agent';
import { rules } from './rules.ts';

/** Gemini where there is a key for it; otherwise rules, which need none. */
export function modelOf(apiKey: string | undefined, baseURL?: string): Model | LanguageModel {
  if (apiKey === undefined || apiKey === '') return rules;
  const google = createGoogleGenerativeAI({ apiKey, ...(baseURL !== undefined && { baseURL }) });
  return google('gemini-3-pro-preview');
}
