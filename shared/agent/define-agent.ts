import type { Agent, Ending, PublicationProfile, SegmentPorts } from '../app/agents.ts';
import { CEILINGS, isCeiling, whyNotKept } from '../domain/ceiling.ts';
import { agentName } from '../domain/ids.ts';
import type { Message } from '../domain/message.ts';
import { type AgentContext, agentContext } from './agent-context.ts';
import { type CardFields, cardProblems } from './card-fields.ts';
import { RetryLater, SegmentEnding, TaskFailed } from './endings.ts';
import { toParts, type Words } from './parts.ts';

type Maybe<T> = T | undefined | void;

/** What an author writes. Card fields that have a sensible default may be left out. */
export interface AgentDeclaration
  extends Pick<CardFields, 'name' | 'description'>,
    Partial<Omit<CardFields, 'name' | 'description'>> {
  /** Works on one message. What it returns is the final message of the task; nothing is fine, too. */
  readonly run: (ctx: AgentContext) => Maybe<Words> | Promise<Maybe<Words>>;
  /** Answers a message that needs no task; undefined makes a task of it. */
  readonly reply?: (message: Message) => Maybe<Words> | Promise<Maybe<Words>>;
  /** Lets several tasks of one context be open at once; by default a context has one at a time. */
  readonly parallel?: boolean;
  /** How much of the answers may be kept; an agent whose answers may not be kept can't be published. */
  readonly publication?: PublicationProfile;
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
export function defineAgent(declaration: AgentDeclaration): DefinedAgent {
  const { run, reply, parallel = false, publication, ...fields } = declaration;
  const card = withDefaults(fields);
  const name = agentName(card.name);
  const problems = [
    ...cardProblems(card),
    ...(typeof run === 'function' ? [] : ['run must be a function.']),
    ...publicationProblems(publication),
  ];
  if (name === undefined || problems.length > 0) {
    throw new TypeError(`agent ${JSON.stringify(card.name)}: ${problems.join(' ')}`);
  }
  return {
    name,
    card,
    parallel,
    ...(publication && { publication }),
    run: (segment) => runDeclared(segment, run),
    ...(reply && {
      reply: async (message: Message) => {
        const words = await reply(message);
        return words === undefined ? undefined : toParts(words, 'reply');
      },
    }),
  };
}

function publicationProblems(publication: PublicationProfile = {}): readonly string[] {
  const { task, provider, archive } = publication;
  const wrong = [
    ...(task === undefined || isCeiling(task) ? [] : ['publication.task']),
    ...(provider === undefined || isCeiling(provider) ? [] : ['publication.provider']),
  ].map((field) => `${field} must be one of ${CEILINGS.join(', ')}.`);
  if (archive !== undefined && !['standard', 'sealed', 'off'].includes(archive)) {
    wrong.push('publication.archive must be one of standard, sealed, off.');
  }
  if (wrong.length > 0) return wrong;
  const places = { ...(task && { task }), ...(provider && { provider }) };
  const why = whyNotKept({ installation: 'metadata', ...places });
  return why === undefined ? [] : [`It can't be published: ${why}.`];
}

function withDefaults(
  fields: Omit<AgentDeclaration, 'run' | 'reply' | 'parallel' | 'publication'>,
): CardFields {
  const { name, description } = fields;
  const title = fields.displayName ?? name;
  return {
    version: '1.0.0',
    skills: [{ id: name, name: title, description, tags: [name] }],
    defaultInputModes: ['text/plain', 'application/json'],
    defaultOutputModes: ['text/plain', 'application/json'],
    ...fields,
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
    // An infrastructure fault that passed through the agent is not the agent's failure; the segment decides.
    throw error;
  }
}
