import { z } from 'zod';
import { type DefinedAgent, defineAgent, type ModelAgentDeclaration } from 'holdfast/agent';
import { modelsOf } from './models.ts';

/** What a letter is about: the answer is data, and callers can rely on its form. */
export const sorted = z.object({
  topic: z.enum(['order', 'complaint', 'other']),
  urgent: z.boolean(),
  summary: z.string().min(1).max(300),
});

export const sorterWith = (model: ModelAgentDeclaration['model']): DefinedAgent =>
  defineAgent({
    name: 'letter-sorter',
    description: 'Says what a letter is about, as data.',
    skills: [
      {
        id: 'sort',
        name: 'Sort a letter',
        description: 'Answers with the topic of a letter, whether it is urgent, and a summary.',
        tags: ['classification', 'structured output'],
        examples: ['I ordered a lamp three weeks ago, and it has not arrived. Please hurry!'],
      },
    ],
    defaultOutputModes: ['application/json'],
    instructions: 'Say what the letter is about. Urgent is what can not wait until tomorrow.',
    model,
    structured: sorted,
    limits: { rounds: 4 },
  });

export default sorterWith(modelsOf(process.env));
