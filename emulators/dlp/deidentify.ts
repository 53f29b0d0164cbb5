import { inspect } from './inspect.ts';
import type { DeidentifyRequest } from './request.ts';

// https://cloud.google.com/sensitive-data-protection/limits
const MAX_FINDINGS = 3_000;

/**
 * As
 * https://cloud.google.com/sensitive-data-protection/docs/reference/rest/v2/DeidentifyContentResponse;
 * or why not.
 */
export function deidentify({ item, inspectConfig }: DeidentifyRequest): object | string {
  const names = inspectConfig.infoTypes.map(({ name }) => name);
  const { headers, rows } = item.table;
  const inspected = rows.map(({ values }) =>
    values.map(({ stringValue }) => inspect(stringValue, names)),
  );
  const totals = new Map<string, number>();
  for (const { counts } of inspected.flat()) {
    for (const [name, count] of counts) totals.set(name, (totals.get(name) ?? 0) + count);
  }
  const findings = [...totals.values()].reduce((sum, each) => sum + each, 0);
  if (findings > MAX_FINDINGS) {
    return 'Too many findings to de-identify. Retry with a smaller request.';
  }
  return {
    item: {
      table: {
        headers,
        rows: inspected.map((row) => ({ values: row.map(({ text }) => ({ stringValue: text })) })),
      },
    },
    overview: {
      // int64 is a string in JSON.
      transformedBytes: String(findings),
      transformationSummaries: [...totals].map(([name, count]) => ({
        infoType: { name },
        transformation: { replaceWithInfoTypeConfig: {} },
        results: [{ count: String(count), code: 'SUCCESS' }],
        transformedBytes: String(count),
      })),
    },
  };
}
