import { z } from 'zod';
import type { Buckets } from './buckets.ts';
import type { Exchange } from './exchange.ts';
import { parseGiven, resourceOf, type StoredObject } from './object.ts';
import { requireConditions, wholeNumber } from './preconditions.ts';
import { invalid, Refusal } from './refusal.ts';

interface Place {
  readonly bucket: string;
  readonly name: string;
}

/**
 * A copy in one call (https://cloud.google.com/storage/docs/json_api/v1/objects/rewrite and
 * .../copy): its metadata is the source's unless the request has a body. The service may answer a
 * large rewrite with `done: false`; this one never does.
 */
export function copyObject(
  buckets: Buckets,
  from: Place,
  to: Place,
  { query, body, send }: Exchange,
  how: string,
): void {
  const wanted = wholeNumber(query.get('sourceGeneration'));
  const source = buckets.find(from.bucket, from.name, wanted);
  requireConditions(source, query, 'source');
  const given = parseGiven(body);
  const settable = Object.keys(given).length === 0 ? source.settable : given;
  const { components } = source;
  const copy = buckets.write(
    to.bucket,
    to.name,
    source.body,
    settable,
    query,
    components === undefined ? {} : { components },
  );
  const size = String(copy.body.length);
  const resource = resourceOf(copy);
  const rewritten = { totalBytesRewritten: size, objectSize: size, done: true, resource };
  send(200, how === 'copyTo' ? resource : { kind: 'storage#rewriteResponse', ...rewritten });
}

const composition = z.object({
  destination: z.unknown().optional(),
  sourceObjects: z.array(
    z.object({
      name: z.string(),
      generation: z.coerce.number().optional(),
      objectPreconditions: z.object({ ifGenerationMatch: z.coerce.string() }).optional(),
    }),
  ),
});

/**
 * 1 to 32 objects of one bucket become one
 * (https://cloud.google.com/storage/docs/json_api/v1/objects/compose).
 */
export function composeObject(
  buckets: Buckets,
  { bucket, name }: Place,
  { query, body, send }: Exchange,
): void {
  const parsed = composition.safeParse(JSON.parse(body.toString()));
  if (!parsed.success) throw invalid('Parse Error');
  const { sourceObjects, destination } = parsed.data;
  if (sourceObjects.length < 1 || sourceObjects.length > 32) {
    throw invalid('The number of source components provided must be between 1 and 32');
  }
  const sources = sourceObjects.map((each): StoredObject => {
    const found = buckets.find(bucket, each.name, each.generation);
    const expected = each.objectPreconditions?.ifGenerationMatch;
    if (expected !== undefined && expected !== String(found.generation)) {
      throw new Refusal(412, 'conditionNotMet', 'A source is not as expected.');
    }
    return found;
  });
  const bytes = Buffer.concat(sources.map((each) => each.body));
  const components = sources.reduce((sum, each) => sum + (each.components ?? 1), 0);
  const given = parseGiven(Buffer.from(JSON.stringify(destination ?? {})));
  send(200, resourceOf(buckets.write(bucket, name, bytes, given, query, { components })));
}
