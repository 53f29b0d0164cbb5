import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { sha256 } from '../../../shared/domain/digest.ts';
import { usage } from '../cli-error.ts';

/** A case of a data set, one line of JSON. */
const caseSchema = z.strictObject({
  /** Default: the number of its line. */
  id: z.string().min(1).max(200).optional(),
  /** A text, or the parts of a message. */
  input: z.union([z.string().min(1), z.array(z.looseObject({})).min(1).max(20)]),
  /** What the answer is to be, for the scorers `exact` and `contains`, or for a person to read. */
  expect: z.unknown().optional(),
  /** A JSON Schema that the data of the answer is to fit, for the scorer `schema`. */
  schema: z.record(z.string(), z.unknown()).optional(),
  /** The state that the task is to come to rest in. */
  state: z.string().default('TASK_STATE_COMPLETED'),
});

export type EvalCase = z.output<typeof caseSchema> & { readonly id: string };

export interface Cases {
  readonly cases: readonly EvalCase[];
  /** Of the file: results belong to exactly these cases. */
  readonly digest: string;
}

const MOST = 10_000;

/** Throws CliError, which names the line and the field at fault. */
export function readCases(file: string): Cases {
  const text = textOf(file);
  const cases = text.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return [];
    const given = caseSchema.safeParse(jsonOf(line));
    const [issue] = given.success ? [] : given.error.issues;
    if (!given.success)
      throw usage(`${file}:${at + 1}: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`);
    return [{ ...given.data, id: given.data.id ?? String(at + 1) }];
  });
  if (cases.length === 0) throw usage(`${file} holds no cases; one line of JSON is one case`);
  if (cases.length > MOST) throw usage(`${file} holds more than ${MOST} cases`);
  const ids = cases.map(({ id }) => id);
  const twice = ids.find((id, at) => ids.indexOf(id) < at);
  if (twice !== undefined) throw usage(`${file}: two cases have the id ${twice}`);
  return { cases, digest: sha256(text) };
}

export function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'no file';
    throw usage(`${file} can't be read (${code})`);
  }
}

/** Undefined is no case and no result either. */
export function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
