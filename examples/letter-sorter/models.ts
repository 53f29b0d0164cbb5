import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import {
  languageModel,
  type LanguageModel,
  type Model,
  type ModelAgentDeclaration,
} from 'holdfast/agent';
import { words } from './words.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where the providers are, if not at their own addresses. */
export interface Addresses {
  readonly google?: string;
  readonly anthropic?: string;
}

/**
 * A chain of the models that there are keys for: Gemini first, then Claude, of whose answers only
 * what is redacted may be kept. What can't be asked is passed over; last comes a list of words,
 * which needs no key and is always there.
 */
export function modelsOf(
  environment: Environment,
  addresses: Addresses = {},
): ModelAgentDeclaration['model'] {
  const given = (name: string): string | undefined => environment[name] || undefined;
  const chain: (Model | LanguageModel)[] = [];
  const google = given('GOOGLE_GENERATIVE_AI_API_KEY');
  if (google !== undefined)
    chain.push(
      createGoogleGenerativeAI({ apiKey: google, ...baseURL(addresses.google) })(
        'gemini-3-pro-preview',
      ),
    );
  const anthropic = given('ANTHROPIC_API_KEY');
  if (anthropic !== undefined)
    chain.push(
      languageModel(
        createAnthropic({ apiKey: anthropic, ...baseURL(addresses.anthropic) })(
          'claude-sonnet-4-5',
        ),
        { ceiling: 'redacted' },
      ),
    );
  return [...chain, words];
}

const baseURL = (address: string | undefined) =>
  address === undefined ? {} : { baseURL: address };
