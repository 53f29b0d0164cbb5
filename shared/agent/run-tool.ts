import type { SegmentPorts } from '../app/agents.ts';
import type { Ceiling } from '../domain/ceiling.ts';
import type { Result } from '../domain/step.ts';
import type { StepTold } from '../domain/step-facts.ts';
import { errorFacts } from '../app/error-facts.ts';
import { isPassing } from '../ports/faults.ts';
import { someParts, toArtifact } from './agent-context.ts';
import { agentFiles } from './agent-files.ts';
import type { ArtifactInput } from './artifact-input.ts';
import { boundedJson } from './bounded-json.ts';
import { type ToolContext, ToolError } from './define-tool.ts';
import { type TriedAgain, triedAgain } from './endings.ts';
import { failed } from './failed.ts';
import { ofTool } from './gen-ai.ts';
import { RetryLater } from '../models/retry-later.ts';
import type { Running } from './side-by-side.ts';
import { ANSWER } from './shown-answer.ts';
import { partsOfResult, ToolParts } from './tool-parts.ts';

/** Bytes of a tool's result, as JSON. */
const RESULT = 1024 * 1024;

/** A tool that ran, and what is known of that. */
export interface ToolRan {
  readonly kind: 'ran';
  readonly result: Result;
  readonly told: StepTold;
}

/**
 * Runs a tool, once. What it throws is an error result for the model, without the words of any
 * error but a ToolError; a fault that may pass is no result yet. `streams`: the agent's answer is
 * an artifact.
 */
export async function runTool(
  { call, callId, input, key: given, tool }: Running,
  segment: SegmentPorts,
  streams: boolean,
): Promise<ToolRan | TriedAgain> {
  const startedAt = segment.now();
  const { attempt, caller, contextId, request, signal, taskId } = segment;
  const tighten = (answer: Ceiling) => segment.tighten({ answer });
  const key = given ?? `${taskId}.${callId}`;
  const shows = showing(segment, callId, streams);
  const files = agentFiles(segment.folder, shows.artifact);
  const calls = [{ name: tool.name, effect: tool.effect }];
  const told: StepTold = { startedAt, attempt, calls };
  const failedBy = (error: unknown, words: string): ToolRan => {
    segment.report({ where: 'tool', tool: tool.name, error });
    const { fault } = errorFacts(error);
    return { kind: 'ran', result: failed(callId, words), told: { ...told, fault } };
  };
  const about = { signal, taskId, contextId, callId: key, attempt, caller, request };
  let value: unknown;
  try {
    value = await segment.span.span(
      `execute_tool ${tool.name}`,
      (trace) => call.run({ ...about, tighten, ...shows, files, trace }, input),
      ofTool(tool, callId),
    );
  } catch (error) {
    if (mayPass(error)) return triedAgain(error);
    return failedBy(error, error instanceof ToolError ? error.message : 'The tool failed.');
  }
  try {
    const { parts, value: given } =
      value instanceof ToolParts ? partsOfResult(value) : { value, parts: undefined };
    const json = boundedJson(given ?? null, 'The result', RESULT);
    const result: Result = { kind: 'result', callId, status: 'ok', value: json };
    return { kind: 'ran', result: { ...result, ...(parts && { parts }) }, told };
  } catch (error) {
    return failedBy(error, 'The tool ran, but its result is no JSON or too large.');
  }
}

/**
 * What a call shows. An artifact belongs to the call: its first chunk replaces what there is, so
 * that a call which runs again never adds to what it left before. The answer that an agent streams
 * is an artifact, too, which no call may replace.
 */
function showing(
  segment: SegmentPorts,
  callId: string,
  streams: boolean,
): Pick<ToolContext, 'status' | 'artifact'> {
  const begun = new Set<string>();
  let shown = 0;
  return {
    status: async (words) => segment.status(someParts(words, 'status')),
    async artifact({ append = false, lastChunk = !append, ...rest }: ArtifactInput) {
      shown += 1;
      const artifact = toArtifact(rest, `${callId}-${shown}`);
      if (streams && artifact.artifactId === ANSWER)
        throw new TypeError(`artifactId: ${ANSWER} is the id of the answer that is streamed`);
      const more = append && begun.has(artifact.artifactId);
      begun.add(artifact.artifactId);
      await segment.artifact(artifact, more, lastChunk);
    },
  };
}

export function mayPass(error: unknown): boolean {
  return error instanceof RetryLater || isPassing(error);
}
