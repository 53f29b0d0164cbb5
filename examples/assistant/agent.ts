import { type DefinedAgent, defineAgent, type LanguageModel, type Model } from 'holdfast/agent';
import { modelOf } from './model.ts';
import { profiler } from './profiler.ts';
import { amount, pay } from './tools.ts';

/**
 * Does things that may need an approval first. Only operators approve here: the caller who asks for
 * a payment does not.
 */
export const assistantWith = (model: Model | LanguageModel): DefinedAgent =>
  defineAgent({
    name: 'assistant',
    description: 'Has tables profiled by another agent, and pays; both wait for an approval.',
    skills: [
      {
        id: 'profile',
        name: 'Have a table profiled',
        description:
          'Sends a table to the table profiler once that is approved, and hands on what comes back.',
        tags: ['csv', 'delegation'],
        examples: [
          'profile:\ncity,population,area_km2\nBerlin,3677472,891\nMunich,1487708,\nUlm,126949,119\n',
        ],
      },
      {
        id: 'pay',
        name: 'Pay a person',
        description:
          'Notes a payment once it is approved, and asks for the amount if there is none. It is a sample: no money moves.',
        tags: ['payment', 'approval'],
        examples: ['pay Ada 120 euros', 'pay Ada', 'the same again'],
      },
    ],
    defaultOutputModes: ['application/json', 'text/markdown', 'image/svg+xml', 'text/plain'],
    instructions:
      'Have tables profiled, and pay what was asked for. Guess nothing: ask, if something is missing.',
    model,
    ask: true,
    tools: [amount, pay],
    remotes: [profiler],
  });

export default assistantWith(modelOf(process.env['GOOGLE_GENERATIVE_AI_API_KEY']));
