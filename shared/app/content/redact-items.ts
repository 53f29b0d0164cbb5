import type { Item } from '../../domain/item.ts';
import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';
import type { Artifact, Message, Part } from '../../domain/message.ts';
import type { Redactor } from '../../ports/redactor.ts';
import { toBeNamed } from './pause-parts.ts';

/** Longest text of a redacted part, in characters: a summary may be kept, a document may not. */
export const REDACTED_CHARACTERS = 2_000;

/** What stands where a file or link stood. */
const DROPPED: Part = { text: '[a file or link was removed by the privacy policy]' };

/**
 * Items as they may be kept at the level `redacted`: every string in them that a person could have
 * written goes through the redactor, files and links become a marker. Ids and media types stay, so
 * the shape of the task is the same.
 */
export async function redactItems(
  redactor: Redactor,
  items: readonly Item[],
): Promise<readonly Item[]> {
  const texts = new Texts();
  for (const item of items) walkItem(item, (text) => texts.collect(text));
  await texts.redact(redactor);
  return items.map((item) => walkItem(item, (text) => texts.redacted(text)));
}

type Visit = (text: string) => string;

/** Collects texts first, so that a redactor that is a service is asked once for all of them. */
class Texts {
  readonly #texts = new Map<string, string>();

  collect(text: string): string {
    this.#texts.set(text, '');
    return text;
  }

  async redact(redactor: Redactor): Promise<void> {
    const originals = [...this.#texts.keys()];
    const answers = originals.length === 0 ? [] : await redactor.redact(originals);
    originals.forEach((text, at) => this.#texts.set(text, answers[at] ?? ''));
  }

  redacted(text: string): string {
    return this.#texts.get(text) ?? '';
  }
}

function walkItem(item: Item, visit: Visit): Item {
  switch (item.kind) {
    case 'message':
      return { ...item, message: walkMessage(item.message, visit) };
    case 'artifact':
      return { ...item, artifact: walkArtifact(item.artifact, visit) };
    case 'status':
      return item.message === undefined
        ? item
        : { ...item, message: walkMessage(item.message, visit) };
  }
}

function walkMessage(message: Message, visit: Visit): Message {
  const { metadata, ...rest } = message;
  return { ...rest, ...walkMetadata(metadata, visit), parts: walkParts(message.parts, visit) };
}

function walkArtifact(artifact: Artifact, visit: Visit): Artifact {
  const { metadata, name, description, ...rest } = artifact;
  return {
    ...rest,
    ...(name !== undefined && { name: visit(name) }),
    ...(description !== undefined && { description: visit(description) }),
    ...walkMetadata(metadata, visit),
    parts: walkParts(artifact.parts, visit),
  };
}

function walkParts(parts: readonly Part[], visit: Visit): readonly Part[] {
  const dropped = parts.some((part) => 'raw' in part || 'url' in part);
  const kept = parts.flatMap((part) => walkPart(part, visit));
  return dropped ? [...kept, DROPPED] : kept;
}

function walkPart(part: Part, visit: Visit): readonly Part[] {
  if ('raw' in part || 'url' in part) return [];
  const { metadata, filename, ...rest } = part;
  const frame = {
    ...(filename !== undefined && { filename: visit(filename) }),
    ...walkMetadata(metadata, visit),
  };
  if ('text' in rest) return [{ ...rest, ...frame, text: visit(cut(rest.text)) }];
  const budget = { left: REDACTED_CHARACTERS };
  const data = walkJson(rest.data, visit, budget);
  return [{ ...rest, ...frame, data: isJsonObject(data) ? { ...data, ...toBeNamed(rest) } : data }];
}

function cut(text: string): string {
  return text.length > REDACTED_CHARACTERS ? `${text.slice(0, REDACTED_CHARACTERS)}…` : text;
}

function walkMetadata(
  metadata: JsonObject | undefined,
  visit: Visit,
): { readonly metadata?: JsonObject } {
  if (metadata === undefined) return {};
  const walked = walkJson(metadata, visit, { left: REDACTED_CHARACTERS });
  return isJsonObject(walked) ? { metadata: walked } : {};
}

/**
 * Keys are names that a program chose, but a map may be keyed by people: they are redacted, too.
 */
function walkJson(value: Json, visit: Visit, budget: { left: number }): Json {
  if (typeof value === 'string') {
    const kept = value.slice(0, Math.max(0, budget.left));
    budget.left -= kept.length;
    return visit(kept);
  }
  if (Array.isArray(value)) return value.map((member: Json) => walkJson(member, visit, budget));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [visit(key), walkJson(member, visit, budget)]),
  );
}
