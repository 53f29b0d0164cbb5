import { fileURLToPath } from 'node:url';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { z } from 'zod';
import {
  type DefinedAgent,
  defineAgent,
  defineMcp,
  type LanguageModel,
  type Model,
} from 'holdfast/agent';
import { rules } from './rules.ts';

const taking = z.object({ article: z.string(), count: z.number() });

/** A child process; a server of others would be a `url`, or its own command. */
export const stock = defineMcp({
  name: 'stock',
  command: [process.execPath, fileURLToPath(new URL('server.ts', import.meta.url))],
  overrides: {
    take: {
      summary(given) {
        const { article, count } = taking.parse(given);
        return `Take ${count} × ${article}.`;
      },
    },
  },
});

export const keeperWith = (model: Model | LanguageModel): DefinedAgent =>
  defineAgent({
    name: 'stock-keeper',
    description: 'Knows what is in stock, and takes from it once that is approved.',
    skills: [
      {
        id: 'stock',
        name: 'Ask for stock',
        description: 'Counts an article, or takes some of it out of stock.',
        tags: ['mcp', 'approval'],
        examples: ['count lamp', 'take 2 lamp'],
      },
    ],
    instructions: 'Answer from the stock alone. Take only what was asked for.',
    model,
    mcp: [stock],
    publication: { decisions: { owner: true } },
  });

const apiKey = process.env['GOOGLE_GENERATIVE_AI_API_KEY'] ?? '';

export default keeperWith(
  apiKey === '' ? rules : createGoogleGenerativeAI({ apiKey })('gemini-3-pro-preview'),
);
