import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { defineAgent, type DefinedAgent, type ModelAgentDeclaration } from 'holdfast/agent';
import { listener } from './listener.ts';

/** What one task may use: a model that goes in circles ends here, and not with the budget. */
export const LIMITS = { rounds: 3, tokens: 4_000, cost: 20_000 };

/**
 * Talks, and remembers: a task is one question and its answer, and the earlier ones of the same
 * context are what the model knows of the caller. Callers see the answer while it is written.
 */
export const companionWith = (model: ModelAgentDeclaration['model']): DefinedAgent =>
  defineAgent({
    name: 'companion',
    description: 'Talks with you, and remembers what you said in the same conversation.',
    model,
    // Asked once for each task; the task goes by the answer to its end.
    instructions: ({ caller }) =>
      `You talk to ${caller.owner || 'a guest'}. Be brief. What you were told before is yours to use.`,
    memory: { mode: 'summary', tokens: 2_000 },
    stream: true,
    limits: LIMITS,
  });

const apiKey = process.env['GOOGLE_GENERATIVE_AI_API_KEY'] ?? '';

export default companionWith(
  apiKey === '' ? listener : createGoogleGenerativeAI({ apiKey })('gemini-3-pro-preview'),
);
