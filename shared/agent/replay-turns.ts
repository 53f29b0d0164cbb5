import type { RefusedCall, Replayed, SegmentPorts } from '../app/agents.ts';
import { exceeded } from '../domain/budget.ts';
import type { ToolCall } from '../domain/step.ts';
import { readyOf } from './offers.ts';
import { pendingCalls, pendingTurn } from './pending-turn.ts';
import { type DeclaredEquipment, operationIn } from './turn-loop.ts';

/**
 * Comes by what is recorded of a run of a model, up to where its model, a tool or a person would be
 * next. Calls without a result are judged by the tools that exist now, as `nextStep` does.
 */
export async function replayTurns(
  { transcript }: SegmentPorts,
  { mcp = [], offers }: Pick<DeclaredEquipment, 'mcp' | 'offers'>,
): Promise<Replayed> {
  const steps = await transcript.load();
  const foreign = operationIn(steps);
  if (foreign !== undefined) return { kind: 'misfit', misfit: foreign };
  const limit = exceeded(transcript.spent, transcript.limits);
  if (limit !== undefined) return { kind: 'exceeded', limit };
  // What was denied is not carried out, whatever became of it.
  const denied = pendingTurn(steps)?.decision?.kind === 'deny';
  const refused = (call: ToolCall): readonly RefusedCall[] => {
    const { id, problem, tool } = call;
    if (problem !== undefined || readyOf(call, offers).kind !== 'unfit') return [];
    if (offers.has(tool)) return [{ id, tool, why: 'unfit' }];
    const served = mcp.some(({ prefix }) => tool.startsWith(prefix));
    return [{ id, tool, why: served ? 'server' : 'gone' }];
  };
  const calls = denied ? [] : pendingCalls(steps).flatMap(refused);
  return calls.length === 0 ? { kind: 'yielded' } : { kind: 'refused', calls };
}
