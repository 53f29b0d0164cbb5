import type { CardFields } from '../agent/card-fields.ts';
import type { JsonObject } from '../domain/json.ts';
import { invalidParams } from './failure.ts';
import type { Version } from './version.ts';

/**
 * What the draft of A2A 1.1 adds, for callers that ask for it (docs/draft.md). It lies on the
 * branch dev-1.1 of https://github.com/a2aproject/A2A, here as of 12 August 2026.
 */
export const DRAFT = 'urn:holdfast:extension:a2a-1.1-draft:1';

/** The card of an agent that speaks the draft, too. */
export function withDraft(card: CardFields): CardFields {
  const description =
    'Generations of tasks, long polls of GetTask and conditional messages, as drafted for A2A 1.1.';
  return { ...card, extensions: [...(card.extensions ?? []), { uri: DRAFT, description }] };
}

/** Its fields are no fields of the proto file, so it is not spoken over gRPC. */
export function withoutDraft(card: CardFields): CardFields {
  const { extensions, ...others } = card;
  const rest = extensions?.filter(({ uri }) => uri !== DRAFT) ?? [];
  return rest.length === 0 ? others : { ...others, extensions: rest };
}

interface Asked {
  /** URIs of the extensions in effect. */
  readonly extensions: readonly string[];
  readonly version: Version;
}

export function isDrafted({ extensions, version }: Asked): boolean {
  return version === '1.0' && extensions.includes(DRAFT);
}

/** ProtoJSON writes an int64 as a number or as a string of one. Throws what refuses it. */
export function generationFrom(field: string, value: unknown): number | undefined {
  if (value === undefined) return undefined;
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text === 'string' && /^\d{1,15}$/.test(text)) return Number(text);
  throw invalidParams([{ field, description: 'must be a generation of the task, a number' }]);
}

/**
 * A task or an event with its generation, which is its position in the journal. 0 would say that
 * there are none: a task as it was before its first event has none.
 */
export function withGeneration(json: JsonObject, seq: number): JsonObject {
  return seq === 0 ? json : { ...json, generation: String(seq) };
}
