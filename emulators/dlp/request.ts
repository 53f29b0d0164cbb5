// The part of a request that the double takes, and nothing else: a field that the service does not
// know is a 400 there, too.
// https://cloud.google.com/sensitive-data-protection/docs/reference/rest/v2/projects.locations.content/deidentify
// .../rest/v2/ContentItem#Table, .../rest/v2/InspectConfig,
// .../rest/v2/projects.deidentifyTemplates#DeidentifyConfig
import { z } from 'zod';

const INFO_TYPE = /^[A-Za-z0-9$_-]{1,64}$/;
const value = z.strictObject({ stringValue: z.string() });

const REQUEST = z.strictObject({
  item: z.strictObject({
    table: z.strictObject({
      headers: z.array(z.strictObject({ name: z.string().min(1) })).min(1),
      rows: z.array(z.strictObject({ values: z.array(value) })),
    }),
  }),
  inspectConfig: z.strictObject({
    infoTypes: z
      .array(z.strictObject({ name: z.string().regex(INFO_TYPE), version: z.string().optional() }))
      .max(150),
    minLikelihood: z
      .enum(['VERY_UNLIKELY', 'UNLIKELY', 'POSSIBLE', 'LIKELY', 'VERY_LIKELY'])
      .optional(),
  }),
  deidentifyConfig: z.strictObject({
    infoTypeTransformations: z.strictObject({
      transformations: z
        .array(
          z.strictObject({
            infoTypes: z.array(z.strictObject({ name: z.string().regex(INFO_TYPE) })).optional(),
            primitiveTransformation: z.strictObject({
              replaceWithInfoTypeConfig: z.strictObject({}),
            }),
          }),
        )
        .length(1),
    }),
  }),
});

export type DeidentifyRequest = z.infer<typeof REQUEST>;

// https://cloud.google.com/sensitive-data-protection/limits
const MAX_BYTES = 524_288;
const MAX_VALUES = 50_000;

/** The request, or why the service would not take it. */
export function parseRequest(body: Buffer): DeidentifyRequest | string {
  if (body.length > MAX_BYTES) return `Request payload size exceeds the limit: ${MAX_BYTES} bytes.`;
  const parsed = REQUEST.safeParse(parseJson(body));
  if (!parsed.success) return z.prettifyError(parsed.error);
  const { headers, rows } = parsed.data.item.table;
  if (headers.length * rows.length > MAX_VALUES) return 'Too many values in the table.';
  const ragged = rows.some(({ values }) => values.length !== headers.length);
  return ragged ? 'The number of values in a row must match the number of headers.' : parsed.data;
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}
