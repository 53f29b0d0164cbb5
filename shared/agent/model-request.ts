import type { Result, Step, ToolCall, Turn } from '../domain/step.ts';
import type { ModelEntry } from '../models/model.ts';

const UNUSABLE =
  'Your last turn could not be used: it was not in the expected form, or over a limit. Nothing of it was carried out.';

/** A transcript as the model reads it. */
export function modelEntries(steps: readonly Step[]): readonly ModelEntry[] {
  // A call that was tried again has its result behind those of later calls.
  const results = new Map(
    steps.flatMap((step) => (step.kind === 'result' ? [[step.callId, step]] : [])),
  );
  let begun = false;
  return steps.flatMap((step): readonly ModelEntry[] => {
    switch (step.kind) {
      case 'turn':
        begun = true;
        return [turnEntry(step), ...step.calls.flatMap((call) => resultEntry(call, results))];
      case 'answer':
        // Later ones answer a question of a tool, and are in its result.
        return begun ? [] : [{ role: 'user', message: step.message }];
      case 'result':
      case 'decision':
        return [];
    }
  });
}

function resultEntry(
  { id: callId, tool: name }: ToolCall,
  results: ReadonlyMap<string, Result>,
): readonly ModelEntry[] {
  const result = results.get(callId);
  if (result === undefined) return [];
  return [{ role: 'tool', callId, name, status: result.status, value: result.value }];
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
