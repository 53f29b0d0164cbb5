import type { SegmentPorts } from '../app/agents.ts';
import type { Ceiling } from '../domain/ceiling.ts';
import type { Result } from '../domain/step.ts';
import { isPassing } from '../ports/faults.ts';
import { boundedJson } from './bounded-json.ts';
import { ToolError } from './define-tool.ts';
import { RetryLater } from './endings.ts';
import type { Next } from './next-step.ts';

/** Bytes of a tool's result, as JSON. */
const RESULT = 1024 * 1024;

/**
 * Runs a tool, once. What it throws is an error result for the model, without the words of any
 * error but a ToolError; only a fault that may pass is thrown on.
 */
export async function runTool(
  next: Extract<Next, { kind: 'run' }>,
  segment: SegmentPorts,
): Promise<Result> {
  const { call, callId, input } = next;
  const { attempt, caller, contextId, request, signal, taskId } = segment;
  const tighten = (answer: Ceiling) => segment.tighten({ answer });
  const key = `${taskId}.${callId}`;
  let value: unknown;
  try {
    value = await call.run(
      { signal, taskId, contextId, callId: key, attempt, caller, request, tighten },
      input,
    );
  } catch (error) {
    if (mayPass(error)) throw error;
    return failed(callId, error instanceof ToolError ? error.message : 'The tool failed.');
  }
  try {
    const json = boundedJson(value ?? null, 'The result', RESULT);
    return { kind: 'result', callId, status: 'ok', value: json };
  } catch {
    return failed(callId, 'The tool ran, but its result is no JSON or too large.');
  }
}

export function failed(callId: string, error: string): Result {
  return { kind: 'result', callId, status: 'error', value: { error } };
}

export function mayPass(error: unknown): boolean {
  return error instanceof RetryLater || isPassing(error);
}
