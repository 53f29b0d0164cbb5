import { z } from 'zod';
import { type Declared, facetOf } from '../domain/blocked.ts';
import type { Caller, RequestDetails } from '../domain/caller.ts';
import type { Ceiling } from '../domain/ceiling.ts';
import type { Json, JsonObject } from '../domain/json.ts';
import type { TaskSpan } from '../app/task-span.ts';
import type { AgentFiles } from './agent-files.ts';
import type { ArtifactInput } from './artifact-input.ts';
import { issuesOf } from './issues.ts';
import { checkerOf, type Fitting, objectProblem, type Schema, schemaOf } from './json-schema.ts';
import type { Words } from './parts.ts';
import { thrownIn, type Tried, tried, undefinedIfThrown, unfit, type Unfit } from './unfit.ts';

/**
 * What running it again may do. `read`: nothing. `idempotent`: nothing more, given the same
 * `callId`. `once`: harm; what may have run is never run again, and a run whose worker was lost
 * within such a tool ends FAILED.
 */
export type ToolEffect = 'read' | 'idempotent' | 'once';

/** What a tool works with besides its arguments. */
export interface ToolContext<I = undefined> {
  readonly signal: AbortSignal;
  readonly taskId: string;
  readonly contextId: string;
  /**
   * The same for each run of this call, and unique to it: the key for what must not happen twice.
   */
  readonly callId: string;
  /** 1, or higher when this call is run again because a worker was lost or a fault may pass. */
  readonly attempt: number;
  /**
   * As `ctx.tighten`: to be awaited before a service is asked that is stricter than the
   * publication.
   */
  readonly tighten: (answer: Ceiling) => Promise<void>;
  /** As `ctx.status`: shows progress. Callers see it, not the model. */
  readonly status: (words: Words) => Promise<void>;
  /**
   * As `ctx.artifact`: callers see it, not the model. Its first chunk in a call replaces what the
   * artifact had before.
   */
  readonly artifact: (artifact: ArtifactInput) => Promise<void>;
  /** Whose task it is, and what came beside the message that the run works on. */
  readonly caller: Caller;
  readonly request: RequestDetails;
  /**
   * As `ctx.files`. What a tool writes is kept with its result.
   */
  readonly files: AgentFiles;
  /** As `ctx.trace`: the span of this call, and spans within it. */
  readonly trace: TaskSpan;
  /** What a person put in, if the tool asks for input. */
  readonly input: I;
}

export interface ToolDeclaration<P extends Schema, I extends z.ZodType = z.ZodUndefined> {
  /** As the model calls it: letters, digits, `_` and `-`. */
  readonly name: string;
  readonly description: string;
  /** A zod object, or JSON Schema of an object. The model sees them as JSON Schema. */
  readonly parameters: P;
  readonly effect: ToolEffect;
  /** A person must approve the turn that calls it. Default: false. */
  readonly approval?: boolean | ((args: Fitting<P>) => boolean);
  /**
   * Public: what a person who is asked for approval may know of the arguments. Without it, name and
   * description are shown.
   */
  readonly summary?: (args: Fitting<P>) => string;
  /** A person is asked for this before it runs. The question is public, too. */
  readonly input?: {
    readonly question: string | ((args: Fitting<P>) => string);
    readonly schema: I;
  };
  /**
   * What it returns is the result for the model: anything that JSON can hold, 1 MiB at most, or
   * `toolParts`, with 4 MiB of files.
   */
  readonly run: (args: Fitting<P>, call: ToolContext<z.output<I>>) => unknown;
}

/** A tool as the loop sees it, whatever its arguments are. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly effect: ToolEffect;
  readonly parameters: JsonObject;
  /**
   * Of what the model and a person may judge it by, if it can change while a run waits: a call is
   * for the tool as it was offered.
   */
  readonly digest?: string;
  /** What a call that waits depends on: another one of these, and it is another tool. */
  readonly facets: Declared['facets'];
  /** A call with these arguments made ready, or what is wrong with them. */
  ready(given: JsonObject): ReadyCall | Unfit;
}

export interface ReadyCall {
  readonly kind: 'ready';
  readonly approval: boolean;
  readonly summary: string;
  readonly question?: Question;
  /** What its author's functions threw while it was made ready. */
  readonly thrown: readonly unknown[];
  /** `input` as `question` accepted it. */
  run(call: Omit<ToolContext, 'input'>, input?: Json): Promise<unknown>;
}

export interface Question {
  readonly words: string;
  /** JSON Schema of the answer. Absent: any will do. */
  readonly schema?: Json;
  /** The model reads all of the answer, whatever it is: words, data, and files by their names. */
  readonly open?: true;
  /** What is wrong with an answer; undefined if nothing. */
  problem(answer: Json): string | undefined;
}

/**
 * Thrown by a tool to tell the model what went wrong. The message of any other error is not shown.
 */
export class ToolError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ToolError';
  }
}

export const TOOL_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
export const EFFECTS: readonly unknown[] = ['read', 'idempotent', 'once'] satisfies ToolEffect[];
/** Of words that become public. */
const WORDS = 1_000;

