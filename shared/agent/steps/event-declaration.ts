import { z } from 'zod';
import { type DeclaredSignal, EVENTS_EXTENSION } from '../../domain/signal.ts';
import type { CardExtension } from '../card-fields.ts';
import { schemaOf } from '../json-schema.ts';
import { NAME, NAME_RULE } from './names.ts';

/** An event that an agent of steps may wait for. */
export interface EventDeclaration<S extends z.ZodType = z.ZodType> {
  /** Of its data; what does not fit is refused as it is delivered. */
  readonly schema: S;
  /**
   * The owner of the task may deliver it, too, by a message to the task. Default: false; operators
   * with the right `decide` always may.
   */
  readonly owner?: boolean;
}

/** By their names. */
export type EventDeclarations = Readonly<Record<string, EventDeclaration>>;

/** Of one agent: a card lists those that its callers may deliver. */
const MOST = 50;

/** What is wrong with them, in words for the author; empty if nothing. */
export function eventsProblems(events: unknown): readonly string[] {
  if (typeof events !== 'object' || events === null || Array.isArray(events))
    return ['events must be an object of { schema, owner }, by the names of the events.'];
  const entries = Object.entries(events);
  return [
    ...(entries.length > MOST ? [`events has ${entries.length}; the limit is ${MOST}.`] : []),
    ...entries.flatMap(([name, event]) => eventProblems(name, event)),
  ];
}

function eventProblems(name: string, event: unknown): readonly string[] {
  const { owner, schema, ...others } = { ...(typeof event === 'object' ? event : {}) } as Record<
    string,
    unknown
  >;
  const unknown = Object.keys(others).map((key) => `events.${name}.${key} is not known.`);
  return [
    ...unknown,
    ...(NAME.test(name) ? [] : [`events.${name}: ${NAME_RULE}.`]),
    ...(owner === undefined || typeof owner === 'boolean'
      ? []
      : [`events.${name}.owner must be true or false.`]),
    ...(isSchema(schema) ? [] : [`events.${name}.schema must be a zod schema with a JSON Schema.`]),
  ];
}

function isSchema(schema: unknown): boolean {
  if (!(schema instanceof z.ZodType)) return false;
  try {
    schemaOf(schema, 'it');
    return true;
  } catch {
    return false;
  }
}

/** As deliveries are checked by, and as cards show them. */
export function declaredEvents(events: EventDeclarations): readonly DeclaredSignal[] {
  return Object.entries(events).map(([name, { owner = false, schema }]) => ({
    name,
    owner,
    schema: schemaOf(schema, `events.${name}.schema`),
    objection(data) {
      const [issue] = schema.safeParse(data).error?.issues ?? [];
      if (issue === undefined) return undefined;
      const path = issue.path.map((key) => `.${String(key)}`).join('');
      return { path, message: issue.message };
    },
  }));
}

/** How callers learn what they may deliver; nothing of what only operators may. */
export function eventsExtension(events: readonly DeclaredSignal[] = []): CardExtension | undefined {
  const owners = events.filter(({ owner }) => owner);
  if (owners.length === 0) return undefined;
  return {
    uri: EVENTS_EXTENSION,
    description: 'A message to a task whose metadata name one of these events delivers it.',
    params: { events: Object.fromEntries(owners.map(({ name, schema }) => [name, { schema }])) },
  };
}
