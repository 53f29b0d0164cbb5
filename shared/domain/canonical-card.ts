import { canonicalJson, isJsonObject, type Json, type JsonObject } from './json.ts';

/**
 * What the signatures of an agent card of ours are made of (section 8.4.1): the card without its
 * signatures and without fields that say what their absence says, in RFC 8785. The official SDKs
 * also drop every object that is empty, which the protocol keeps: a security requirement without
 * scopes, parameters of an extension. Where that makes a difference there are two forms, and a card
 * is signed in both.
 */
export function canonicalForms(card: JsonObject): readonly string[] {
  const explicit = withoutDefaults(withoutSignatures(card));
  const protocols = canonicalJson(explicit);
  const sdks = canonicalJson(withoutEmpty(explicit) ?? {});
  return protocols === sdks ? [protocols] : [protocols, sdks];
}

/** The card as it is served, every field of it, in RFC 8785. */
export function canonicalAsServed(card: JsonObject): string {
  return canonicalJson(withoutSignatures(card));
}

function withoutSignatures(card: JsonObject): JsonObject {
  return Object.fromEntries(entriesOf(card).filter(([name]) => name !== 'signatures'));
}

/**
 * ProtoJSON of what is set. Not for the fields that are `optional` in the protocol: false is a word
 * there. What an extension's `params` hold is the extension's.
 */
function withoutDefaults(value: Json): Json {
  if (Array.isArray(value)) return value.map((each: Json) => withoutDefaults(each));
  if (!isJsonObject(value)) return value;
  const kept = entriesOf(value).filter(([name, each]) => !isDefault(name, each));
  return Object.fromEntries(
    kept.map(([name, each]) => [name, name === 'params' ? each : withoutDefaults(each)]),
  );
}

function isDefault(name: string, value: Json): boolean {
  if (name === 'required' && value === false) return true;
  return value === '' || value === null || (Array.isArray(value) && value.length === 0);
}

function withoutEmpty(value: Json): Json | undefined {
  if (value === '' || value === null) return undefined;
  if (Array.isArray(value)) {
    const kept = value.map((each: Json) => withoutEmpty(each)).filter((each) => each !== undefined);
    return kept.length === 0 ? undefined : kept;
  }
  if (!isJsonObject(value)) return value;
  const kept = entriesOf(value).flatMap(([name, each]) => {
    const left = withoutEmpty(each);
    return left === undefined ? [] : [[name, left] as const];
  });
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

function entriesOf(value: JsonObject): readonly (readonly [string, Json])[] {
  return Object.entries(value);
}
