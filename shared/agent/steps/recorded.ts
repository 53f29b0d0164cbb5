import type { Json, JsonObject } from '../../domain/json.ts';
import {
  digestOfCalls,
  type Result,
  type Step,
  type ToolCall,
  type Turn,
} from '../../domain/step.ts';

/** What a function that works in steps may ask for. */
export type OperationKind = 'step' | 'sleep' | 'call' | 'approve' | 'ask' | 'event';

/** An operation, by its place in the function: its position, and that of the branches it is in. */
export interface Operation {
  readonly path: readonly number[];
  readonly kind: OperationKind;
  readonly name: string;
  /** So much was shown in its branch before it. */
  readonly shown: number;
  /** Of its author's code, where it is looked for. */
  readonly line?: string;
}

/** What a person has said. */
export type Answer = Extract<Step, { kind: 'answer' | 'decision' }>;

/** An operation as it was committed. */
export interface Recorded {
  readonly kind: string;
  readonly name: string;
  readonly details: JsonObject;
  readonly shown: number;
  /** Digest of what was asked for. */
  readonly digest: string;
  /** What its function knows it by, of a step that an earlier run recorded. */
  readonly key?: string;
  readonly answer?: Answer;
  readonly result?: Result;
}

export const idOf = (path: readonly number[]): string => path.join('.');
export const pathOf = (id: string): readonly number[] => id.split('.').map(Number);

export function comparePaths(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at < 0 ? one.length - other.length : (one[at] ?? 0) - (other[at] ?? -1);
}

export function turnOf({ kind, name, path, shown }: Operation, details: JsonObject): Turn {
  const call = { id: idOf(path), tool: name, arguments: details, operation: { kind, shown } };
  return { kind: 'turn', calls: [call], digest: digestOfCalls([call]), artifacts: [] };
}

export function resultOf(callId: string, value: Json, status: 'ok' | 'error' = 'ok'): Result {
  return { kind: 'result', callId, status, value };
}

export function recordedOf({ digest }: Turn, call: ToolCall): Recorded {
  const { arguments: details, key, operation, tool: name } = call;
  const { kind = '', shown = 0 } = operation ?? {};
  return { kind, name, details, shown, digest, ...(key !== undefined && { key }) };
}
