import { z } from 'zod';
import type { Spent } from '../domain/budget.ts';
import { isJsonObject, type JsonObject } from '../domain/json.ts';
import type { Artifact } from '../domain/message.ts';
import type { ModelFinish } from '../models/model.ts';
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
  /** It is the last: its provider held it back, or the model declined. */
  readonly declined?: 'filtered' | 'refused';
}

/** What of a run is shown beside this turn. */
interface Shown {
  /** Artifacts that earlier turns made public. */
  readonly shown: number;
  /** The id of an artifact that a turn may not make, because the answer has it. */
  readonly reserved?: string;
}

/** How a turn ended that is not whole. */
export type Cut = Extract<ModelFinish, 'length' | 'malformed' | 'other'>;

/** What a model is told of such a turn. */
const CUT: Readonly<Record<Cut, string>> = {
  length: 'it was cut off at its limit of length; make it shorter.',
  malformed: 'it was empty, or called a tool in a form that can not be read.',
  other: 'it ended before it was complete; make it again.',
};

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
export const TEXT = 1024 * 1024;
const ARGUMENTS = 1024 * 1024;
const NAME = 200;
/** Of what its provider needs back, as JSON. */
const STATE = 4 * 1024 * 1024;
/** Of what is said about an answer. */
const WORDS = 1_000;
/** Counts over this can't be meant, and would no longer add up. */
const COUNT = 1e12;

const count = z.number().min(0).max(COUNT);
const usageSchema = z
  .object({
    inputTokens: count,
    outputTokens: count,
    cachedInputTokens: count.nullish(),
    reasoningTokens: count.nullish(),
    cost: count.nullish(),
  })
  .nullish();
const turnSchema = z.object({
  by: z.string().min(1).max(NAME).nullish(),
  finish: z.enum(['stop', 'length', 'malformed', 'other', 'filtered', 'refused']).nullish(),
  state: z.unknown().optional(),
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
 * answer is read.
 */
export function readTurn(
  answer: unknown,
  number: number,
  { model, ...shown }: { readonly model: string } & Shown,
): ReadTurn {
  const used = attempted(() =>
    usedBy(z.object({ usage: usageSchema }).parse(isObject(answer) ? answer : {}).usage),
  );
  if ('problem' in used) return unusable({ spend: { rounds: 1 } }, used.problem);
  const read = attempted(() => turnOf(answer, number, shown));
  if ('problem' in read) return unusable(used.value, read.problem);
  const { artifacts, finish, turn } = read.value;
  const { spend, usage } = used.value;
  const made = { by: turn.by ?? model, ...(usage && { usage }) };
  switch (finish) {
    case 'stop':
      return { turn: { ...turn, ...made }, artifacts, spend };
    case 'length':
    case 'malformed':
    case 'other':
      return unusable({ ...used.value, ...made, finish }, CUT[finish]);
    case 'filtered':
    case 'refused':
      return { ...unusable({ ...used.value, ...made, finish }, CUT.other), declined: finish };
  }
}

interface Used extends Pick<Turn, 'by' | 'finish' | 'usage'> {
  readonly spend: Partial<Spent>;
}

function unusable({ spend, ...made }: Used, problem: string): ReadTurn {
  const nothing = { calls: [], digest: digestOfCalls([]), artifacts: [] };
  const turn: Turn = { kind: 'turn', ...nothing, ...made, problem };
  return { turn, artifacts: [], spend, unusable: new UnusableTurn(problem) };
}

type Attempted<T> = { readonly value: T } | { readonly problem: string };

/** What a model answered may throw wherever it is touched. */
export function attempted<T>(read: () => T): Attempted<T> {
  try {
    return { value: read() };
  } catch (error) {
    if (error instanceof z.ZodError) return { problem: issuesOf(error) };
    return { problem: error instanceof Error ? error.message.slice(0, WORDS) : 'it throws' };
  }
}

function usedBy(usage: z.infer<typeof usageSchema>): Used {
  if (!usage) return { spend: { rounds: 1 } };
  const { cachedInputTokens: cached, cost, inputTokens: input, outputTokens: output } = usage;
  const { reasoningTokens: reasoning } = usage;
  return {
    spend: { rounds: 1, tokens: Math.ceil(input + output), ...costIn(cost) },
    usage: { input, output, ...(cached && { cached }), ...(reasoning && { reasoning }) },
  };
}

/** Absent where the model does not say it: the installation may know its prices. */
const costIn = (cost: number | null | undefined): Partial<Spent> =>
  typeof cost === 'number' ? { cost: Math.ceil(cost) } : {};

/** Throws if it is no turn. */
function turnOf(
  answer: unknown,
  number: number,
  { reserved, shown }: Shown,
): Pick<ReadTurn, 'turn' | 'artifacts'> & { readonly finish: ModelFinish } {
  const { artifacts, by, calls, finish, state, text } = turnSchema.parse(answer);
  const asked = (calls ?? []).map((call, at) => callOf(call, `call-${number}-${at + 1}`));
  const size = Buffer.byteLength(JSON.stringify(asked));
  if (size > ARGUMENTS) throw new TypeError(`calls of ${size} bytes`);
  const made = (artifacts ?? []).map((artifact, at) => {
    const { artifactId, description, metadata, name, parts } = artifact;
    if (artifactId !== undefined && artifactId === reserved)
      throw new TypeError(`artifacts[${at}].artifactId: ${artifactId} is the answer's own id`);
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
    finish: finish ?? 'stop',
    turn: {
      kind: 'turn',
      ...(text && { text }),
      calls: asked,
      digest: digestOfCalls(asked),
      artifacts: made.map(({ artifactId }) => artifactId),
      ...(by && { by }),
      ...(state !== undefined && state !== null && { state: boundedJson(state, 'state', STATE) }),
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
