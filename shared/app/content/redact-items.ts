import type { Item } from '../../domain/item.ts';
import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';
import type { Artifact, Message, Part } from '../../domain/message.ts';
import type { Redactor } from '../../ports/redactor.ts';
import { withoutCutTexts } from './cut-texts.ts';
import { toBeNamed } from './pause-parts.ts';

/** Longest text of a redacted part, in characters: a summary may be kept, a document may not. */
export const REDACTED_CHARACTERS = 2_000;

/** What stands where a file or link stood. */
const DROPPED: Part = { text: '[a file or link was removed by the privacy policy]' };

/**
 * Items as they may be kept at the level `redacted`: every string in them that a person could have
 * written goes through the redactor, ids, keys and long numbers, too, and is cut at its limit.
 * Files and links become a marker, and so does a text whose parts can't be redacted one by one.
 */
export async function redactItems(
  redactor: Redactor,
  given: readonly Item[],
): Promise<readonly Item[]> {
  const items = await withoutCutTexts(redactor, given);
  const texts = new Texts();
  for (const item of items) walkItem(item, (text, limit) => texts.collect(text, limit));
  await texts.redact(redactor);
  return items.map((item) => walkItem(item, (text, limit) => texts.redacted(text, limit)));
}

/** The same of JSON: each value as the data of a part. Throws Unavailable. */
export async function redactValues(
  redactor: Redactor,
  values: readonly Json[],
): Promise<readonly Json[]> {
  const texts = new Texts();
  const walk = (visit: Visit) =>
    values.map((value) => walkJson(value, visit, { left: REDACTED_CHARACTERS }));
  walk((text, limit) => texts.collect(text, limit));
  await texts.redact(redactor);
  return walk((text, limit) => texts.redacted(text, limit));
}

/** What becomes of a text, of which at most so many characters may be kept. */
type Visit = (text: string, limit: number) => string;

/**
 * So much more than may be kept is looked at, and what is left of that is not kept: longer than an
 * address, a card number or the beginning of a key, so that none is cut in two before it is found.
 */
const MARGIN = 512;
/** Of names and ids, which are to be short; documents have a part. */
const NAME = 200;

const windowOf = (text: string, limit: number): string => text.slice(0, limit + MARGIN);

/** Collects texts first, so that a redactor that is a service is asked once for all of them. */
class Texts {
  readonly #texts = new Map<string, string>();

  collect(text: string, limit: number): string {
    this.#texts.set(windowOf(text, limit), '');
    return text;
  }

  async redact(redactor: Redactor): Promise<void> {
    const originals = [...this.#texts.keys()];
    const answers = originals.length === 0 ? [] : await redactor.redact(originals);
    originals.forEach((text, at) => this.#texts.set(text, answers[at] ?? ''));
  }

  redacted(text: string, limit: number): string {
    const window = windowOf(text, limit);
    const redacted = this.#texts.get(window) ?? '';
    // The end of a window is not the end of the text: what stands there may be half of something.
    const seen = window.length < text.length ? redacted.slice(0, -MARGIN) : redacted;
    const kept = seen.slice(0, limit);
    return text.length > limit && limit > 0 ? `${kept}…` : kept;
  }
}

function walkItem(item: Item, visit: Visit): Item {
  switch (item.kind) {
    case 'message':
      return { ...item, message: walkMessage(item.message, visit) };
    case 'artifact':
      return { ...item, artifact: walkArtifact(item.artifact, visit) };
    case 'status': {
      const { message, metadata, ...rest } = item;
      return {
        ...rest,
        ...(message !== undefined && { message: walkMessage(message, visit) }),
        ...walkMetadata(metadata, visit),
      };
    }
  }
}

function walkMessage(message: Message, visit: Visit): Message {
  const { extensions, messageId, metadata, parts, referenceTaskIds, ...rest } = message;
  return {
    ...rest,
    messageId: walkId(messageId, visit),
    ...(extensions && { extensions: extensions.map((uri) => visit(uri, NAME)) }),
    ...(referenceTaskIds && { referenceTaskIds: referenceTaskIds.map((id) => walkId(id, visit)) }),
    ...walkMetadata(metadata, visit),
    parts: walkParts(parts, visit),
  };
}

function walkArtifact(artifact: Artifact, visit: Visit): Artifact {
  const { artifactId, metadata, name, description, extensions, parts, ...rest } = artifact;
  return {
    ...rest,
    artifactId: walkId(artifactId, visit),
    ...(name !== undefined && { name: visit(name, NAME) }),
    ...(description !== undefined && { description: visit(description, REDACTED_CHARACTERS) }),
    ...(extensions && { extensions: extensions.map((uri) => visit(uri, NAME)) }),
    ...walkMetadata(metadata, visit),
    parts: walkParts(parts, visit),
  };
}

/** Equal ids stay equal. A UUID says nothing, and its digits are not to be taken for a number. */
function walkId(id: string, visit: Visit): string {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id) ? id : visit(id, NAME);
}

function walkParts(parts: readonly Part[], visit: Visit): readonly Part[] {
  const dropped = parts.some((part) => 'raw' in part || 'url' in part);
  const kept = parts.flatMap((part) => walkPart(part, visit));
  return dropped ? [...kept, DROPPED] : kept;
}

function walkPart(part: Part, visit: Visit): readonly Part[] {
  if ('raw' in part || 'url' in part) return [];
  const { metadata, filename, mediaType, ...rest } = part;
  const frame = {
    ...(filename !== undefined && { filename: visit(filename, NAME) }),
    ...walkMediaType(mediaType, visit),
    ...walkMetadata(metadata, visit),
  };
  if ('text' in rest) return [{ ...rest, ...frame, text: visit(rest.text, REDACTED_CHARACTERS) }];
  const data = walkJson(rest.data, visit, { left: REDACTED_CHARACTERS });
  const named = isJsonObject(data) ? { ...data, ...toBeNamed(part) } : data;
  return [{ ...rest, ...frame, data: named }];
}

/** Type and subtype (RFC 6838, 4.2), without parameters, which can say anything. */
function walkMediaType(
  mediaType: string | undefined,
  visit: Visit,
): { readonly mediaType?: string } {
  const [type = ''] = (mediaType ?? '').split(';');
  const known = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}$/.test(type.trim());
  return known ? { mediaType: visit(type.trim(), NAME) } : {};
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
 * Keys are names that a program chose, but a map may be keyed by people, or hold a document: they
 * are redacted, too, and count. What lies behind the last character that may be kept is left out.
 */
function walkJson(value: Json, visit: Visit, budget: { left: number }): Json {
  if (typeof value === 'string') return within(value, visit, budget);
  if (typeof value === 'number') return walkNumber(value, visit);
  if (Array.isArray(value)) return value.map((member: Json) => walkJson(member, visit, budget));
  if (!isJsonObject(value)) return value;
  const kept: [string, Json][] = [];
  for (const [key, member] of Object.entries(value)) {
    if (budget.left === 0) break;
    kept.push([within(key, visit, budget), walkJson(member, visit, budget)]);
  }
  return Object.fromEntries(kept);
}

function within(text: string, visit: Visit, budget: { left: number }): string {
  const limit = budget.left;
  budget.left = Math.max(0, limit - text.length);
  return limit === 0 ? '' : visit(text, limit);
}

/** The shortest number that names a person, a phone number, has seven digits. */
const DIGITS = 7;

function walkNumber(value: number, visit: Visit): Json {
  const text = String(value);
  if (text.replaceAll(/\D/g, '').length < DIGITS) return value;
  const seen = visit(text, NAME);
  return seen === text ? value : seen;
}
