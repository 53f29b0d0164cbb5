import type { Step, Turn } from '../domain/step.ts';
import type { ModelEntry } from '../models/model.ts';

const UNUSABLE =
  'Your last turn could not be used: it was not in the expected form, or over a limit. Nothing of it was carried out.';

/** A transcript as the model reads it. */
export function modelEntries(steps: readonly Step[]): readonly ModelEntry[] {
  let turn: Turn | undefined;
  return steps.flatMap((step): readonly ModelEntry[] => {
    switch (step.kind) {
      case 'turn':
        turn = step;
        return [turnEntry(step)];
      case 'result': {
        const { callId, status, value } = step;
        const call = turn?.calls.find(({ id }) => id === callId);
        return call === undefined ? [] : [{ role: 'tool', callId, name: call.tool, status, value }];
      }
      case 'answer':
        // Later ones answer a question of a tool, and are in its result.
        return turn === undefined ? [{ role: 'user', message: step.message }] : [];
      case 'decision':
        return [];
    }
  });
}

/** A valid turn without calls would have been the last one. */
function turnEntry({ by, calls, problem, state, text }: Turn): ModelEntry {
  if (calls.length === 0) {
    const why = problem === undefined ? '' : ` What is wrong with it: ${problem}`;
    return { role: 'notice', text: `${UNUSABLE}${why}` };
  }
  return {
    role: 'model',
    ...(by !== undefined && { by }),
    ...(state !== undefined && { state }),
    ...(text !== undefined && { text }),
    calls: calls.map((call) => ({ id: call.id, name: call.tool, arguments: call.arguments })),
  };
}
