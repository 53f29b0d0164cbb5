import { fromExecutor } from 'holdfast/executor';
import { ActionItems } from './executor.ts';

/**
 * An executor of the SDK, moved here as it is: `npm start -- --agents
 * examples/action-items/agent.ts`.
 */
export default fromExecutor(new ActionItems(), {
  name: 'action-items',
  description: 'Finds who does what in the notes of a meeting.',
  skills: [
    {
      id: 'find',
      name: 'Find action items',
      description: 'Makes a list of the lines that say who does what.',
      tags: ['meeting', 'notes'],
      examples: ['We met on Monday.\nAda: order the lamps\nBob: pay for them'],
    },
  ],
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/markdown'],
});
