import { sha256 } from './digest.ts';
import { canonicalJson, type Json, type JsonObject } from './json.ts';
import type { Message, Part } from './message.ts';

/** A tool call as a model asked for it. */
export interface ToolCall {
  /** Unique within the run; made by the loop if the model's own id is not. */
  readonly id: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  /** Digest of the tool as it was offered, if it is one that can change. */
  readonly offer?: string;
  /**
   * What its tool knows it by, of a call that an earlier run made: it may have begun there, and
   * nothing that goes by it must happen twice.
   */
  readonly key?: string;
  /** Why it can't be carried out as it came; its result says so. */
  readonly problem?: string;
  /** Of a function that works in steps: what it asks for, and how much it had shown before. */
  readonly operation?: { readonly kind: string; readonly shown: number };
}

/**
 * One committed step of a run: its transcript is all of them in order. A crash repeats at most the
 * step that was not committed, and what a run waits for is a call that has no result yet.
 */
export type Step =
  | {
      readonly kind: 'turn';
      readonly text?: string;
      readonly calls: readonly ToolCall[];
      /** Of the calls; an approval names it (G18). */
      readonly digest: string;
      /** Ids of artifacts that were made public with it. */
      readonly artifacts: readonly string[];
      /** The model that made it. Absent in turns from before models were named. */
      readonly by?: string;
      /** What its provider needs back with it, exactly. */
      readonly state?: Json;
      readonly usage?: TurnUsage;
      /** Why it is not whole. Absent if it is. */
      readonly finish?: string;
      /** Why it could not be used: then it has no calls, and the model is told so. */
      readonly problem?: string;
    }
  | {
      readonly kind: 'result';
      readonly callId: string;
      readonly status: 'ok' | 'error';
      readonly value: Json;
      /** Of which files among them `value` only tells. */
      readonly parts?: readonly Part[];
    }
  | {
      readonly kind: 'decision';
      readonly generation: number;
      readonly decision: DecisionKind;
      readonly by: DeciderKind;
      /** What was put in, for kind `input`. */
      readonly input?: Json;
      /** Why it was denied, as the operator wrote it. */
      readonly note?: string;
    }
  /** The client's message that made the task, or answered a question. */
  | {
      readonly kind: 'answer';
      readonly generation: number;
      readonly message: Message;
      /** Of the first one. */
      readonly opening?: Opening;
    }
  | Summary;

/** What a model summed up, to be read in the place of what it is made of. */
export interface Summary {
  readonly kind: 'summary';
  /**
   * `memory`: remembered tasks beyond their budget. `window`: the transcript was about to outgrow
   * the model's window. `refused`: it had, and the provider said so.
   */
  readonly reason: 'memory' | 'window' | 'refused';
  /** So many of the first steps are in it. */
  readonly through: number;
  /** So many are to be, in further steps if one does not hold them. */
  readonly until: number;
  /** Tokens of what one summary is made of, at most. */
  readonly most: number;
  /** A text that it is made of was too long, and was shortened. */
  readonly shortened: boolean;
  /** Remembered tasks that are in it: when one of them can't be read any more, nor can this. */
  readonly sources: readonly string[];
  /** Absent where there is none (`problem`), or where it can't be read any more. */
  readonly text?: string;
  readonly problem?: string;
  readonly by?: string;
  readonly usage?: TurnUsage;
}

/**
 * What a run goes by from its first step on: found out once, so that a run that is taken up later
 * goes on with the same.
 */
export interface Opening {
  /** What the agent's function said. Absent where its instructions are always the same. */
  readonly instructions?: string;
  /** Absent where there was nothing to remember. */
  readonly memory?: Remembered;
}

/** Earlier tasks that a run takes into account, by their ids: their content stays theirs. */
export interface Remembered {
  /** Oldest first. `most`: characters of each of its texts. */
  readonly shown: readonly { readonly taskId: string; readonly most: number }[];
  /** To be summed up: those before them. */
  readonly older?: readonly string[];
  /** There were more, which are not shown. */
  readonly more: boolean;
}

/** Tokens of one turn. */
export interface TurnUsage {
  readonly input: number;
  readonly output: number;
  /** Of the input. */
  readonly cached?: number;
  /** Of the output. */
  readonly reasoning?: number;
}

export type Turn = Extract<Step, { kind: 'turn' }>;
export type Result = Extract<Step, { kind: 'result' }>;

export type DecisionKind = 'approve' | 'deny' | 'input';
export type DeciderKind = 'owner' | 'operator';

/** What an approval is for: exactly these calls, arguments included, in their order. */
export function digestOfCalls(calls: readonly ToolCall[]): string {
  return sha256(canonicalJson(calls.map(({ id, tool, arguments: given }) => [id, tool, given])));
}
