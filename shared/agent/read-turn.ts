import { z } from 'zod';
import type { Spent } from '../domain/budget.ts';
import { isJsonObject, type JsonObject } from '../domain/json.ts';
import type { Artifact } from '../domain/message.ts';
import { digestOfCalls, type ToolCall, type Turn } from '../domain/step.ts';
import { toArtifact } from './agent-context.ts';
import { boundedJson } from './bounded-json.ts';
import type { Words } from './parts.ts';
import { issuesOf } from './issues.ts';
import { undefinedIfThrown } from './unfit.ts';

/** A turn as the model answered it, made ours. */
export interface ReadTurn {
  readonly turn: Turn;
  readonly artifacts: readonly Artifact[];
  readonly spend: Partial<Spent>;
  /** Why it could not be understood: `turn` is empty, and the model is told so. */
  readonly unusable?: UnusableTurn;
}

/** A model answered what is no turn; the message says which field, and what was wrong with it. */
export class UnusableTurn extends Error {
  constructor(problem: string) {
    super(`the turn can't be used: ${problem}`);
    this.name = 'UnusableTurn';
  }
}

/** A turn beyond these limits is refused. */
const CALLS = 32;
const ARTIFACTS = 64;
const TEXT = 1024 * 1024;
const ARGUMENTS = 1024 * 1024;
const NAME = 200;
/** Of what is said about an answer. */
const WORDS = 1_000;
/** Counts over this can't be meant, and would no longer add up. */
const COUNT = 1e12;

const count = z.number().min(0).max(COUNT);
const usageSchema = z
  .object({ inputTokens: count, outputTokens: count, cost: count.nullish() })
  .nullish();
const turnSchema = z.object({
  text: z.string().max(TEXT).nullish(),
  calls: z
    .array(z.object({ name: z.string().min(1).max(NAME), arguments: z.unknown() }))
    .max(CALLS)
    .nullish(),
  artifacts: z
    .array(
      z.object({
        artifactId: z.string().min(1).max(NAME).optional(),
        name: z.string().optional(),
        description: z.string().optional(),
        parts: z.custom<Words>((value) => typeof value === 'string' || Array.isArray(value)),
        metadata: z.custom<JsonObject>(isJsonObject).optional(),
      }),
    )
    .max(ARTIFACTS)
    .nullish(),
});

/**
 * What a model answered is data from outside. `number` is that of the step which the turn becomes:
 * the ids of its calls come from it, so they are unique in the run, and the same each time the same
 * answer is read. `shown`: artifacts that earlier turns made public.
 */
export function readTurn(answer: unknown, number: number, shown: number): ReadTurn {
  const spend = attempted(() =>
    spendOf(z.object({ usage: usageSchema }).parse(isObject(answer) ? answer : {}).usage),
  );
  if ('problem' in spend) return unusable({}, spend.problem);
  const read = attempted(() => turnOf(answer, number, shown));
  if ('problem' in read) return unusable(spend.value, read.problem);
  return { ...read.value, spend: spend.value };
}

function unusable(spend: Partial<Spent>, problem: string): ReadTurn {
  const turn: Turn = { kind: 'turn', calls: [], digest: digestOfCalls([]), artifacts: [], problem };
  const error = new UnusableTurn(problem);
  return { turn, artifacts: [], spend: { ...spend, rounds: 1 }, unusable: error };
}

type Attempted<T> = { readonly value: T } | { readonly problem: string };

/** What a model answered may throw wherever it is touched. */
function attempted<T>(read: () => T): Attempted<T> {
  try {
    return { value: read() };
  } catch (error) {
    if (error instanceof z.ZodError) return { problem: issuesOf(error) };
    return { problem: error instanceof Error ? error.message.slice(0, WORDS) : 'it throws' };
  }
}

function spendOf(usage: z.infer<typeof usageSchema>): Partial<Spent> {
  if (!usage) return { rounds: 1 };
  const { cost, inputTokens, outputTokens } = usage;
  const tokens = Math.ceil(inputTokens + outputTokens);
  return { rounds: 1, tokens, cost: Math.ceil(cost ?? 0) };
}

/** Throws if it is no turn. */
function turnOf(answer: unknown, number: number, shown: number): Omit<ReadTurn, 'spend'> {
  const { artifacts, calls, text } = turnSchema.parse(answer);
  const asked = (calls ?? []).map((call, at) => callOf(call, `call-${number}-${at + 1}`));
  const size = Buffer.byteLength(JSON.stringify(asked));
  if (size > ARGUMENTS) throw new TypeError(`calls of ${size} bytes`);
  const made = (artifacts ?? []).map((artifact, at) => {
    const { artifactId, description, metadata, name, parts } = artifact;
    return toArtifact(
      {
        parts,
        ...(artifactId !== undefined && { artifactId }),
        ...(name !== undefined && { name }),
        ...(description !== undefined && { description }),
        ...(metadata !== undefined && { metadata }),
      },
      shown + at + 1,
    );
  });
  return {
    turn: {
      kind: 'turn',
      ...(text && { text }),
      calls: asked,
      digest: digestOfCalls(asked),
      artifacts: made.map(({ artifactId }) => artifactId),
    },
    artifacts: made,
  };
}

function callOf(
  call: { readonly name: string; readonly arguments?: unknown },
  id: string,
): ToolCall {
  const frame = { id, tool: call.name };
  const given = undefinedIfThrown(() => boundedJson(call.arguments, 'arguments', ARGUMENTS));
  return isJsonObject(given)
    ? { ...frame, arguments: given }
    : { ...frame, arguments: {}, problem: 'The arguments must be a JSON object.' };
}

function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null;
}
