import type { SegmentPorts } from '../app/agents.ts';
import type { Ceiling } from '../domain/ceiling.ts';
import type { Artifact } from '../domain/message.ts';
import type { Result } from '../domain/step.ts';
import { isPassing } from '../ports/faults.ts';
import { toArtifact } from './agent-context.ts';
import { agentFiles } from './agent-files.ts';
import { boundedJson } from './bounded-json.ts';
import { ToolError } from './define-tool.ts';
import { RetryLater } from '../models/retry-later.ts';
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
): Promise<ToolRun> {
  const { call, callId, input, tool } = next;
  const { attempt, caller, contextId, request, signal, taskId } = segment;
  const tighten = (answer: Ceiling) => segment.tighten({ answer });
  const key = `${taskId}.${callId}`;
  const artifacts: Artifact[] = [];
  const files = agentFiles(segment.folder, (shown) =>
    Promise.resolve(void artifacts.push(toArtifact(shown, artifacts.length + 1))),
  );
  const failedBy = (error: unknown, words: string): ToolRun => {
    segment.report({ where: 'tool', tool: tool.name, error });
    return { step: failed(callId, words), artifacts };
  };
  const about = { signal, taskId, contextId, callId: key, attempt, caller, request };
  const given = { ...about, tighten, files };
  let value: unknown;
  try {
    value = await call.run(given, input);
  } catch (error) {
    if (mayPass(error)) throw error;
    return failedBy(error, error instanceof ToolError ? error.message : 'The tool failed.');
  }
  try {
    const json = boundedJson(value ?? null, 'The result', RESULT);
    return { step: { kind: 'result', callId, status: 'ok', value: json }, artifacts };
  } catch (error) {
    return failedBy(error, 'The tool ran, but its result is no JSON or too large.');
  }
}

/** The result of a tool, and what it has shown. */
export interface ToolRun {
  readonly step: Result;
  readonly artifacts: readonly Artifact[];
}

export function failed(callId: string, error: string): Result {
  return { kind: 'result', callId, status: 'error', value: { error } };
}

export function mayPass(error: unknown): boolean {
  return error instanceof RetryLater || isPassing(error);
}
