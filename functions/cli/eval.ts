import { systemIds } from '../../shared/system/system-ids.ts';
import { EXIT, usage } from './cli-error.ts';
import type { Command, Found, Surroundings } from './command.ts';
import { type EvalCase, readCases } from './evals/cases.ts';
import { reportView, summaryOf } from './evals/report.ts';
import { addResult, openResults, readResults } from './evals/results.ts';
import { asking, runCases } from './evals/run-cases.ts';
import { scorersFor } from './evals/scorers.ts';

const text = (value: string | boolean | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Sends the cases of a data set to an agent, and scores what comes back. */
export const EVAL: Command = {
  name: 'eval',
  takes: '<agent>',
  summary: 'sends the cases of a file to an agent, scores the answers, and compares two versions',
  ends: 'It ends with 1 if a case did not pass.',
  examples: [
    'eval assistant --cases cases.jsonl --out 1.jsonl',
    'eval assistant --cases cases.jsonl --out 2.jsonl --against 1.jsonl',
    'eval assistant --cases c.jsonl --out 1.jsonl --score exact,agent:j',
  ],
  options: [
    { name: 'cases', value: 'file', help: 'of cases, one line of JSON each' },
    { name: 'out', value: 'file', help: 'for the results; where it is there already, it goes on' },
    {
      name: 'score',
      value: 'names',
      help: 'exact, contains, schema, agent:<name> or a module, with a comma between (default: by what each case has)',
    },
    { name: 'against', value: 'file', help: 'of earlier results, to compare with' },
    { name: 'at-once', value: 'number', help: 'cases at a time, 64 at most (default 4)' },
    { name: 'pass', value: 'score', help: 'a case has passed from this score on (default 1)' },
  ],
  run: evaluate,
};

async function evaluate(around: Surroundings): Promise<Found> {
  const { args, json, options, show } = around;
  const [agent = ''] = args;
  const [file, out] = [text(options['cases']), text(options['out'])];
  if (agent === '') throw usage('the name of the agent is missing; `holdfast agents` lists them');
  if (file === undefined) throw usage('--cases is missing: a file with a line of JSON a case');
  if (out === undefined) throw usage('--out is missing: the file for the results');
  const pass = numberIn(around, 'pass', 1, 0, 1);
  const atOnce = Math.floor(numberIn(around, 'at-once', 4, 1, 64));
  const before = text(options['against']);
  const earlier = before === undefined ? undefined : readResults(before);
  const { cases, digest } = readCases(file);
  const score = text(options['score'])?.split(',') ?? usual(cases);
  const at = new Date(around.now).toISOString();
  const evaluation = systemIds().uuid();
  const { head, results } = openResults(out, { evaluation, agent, digest, at, score: [...score] });
  const ask = asking(around, head);
  const scorers = await scorersFor(score, ask);
  const done = new Set(results.map((each) => each.case));
  const found = [...results];
  await runCases(
    around,
    cases.filter(({ id }) => !done.has(id)),
    {
      head,
      ask,
      scorers,
      atOnce,
      over(result) {
        addResult(out, result);
        found.push(result);
        if (!json) show(`${found.length} of ${cases.length}: ${result.case} ${result.score}`);
      },
    },
  );
  const now = { head, results: found };
  const report = { cases, now, pass, ...(earlier !== undefined && { before: earlier }) };
  const summary = summaryOf(now, cases.length, pass);
  const was = earlier && { against: summaryOf(earlier, cases.length, pass) };
  return {
    data: { ...summary, ...was, results: found },
    text: reportView(report),
    exit: summary.passed === cases.length ? 0 : EXIT.refused,
  };
}

/** What the cases themselves say. */
function usual(cases: readonly EvalCase[]): readonly string[] {
  const names = [
    ...(cases.every(({ expect }) => expect !== undefined) ? ['exact'] : []),
    ...(cases.every(({ schema }) => schema !== undefined) ? ['schema'] : []),
  ];
  if (names.length > 0) return names;
  throw usage('--score is missing: not every case has `expect`, nor has every one `schema`');
}

function numberIn(
  { options }: Surroundings,
  name: string,
  fallback: number,
  least: number,
  most: number,
): number {
  const given = options[name];
  if (given === undefined) return fallback;
  const value = Number(given);
  if (given !== '' && value >= least && value <= most) return value;
  throw usage(`--${name} is ${JSON.stringify(given)}; it is a number from ${least} to ${most}`);
}
