import type { z } from 'zod';
import type { Agent } from '../app/agents.ts';
import { type Limits, NOTHING_SPENT } from '../domain/budget.ts';
import type { Remote } from '../domain/remote.ts';
import { ASK_CLIENT, askClient } from './ask-client.ts';
import type { Tool } from './define-tool.ts';
import { isLanguageModel, type LanguageModel } from '../models/ai-sdk/any-language-model.ts';
import { lazyModel } from '../models/ai-sdk/lazy-model.ts';
import type { Model } from '../models/model.ts';
import { modelChain } from '../models/model-chain.ts';
import type { Mcp } from './define-mcp.ts';
import { isMemory, type MemoryDeclaration, memoryOf } from './memory.ts';
import { offersOf } from './offers.ts';
import type { Instructions } from './opening.ts';
import { replayTurns } from './replay-turns.ts';
import { isStructure, structuredOf } from './structured.ts';
import { turnLoop } from './turn-loop.ts';

/** What an author says of an agent that is a model with tools. */
export interface ModelAgentFields {
  /**
   * A model of the AI SDK (`google('gemini-3-pro-preview')`), or one of your own. Of a list the
   * first that answers makes the turn.
   */
  readonly model: AnyModel | readonly AnyModel[];
  /**
   * What the model is told about its task; a function is asked once for each run, before its first
   * turn, and the run goes by its answer to the end.
   */
  readonly instructions: Instructions;
  /**
   * What it sees of earlier completed tasks of the same caller in the same context. `tasks`, the
   * default: what was said and made, within 16,000 tokens or within `tokens`. `summary`: also a
   * summary of what does not fit, which the model writes before its first turn. `off`: nothing.
   */
  readonly memory?: MemoryDeclaration;
  readonly tools?: readonly Tool[];
  /**
   * Offers the model a tool of its own, `ask_client`, by which it asks the client (INPUT_REQUIRED).
   * Default: false.
   */
  readonly ask?: boolean;
  /** Agents that it may delegate to. */
  readonly remotes?: readonly Remote[];
  /** Servers whose tools it may call, by the Model Context Protocol (docs/mcp.md). */
  readonly mcp?: readonly Mcp[];
  /**
   * What one run may use; without its own, 20 rounds, 5 delegations and 10 MiB to and from other
   * agents.
   */
  readonly limits?: Limits;
  /**
   * What the final answer is to be: it becomes a data part. An answer that does not fit is told to
   * the model once; the second time the task ends FAILED.
   */
  readonly structured?: z.ZodType;
  /**
   * The answer is an artifact, `answer`, which callers see as the model writes it (docs/models.md).
   * Default: false, and the answer is the final message.
   */
  readonly stream?: boolean;
}

type AnyModel = Model | LanguageModel;

/** What is wrong with the declaration, in words for the author; empty if nothing. */
export function modelAgentProblems(fields: ModelAgentFields): readonly string[] {
  const { instructions, limits = {}, mcp = [], memory, model, remotes = [] } = fields;
  const { ask = false, stream = false, structured, tools = [] } = fields;
  const models = listOf(model);
  const wrong = (fits: boolean, words: string): readonly string[] => (fits ? [] : [words]);
  const made = areTools(tools) && areRemotes(remotes);
  return [
    ...wrong(
      models.length > 0 && models.every((each) => isLanguageModel(each) || isModel(each)),
      'model must be a model of the AI SDK (specification v3 or v4), an object with a name and a function turn, or a list of such.',
    ),
    ...wrong(
      models.every(hasWindow),
      'window of a model must be a whole number of tokens, 1,000 at least.',
    ),
    ...wrong(
      structured === undefined || isStructure(structured),
      'structured must be a zod schema that JSON Schema can say.',
    ),
    ...wrong(typeof stream === 'boolean', 'stream must be true or false.'),
    ...wrong(
      ['string', 'function'].includes(typeof instructions),
      'instructions must be a string, or a function that gives one.',
    ),
    ...wrong(
      memory === undefined || isMemory(memory),
      'memory must be off, tasks, summary, or { mode, tokens } with a whole number above zero.',
    ),
    ...wrong(areTools(tools), 'tools must be a list of what defineTool returns.'),
    ...remotesProblems(remotes),
    ...wrong(typeof ask === 'boolean', 'ask must be true or false.'),
    ...wrong(areMcp(mcp), 'mcp must be a list of what defineMcp returns.'),
    ...(areMcp(mcp) ? repeatedServers(mcp) : []),
    ...(made ? repeated([...tools, ...remotes].map(({ name }) => name)) : []),
    ...wrong(
      !ask || !made || [...tools, ...remotes].every(({ name }) => name !== ASK_CLIENT),
      `With ask, ${ASK_CLIENT} is the built-in tool: no other tool or remote may be called that.`,
    ),
    ...limitsProblems(limits),
  ];
}

