import { appendFileSync, existsSync, truncateSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { usage } from '../cli-error.ts';
import { jsonOf, textOf } from './cases.ts';

const score = z.object({ score: z.number(), why: z.string().exactOptional() });

const resultSchema = z.object({
  case: z.string(),
  task: z.string().exactOptional(),
  state: z.string(),
  /** The lowest of its scores. */
  score: z.number(),
  scores: z.record(z.string(), score),
  /** From the message to its end, by the clock of the server. */
  tookMs: z.number().exactOptional(),
  /** In millionths of the currency of the prices; absent of an agent without a model. */
  cost: z.number().exactOptional(),
  tokens: z.number().exactOptional(),
  text: z.string(),
});
/** What came of one case. */
export type Result = z.output<typeof resultSchema>;

const headSchema = z.object({
  /** Tasks of one evaluation follow from it, so that a case is never sent as two. */
  evaluation: z.string(),
  agent: z.string(),
  /** Of the cases. */
  digest: z.string(),
  score: z.array(z.string()),
  at: z.string(),
});
export type Head = z.output<typeof headSchema>;

export interface Results {
  readonly head: Head;
  readonly results: readonly Result[];
}

/**
 * A file of results: a head, then a line for each case that is over. A line that a kill cut off is
 * left out. Throws CliError.
 */
export function readResults(file: string): Results {
  const [first = '', ...lines] = textOf(file).split('\n');
  const head = headSchema.safeParse(jsonOf(first));
  if (!head.success) throw usage(`${file} holds no results of an evaluation`);
  const results = lines.flatMap((line) => resultSchema.safeParse(jsonOf(line)).data ?? []);
  return { head: head.data, results };
}

/** The results so far, in a file that can be added to. `begin`: of an evaluation that is new. */
export function openResults(file: string, begin: Head): Results {
  if (!existsSync(file)) writeFileSync(file, `${JSON.stringify(begin)}\n`);
  const found = readResults(file);
  for (const name of ['agent', 'digest', 'score'] as const)
    if (String(found.head[name]) !== String(begin[name]))
      throw usage(
        `${file} is of another evaluation (its ${name === 'digest' ? 'cases are' : `${name} is`} another): give another --out, or remove it`,
      );
  const whole = textOf(file);
  truncateSync(file, Buffer.byteLength(whole.slice(0, whole.lastIndexOf('\n') + 1)));
  return found;
}

export function addResult(file: string, result: Result): void {
  appendFileSync(file, `${JSON.stringify(result)}\n`);
}
