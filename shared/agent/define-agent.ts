import type { Agent, Ending, PublicationProfile, SegmentPorts } from '../app/agents.ts';
import { agentName } from '../domain/ids.ts';
import type { Message } from '../domain/message.ts';
import { type AgentContext, agentContext } from './agent-context.ts';
import { type FilesDeclaration, filesProblems, filesProfile } from './agent-files.ts';
import { type CardFields, cardProblems } from './card-fields.ts';
import { RetryLater, SegmentEnding, TaskFailed } from './endings.ts';
import { type ModelAgentFields, modelAgentProblems, modelAgentRun } from './model-agent.ts';
import { toParts, type Words } from './parts.ts';
import { publicationProblems } from './publication-problems.ts';

type Maybe<T> = T | undefined | void;
/** Said by the other kind of agent. */
type Absent<K extends PropertyKey> = { readonly [key in K]?: never };

/**
 * What every agent may say about itself. Card fields that have a sensible default may be left out.
 */
interface SharedDeclaration
  extends Pick<CardFields, 'name' | 'description'>,
    Partial<Omit<CardFields, 'name' | 'description'>> {
  /** Answers a message that needs no task; undefined makes a task of it. */
  readonly reply?: (message: Message) => Maybe<Words> | Promise<Maybe<Words>>;
  /** Lets several tasks of one context be open at once; by default a context has one at a time. */
  readonly parallel?: boolean;
  /**
   * How much of the answers may be kept; an agent whose answers may not be kept refuses every
   * message.
   */
  readonly publication?: PublicationProfile;
  /**
   * Gives each task a folder (`ctx.files`), which is kept from one task of a context to the next
   * (docs/files.md). `form`: what other readers find in the bucket, `git` by default; `limits` can
   * only be lower than the installation's.
   */
  readonly files?: FilesDeclaration;
}

/** An agent that is a function. */
export interface AgentDeclaration extends SharedDeclaration, Absent<keyof ModelAgentFields> {
  /**
   * Works on one message. What it returns is the final message of the task; nothing is fine, too.
   */
  readonly run: (ctx: AgentContext) => Maybe<Words> | Promise<Maybe<Words>>;
}

/** An agent that is a model with tools. */
export interface ModelAgentDeclaration extends SharedDeclaration, ModelAgentFields {
  readonly run?: never;
}

/** An agent ready to be published: its card, and its behaviour as the application sees it. */
export interface DefinedAgent extends Agent {
  readonly card: CardFields;
}

/**
 * Declares an agent. Throws TypeError that lists everything that is wrong with the declaration.
 *
 * @example
 * export default defineAgent({
 *   name: 'shout',
 *   description: 'Repeats a text in capital letters.',
 *   run: (ctx) => ctx.text.toUpperCase(),
 * });
 */
export function defineAgent(declaration: AgentDeclaration | ModelAgentDeclaration): DefinedAgent {
  const { limits, parallel = false, publication, remotes, reply } = declaration;
  const files = filesProfile(declaration.files);
  const card = cardOf(declaration);
  const name = agentName(card.name);
  const problems = [
    ...cardProblems(card),
    ...behaviourProblems(declaration),
    ...publicationProblems(publication),
    ...filesProblems(declaration.files),
  ];
  if (name === undefined || problems.length > 0) {
    throw new TypeError(`agent ${JSON.stringify(card.name)}: ${problems.join(' ')}`);
  }
  return {
    name,
    card,
    parallel,
    ...(publication && { publication }),
    ...(files && { files }),
    ...(remotes && { remotes }),
    ...(limits && { limits }),
    run:
      declaration.run === undefined
        ? modelAgentRun(declaration)
        : (segment) => runDeclared(segment, declaration.run),
    ...(reply && {
      reply: async (message: Message) => {
        const words = await reply(message);
        return words === undefined ? undefined : toParts(words, 'reply');
      },
    }),
  };
}

function behaviourProblems(declaration: AgentDeclaration | ModelAgentDeclaration) {
  const { model, run } = declaration;
  if (model === undefined) return typeof run === 'function' ? [] : ['run must be a function.'];
  if (run !== undefined) return ['It has either run or a model, not both.'];
  return modelAgentProblems(declaration);
}

const CARD_KEYS = [
  'version',
  'displayName',
  'skills',
  'defaultInputModes',
  'defaultOutputModes',
  'provider',
  'documentationUrl',
  'iconUrl',
  'extensions',
] as const satisfies readonly (keyof CardFields)[];

function cardOf(declaration: SharedDeclaration): CardFields {
  const { description, name } = declaration;
  const title = declaration.displayName ?? name;
  const given = CARD_KEYS.filter((key) => declaration[key] !== undefined);
  return {
    name,
    description,
    version: '1.0.0',
    skills: [{ id: name, name: title, description, tags: [name] }],
    defaultInputModes: ['text/plain', 'application/json'],
    defaultOutputModes: ['text/plain', 'application/json'],
    ...Object.fromEntries(given.map((key) => [key, declaration[key]])),
  };
}

async function runDeclared(
  segment: SegmentPorts,
  run: (ctx: AgentContext) => Maybe<Words> | Promise<Maybe<Words>>,
): Promise<Ending> {
  let noted: Ending | undefined;
  const ctx = agentContext(segment, ({ ending }) => {
    noted ??= ending;
  });
  try {
    const words = await run(ctx);
    return (
      noted ?? { kind: 'completed', parts: words === undefined ? [] : toParts(words, 'result') }
    );
  } catch (error) {
    if (noted !== undefined) return noted;
    if (error instanceof SegmentEnding) return error.ending;
    if (error instanceof RetryLater) {
      return { kind: 'retry', error, ...(error.delay !== undefined && { delay: error.delay }) };
    }
    if (error instanceof TaskFailed)
      return { kind: 'failed', parts: [{ text: error.message }], error };
    // An infrastructure fault that passed through the agent is not the agent's failure; the segment
    // decides.
    throw error;
  }
}
