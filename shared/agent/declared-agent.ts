import type { Agent, PublicationProfile } from '../app/agents.ts';
import { agentName } from '../domain/ids.ts';
import { type Isolation, ISOLATIONS } from '../domain/isolation.ts';
import { type FilesDeclaration, filesProblems, filesProfile } from './agent-files.ts';
import type { Message } from '../domain/message.ts';
import { type CardExtension, type CardFields, cardProblems } from './card-fields.ts';
import { eventsExtension } from './steps/event-declaration.ts';
import { toParts, type Words } from './parts.ts';
import type { Model } from '../models/model.ts';
import { publicationProblems } from './publication-problems.ts';
import { type ScheduleDeclaration, scheduleOf, scheduleProblems } from './schedule-declaration.ts';

export type Maybe<T> = T | undefined | void;

/**
 * What every agent may say about itself. Card fields that have a sensible default may be left out.
 */
export interface SharedDeclaration
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
  /**
   * Begins a task at each tick of a cron rule, exactly one, without a caller (docs/schedules.md):
   * `'0 9 * * 1-5'`, or the rule with a time zone and more.
   */
  readonly schedule?: string | ScheduleDeclaration;
  /**
   * Its work costs money: a server that others can call publishes it only to callers who prove who
   * they are. Default: true for an agent with a model.
   */
  readonly spends?: boolean;
  /**
   * `process`: its code runs in a process of its own, so that a loop without an end, or memory
   * without a bound, ends its own run alone (docs/isolation.md). Default: what the installation
   * says (`--isolation`).
   */
  readonly isolation?: Isolation;
}

/** An agent ready to be published: its card, and its behaviour as the application sees it. */
export interface DefinedAgent extends Agent {
  readonly card: CardFields;
  readonly spends: boolean;
  /** The same agent with that model in the place of its own. Absent of one without a model. */
  readonly withModel?: (model: Model) => DefinedAgent;
  readonly isolation?: Isolation;
}

/**
 * The agent of a declaration whose behaviour is known. `problems`: what is wrong with that; it is
 * only made if nothing is. Throws
 * TypeError that lists everything that is wrong.
 */
export function declaredAgent(
  declaration: SharedDeclaration,
  problems: readonly string[],
  behaviour: () => Pick<
    Agent,
    'run' | 'replay' | 'remotes' | 'tools' | 'limits' | 'steps' | 'events'
  > & {
    readonly spends?: boolean;
  },
): DefinedAgent {
  const { isolation, parallel = false, publication, reply, schedule } = declaration;
  const card = cardOf(declaration);
  const name = agentName(card.name);
  const files = filesProfile(declaration.files);
  const all = [
    ...cardProblems(card),
    ...problems,
    ...publicationProblems(publication),
    ...filesProblems(declaration.files),
    ...isolationProblems(declaration.isolation),
    ...scheduleProblems(schedule),
  ];
  if (name === undefined || all.length > 0) {
    throw new TypeError(`agent ${JSON.stringify(card.name)}: ${all.join(' ')}`);
  }
  const behaves = behaviour();
  return {
    name,
    card: withExtension(card, eventsExtension(behaves.events)),
    parallel,
    spends: declaration.spends ?? false,
    ...(publication && { publication }),
    ...(files && { files }),
    ...(isolation && { isolation }),
    ...(schedule !== undefined && { schedule: scheduleOf(name, schedule) }),
    ...behaves,
    ...(reply && {
      reply: async (message: Message) => {
        const words = await reply(message);
        return words === undefined ? undefined : toParts(words, 'reply');
      },
    }),
  };
}

function withExtension(card: CardFields, extension: CardExtension | undefined): CardFields {
  if (extension === undefined) return card;
  return { ...card, extensions: [...(card.extensions ?? []), extension] };
}

function isolationProblems(isolation: unknown): readonly string[] {
  const known = isolation === undefined || ISOLATIONS.some((each) => each === isolation);
  return known ? [] : [`isolation must be one of ${ISOLATIONS.join(', ')}.`];
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
  'extended',
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
