import { z } from 'zod';

const RESULT = z.object({
  // int64 in JSON: https://protobuf.dev/programming-guides/json/
  count: z.coerce.number().default(0),
  code: z.string().optional(),
});

// https://cloud.google.com/sensitive-data-protection/docs/reference/rest/v2/DeidentifyContentResponse
const ANSWER = z.object({
  item: z.object({
    table: z.object({
      rows: z.array(z.object({ values: z.tuple([z.object({ stringValue: z.string() })]) })),
    }),
  }),
  overview: z
    .object({
      transformationSummaries: z
        .array(z.object({ results: z.array(RESULT).default([]) }))
        .default([]),
    })
    .optional(),
});

const REFUSAL = z.object({ error: z.object({ message: z.string(), status: z.string() }) });

// https://cloud.google.com/sensitive-data-protection/limits. Where an inspection meets it, it "ends
// gradually" (.../docs/reference/rest/v2/InspectConfig#FindingLimits): what comes later in the
// request may not have been looked at.
const MAX_FINDINGS = 3_000;

/**
 * `too many`: ask in smaller requests. `no answer`: rows are missing, or a replacement failed and
 * its text was left.
 */
export type Reading = readonly string[] | 'too many' | 'no answer';

/** One text a row. */
export function readResponse(answer: unknown, rows: number): Reading {
  const parsed = ANSWER.safeParse(answer);
  if (!parsed.success) return 'no answer';
  const { item, overview } = parsed.data;
  const results = overview?.transformationSummaries.flatMap((each) => each.results) ?? [];
  if (results.some(({ code }) => code === 'ERROR')) return 'no answer';
  if (results.reduce((sum, { count }) => sum + count, 0) >= MAX_FINDINGS) return 'too many';
  const texts = item.table.rows.map(({ values: [{ stringValue }] }) => stringValue);
  return texts.length === rows ? texts : 'no answer';
}

export interface Refusal {
  /** Its message stays here: it may quote a text. */
  readonly status: string;
  readonly tooMany: boolean;
}

/** Of an answer with an error (https://cloud.google.com/apis/design/errors#http_mapping). */
export function readRefusal(answer: unknown): Refusal {
  const { status = '', message = '' } = REFUSAL.safeParse(answer).data?.error ?? {};
  return { status, tooMany: /too many findings/i.test(message) };
}