/**
 * Declares a tool for an agent with a model. Throws TypeError that lists everything that is wrong
 * with the declaration.
 *
 * @example
 * const weather = defineTool({
 *   name: 'weather',
 *   description: 'The weather of a city.',
 *   parameters: z.object({ city: z.string() }),
 *   effect: 'read',
 *   run: ({ city }, { signal }) => lookUp(city, signal),
 * });
 */
export function defineTool<P extends Schema, I extends z.ZodType = z.ZodUndefined>(
  declaration: ToolDeclaration<P, I>,
): Tool {
  const problems = toolProblems(declaration);
  if (problems.length > 0)
    throw new TypeError(`tool ${JSON.stringify(declaration.name)}: ${problems.join(' ')}`);
  const { approval = false, description, effect, input, name, parameters, summary } = declaration;
  const offered = schemaOf(parameters, `the parameters of ${name}`);
  const checker = checkerOf(parameters);
  const wanted = input && schemaOf(input.schema, `the input of ${name}`);
  return {
    name,
    description,
    effect,
    parameters: offered,
    facets: {
      parameters: facetOf(offered),
      effect,
      approval: typeof approval === 'function' ? 'by arguments' : approval ? 'always' : 'never',
      ...(wanted && { input: facetOf(wanted) }),
    },
    ready(given) {
      const parsed = tried(() => checker.safeParse(given));
      if ('thrown' in parsed)
        return { ...unfit('The arguments could not be checked.'), thrown: parsed.thrown };
      const { data: args, error } = parsed.value;
      if (error !== undefined) return unfit(`The arguments do not fit. ${issuesOf(error)}`);
      const words = tried(() => summary?.(args));
      const held = tried(() => needsApproval(declaration, args));
      const asked = tried(() => wordsOf(declaration, args));
      const question = questionOf(declaration, wordsIn(asked), wanted);
      return {
        kind: 'ready',
        // If the author's function fails, the call needs an approval.
        approval: 'thrown' in held || held.value,
        summary: wordsIn(words) ?? description,
        thrown: thrownIn(words, held, asked),
        ...(question && { question }),
        run: async (call, input) =>
          declaration.run(args, { ...call, input: inputOf(declaration, input) }),
      };
    },
  };
}

function needsApproval<P extends Schema, I extends z.ZodType>(
  { approval = false }: ToolDeclaration<P, I>,
  args: Fitting<P>,
): boolean {
  return typeof approval === 'boolean' ? approval : approval(args) !== false;
}

function wordsOf<P extends Schema, I extends z.ZodType>(
  { input }: ToolDeclaration<P, I>,
  args: Fitting<P>,
): unknown {
  const question = input?.question;
  return typeof question === 'function' ? question(args) : question;
}

function questionOf<P extends Schema, I extends z.ZodType>(
  { description, input }: ToolDeclaration<P, I>,
  words: string | undefined,
  wanted: Json | undefined,
): Question | undefined {
  if (input === undefined || wanted === undefined) return undefined;
  const { schema } = input;
  return {
    words: words ?? description,
    schema: wanted,
    problem(answer) {
      const parsed = undefinedIfThrown(() => schema.safeParse(answer));
      if (parsed === undefined) return 'It could not be checked.';
      return parsed.success ? undefined : issuesOf(parsed.error);
    },
  };
}

function inputOf<P extends Schema, I extends z.ZodType>(
  { input }: ToolDeclaration<P, I>,
  answer: Json | undefined,
): z.output<I> {
  // Without a question `I` is the schema of undefined.
  return (input?.schema ?? z.undefined()).parse(answer) as z.output<I>;
}

function wordsIn(said: Tried<unknown>): string | undefined {
  const words = 'value' in said ? said.value : undefined;
  return typeof words === 'string' && words.trim() !== '' ? words.slice(0, WORDS) : undefined;
}

function toolProblems<P extends Schema, I extends z.ZodType>(
  declaration: ToolDeclaration<P, I>,
): readonly string[] {
  const { approval, description, effect, input, name, parameters, run, summary } = declaration;
  const wrong = (fits: boolean, words: string): readonly string[] => (fits ? [] : [words]);
  const unfitParameters = objectProblem(parameters);
  const isSchema = (schema: z.ZodType): boolean =>
    schema instanceof z.ZodType && undefinedIfThrown(() => schemaOf(schema, name)) !== undefined;
  return [
    ...wrong(typeof name === 'string' && TOOL_NAME.test(name), NAME_RULE),
    ...wrong(isWords(description), 'description is missing.'),
    ...(unfitParameters === undefined ? [] : [`parameters ${unfitParameters}`]),
    ...wrong(EFFECTS.includes(effect), 'effect must be one of read, idempotent, once.'),
    ...wrong(
      ['undefined', 'boolean', 'function'].includes(typeof approval),
      'approval must be a boolean or a function.',
    ),
    ...wrong(
      ['undefined', 'function'].includes(typeof summary),
      'summary must be a function of the arguments.',
    ),
    ...wrong(
      input === undefined || isWords(input.question) || typeof input.question === 'function',
      'input.question is missing.',
    ),
    ...wrong(
      input === undefined || isSchema(input.schema),
      'input.schema must be a zod schema that JSON Schema can say.',
    ),
    ...wrong(typeof run === 'function', 'run must be a function.'),
  ];
}

export const NAME_RULE =
  'name must begin with a letter and have letters, digits, _ and -, 64 at most.';

const isWords = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';
