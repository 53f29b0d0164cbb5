import type { Result, Step, Summary, ToolCall, Turn } from '../domain/step.ts';
import type { ModelEntry, ModelRequest } from '../models/model.ts';
import { MORE } from './memory.ts';
import { specsOf } from './offers.ts';
import { entriesTokens } from './spoken.ts';
import { standing } from './standing.ts';

import type { Equipment } from './work.ts';

const UNUSABLE =
  'Your last turn could not be used: it was not in the expected form, or over a limit. Nothing of it was carried out.';

/** Tokens of the client's message that stands beside a summary as it was; a longer one is in it. */
const MESSAGE = 2_000;

/** What the model is asked. */
export function requestOf(
  { offers, opened, structured }: Equipment,
  steps: readonly Step[],
): ModelRequest {
  const { instructions } = opened;
  const summary = standing(steps);
  const memory = memoryOf(opened, summary);
  const request = {
    ...(memory.length > 0 && { memory }),
    transcript: transcriptOf(steps, summary),
    tools: specsOf(offers),
  };
  if (structured === undefined) return { instructions, ...request };
  const told = [instructions, structured.instructions].filter((each) => each !== '').join('\n\n');
  return { instructions: told, ...request, answer: structured.schema };
}

function memoryOf(
  { memory, more, older }: Equipment['opened'],
  summary: Summary | undefined,
): readonly ModelEntry[] {
  if (summary === undefined) return more || older.length > 0 ? [MORE, ...memory] : memory;
  if (summary.through > 0) return [];
  return [...(more ? [MORE] : []), summaryEntry(summary), ...memory];
}

function transcriptOf(steps: readonly Step[], summary: Summary | undefined): readonly ModelEntry[] {
  if (summary === undefined || summary.through === 0) return modelEntries(steps);
  const first = modelEntries(steps.slice(0, 1));
  const kept = entriesTokens(first) <= MESSAGE ? first : [];
  return [...kept, summaryEntry(summary), ...modelEntries(steps, summary.through)];
}

function summaryEntry({ reason, text = '' }: Summary): ModelEntry {
  const of = reason === 'memory' ? 'earlier tasks of this conversation' : 'what went before';
  return { role: 'notice', text: `[Summary of ${of}, which is not shown any more:]\n${text}` };
}

/** A transcript as the model reads it, from one of its steps on. */
export function modelEntries(steps: readonly Step[], from = 0): readonly ModelEntry[] {
  // A call that was tried again has its result behind those of later calls.
  const results = new Map(
    steps.flatMap((step) => (step.kind === 'result' ? [[step.callId, step]] : [])),
  );
  let begun = false;
  return steps.flatMap((step, at): readonly ModelEntry[] => {
    switch (step.kind) {
      case 'turn':
        begun = true;
        if (at < from) return [];
        return [turnEntry(step), ...step.calls.flatMap((call) => resultEntry(call, results))];
      case 'answer':
        // Later ones answer a question of a tool, and are in its result.
        return begun || at < from ? [] : [{ role: 'user', message: step.message }];
      case 'result':
      case 'decision':
      case 'summary':
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
  const { parts, status, value } = result;
  return [{ role: 'tool', callId, name, status, value, ...(parts && { parts }) }];
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
