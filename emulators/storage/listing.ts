import type { Bucket } from './buckets.ts';
import { resourceOf, type StoredObject } from './object.ts';
import { wholeNumber } from './preconditions.ts';
import { invalid } from './refusal.ts';

const PAGE = 1_000;

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/**
 * A page of a bucket (https://cloud.google.com/storage/docs/json_api/v1/objects/list): names in the
 * order of their UTF-8 bytes; `prefix`, `delimiter`, `startOffset` (inclusive), `endOffset`
 * (exclusive), `versions`, `includeTrailingDelimiter`. Objects and prefixes count together towards
 * `maxResults`.
 */
export function listObjects(bucket: Bucket, query: URLSearchParams): object {
  const limit = Math.min(wholeNumber(query.get('maxResults')) || PAGE, PAGE);
  const passed = placeOf(query.get('pageToken'));
  const items: object[] = [];
  const prefixes: string[] = [];
  let last = passed;
  for (const entry of entriesOf(bucket, query)) {
    const runKey: Place = typeof entry === 'string' ? [entry, 0] : [entry.name, entry.generation];
    if (!isAfter(runKey, passed)) continue;
    if (items.length + prefixes.length === limit) {
      return { kind: 'storage#objects', items, prefixes, nextPageToken: tokenOf(last) };
    }
    if (typeof entry === 'string') prefixes.push(entry);
    else items.push(resourceOf(entry));
    last = runKey;
  }
  return { kind: 'storage#objects', items, prefixes };
}

/** Objects, and the prefixes that stand for those below a delimiter, in order. */
function* entriesOf(bucket: Bucket, query: URLSearchParams): Iterable<StoredObject | string> {
  const prefix = query.get('prefix') ?? '';
  const delimiter = query.get('delimiter') ?? '';
  const from = query.get('startOffset') ?? '';
  const to = query.get('endOffset');
  const versions = query.get('versions') === 'true';
  const trailing = query.get('includeTrailingDelimiter') === 'true';
  const names = [...bucket.objects.keys()].filter(
    (name) =>
      name.startsWith(prefix) && byBytes(name, from) >= 0 && (to === null || byBytes(name, to) < 0),
  );
  let last: string | undefined;
  for (const name of names.sort(byBytes)) {
    const shown = (bucket.objects.get(name) ?? []).filter(
      (each) => versions || each.replaced === undefined,
    );
    if (shown.length === 0) continue;
    const cut = delimiter === '' ? -1 : name.indexOf(delimiter, prefix.length);
    if (cut < 0) {
      yield* shown;
      continue;
    }
    const common = name.slice(0, cut + delimiter.length);
    if (common !== last) yield common;
    last = common;
    if (trailing && common === name) yield* shown;
  }
}

/** A name (or common prefix) and a generation: what is deleted between two pages makes no gap. */
type Place = readonly [name: string, generation: number];

function isAfter([name, generation]: Place, [passed, passedGeneration]: Place): boolean {
  const order = byBytes(name, passed);
  return order > 0 || (order === 0 && generation > passedGeneration);
}

/** Opaque to the client. */
function tokenOf([name, generation]: Place): string {
  return Buffer.from(`${generation} ${name}`).toString('base64url');
}

function placeOf(token: string | null): Place {
  if (token === null) return ['', -1];
  const [, generation, name] = /^(-?[0-9]+) (.+)$/s.exec(
    Buffer.from(token, 'base64url').toString(),
  ) ?? [undefined, '0', undefined];
  if (name === undefined) throw invalid('Invalid page token');
  return [name, Number(generation)];
}