export function remotesProblems(remotes: readonly Remote[]): readonly string[] {
  return areRemotes(remotes) ? [] : ['remotes must be a list of what defineRemote returns.'];
}

export function limitsProblems(limits: Limits): readonly string[] {
  return Object.entries(limits).flatMap(([name, limit]) =>
    isLimit(name, limit) ? [] : [`limits.${name} ${LIMIT_RULE}`],
  );
}

const WINDOW = 1_000;
const LIMIT_RULE = `must be a whole number; there are ${Object.keys(NOTHING_SPENT).join(', ')}.`;

export function modelAgentBehaviour(fields: ModelAgentFields): Pick<Agent, 'run' | 'replay'> {
  const { instructions, mcp = [], memory, remotes = [], stream = false, structured } = fields;
  const models = listOf(fields.model).map((model) =>
    isLanguageModel(model) ? lazyModel(model) : model,
  );
  const [only] = models;
  const equipment = {
    model: models.length === 1 && only !== undefined ? only : modelChain(models),
    instructions,
    memory: memoryOf(memory),
    offers: offersOf(toolsOf(fields), remotes),
    stream,
    ...(mcp.length > 0 && { mcp }),
    ...(structured && { structured: structuredOf(structured) }),
  };
  return {
    run: (segment) => turnLoop(segment, equipment),
    replay: (segment) => replayTurns(segment, equipment),
  };
}

/** The author's own, and the one that is built in. */
export function toolsOf({ ask = false, tools = [] }: Partial<ModelAgentFields>): readonly Tool[] {
  return ask ? [...tools, askClient] : tools;
}

function listOf(model: ModelAgentFields['model']): readonly AnyModel[] {
  return isList(model) ? model : [model];
}

/** A list of what may be no model: it is checked as it is declared. */
function isList(model: ModelAgentFields['model']): model is readonly AnyModel[] {
  return Array.isArray(model);
}

function isLimit(name: string, limit: unknown): boolean {
  const least = name === 'rounds' ? 1 : 0;
  return name in NOTHING_SPENT && Number.isSafeInteger(limit) && Number(limit) >= least;
}

function isModel(value: unknown): boolean {
  return isRecord(value) && isName(value['name']) && typeof value['turn'] === 'function';
}

/** Absent: it is not known. In fewer tokens there is no room for a summary and an answer. */
function hasWindow(model: unknown): boolean {
  const window = isRecord(model) ? model['window'] : undefined;
  return window === undefined || (Number.isSafeInteger(window) && Number(window) >= WINDOW);
}

function areTools(values: unknown): boolean {
  return (
    Array.isArray(values) &&
    values.every((value) => isRecord(value) && typeof value['ready'] === 'function')
  );
}

function areRemotes(values: unknown): boolean {
  return (
    Array.isArray(values) &&
    values.every((value) => isRecord(value) && isName(value['name']) && 'pollInterval' in value)
  );
}

function areMcp(values: unknown): boolean {
  return (
    Array.isArray(values) &&
    values.every((value) => isRecord(value) && isRecord(value['server']) && 'overrides' in value)
  );
}

/** Two servers can't have one prefix by intent: their tools would push each other out. */
function repeatedServers(mcp: readonly Mcp[]): readonly string[] {
  const prefixes = mcp.flatMap(({ prefix }) => (prefix === '' ? [] : [prefix]));
  const twice = prefixes.find((prefix, at) => prefixes.indexOf(prefix) !== at);
  return twice === undefined
    ? []
    : [`Two of its servers have the prefix ${JSON.stringify(twice)}.`];
}

function repeated(names: readonly string[]): readonly string[] {
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  return [...new Set(twice)].map(
    (name) => `Two of its tools and remotes are called ${JSON.stringify(name)}.`,
  );
}

const isName = (value: unknown): boolean => typeof value === 'string' && value !== '';

function isRecord(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null;
}
