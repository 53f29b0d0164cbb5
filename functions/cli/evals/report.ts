import { type Cell, type Column, facts, table, type View } from '../screen/view.ts';
import { moneyOf, spanOf } from '../table.ts';
import type { EvalCase } from './cases.ts';
import type { Result, Results } from './results.ts';

/** What an evaluation came to. */
export interface Summary {
  readonly agent: string;
  readonly cases: number;
  readonly passed: number;
  /** Of the cases that are over. */
  readonly score: number;
  readonly tookMs: { readonly p50: number; readonly p90: number };
  readonly cost: number;
  readonly tokens: number;
}

export function summaryOf({ head, results }: Results, cases: number, pass: number): Summary {
  const sum = (of: (result: Result) => number): number =>
    results.reduce((all, each) => all + of(each), 0);
  const took = results.flatMap(({ tookMs }) => tookMs ?? []).toSorted((a, b) => a - b);
  const at = (share: number): number => took[Math.ceil(share * took.length) - 1] ?? 0;
  return {
    agent: head.agent,
    cases,
    passed: results.filter(({ score }) => score >= pass).length,
    score: results.length === 0 ? 0 : sum(({ score }) => score) / results.length,
    tookMs: { p50: at(0.5), p90: at(0.9) },
    cost: sum(({ cost = 0 }) => cost),
    tokens: sum(({ tokens = 0 }) => tokens),
  };
}

const COLUMNS: readonly Column[] = [
  { name: 'case' },
  { name: 'score', fixed: true, right: true },
  { name: 'took', fixed: true, right: true },
  { name: 'cost', fixed: true, right: true },
  { name: 'why', heading: '' },
];
const WAS: Column = { name: 'was', fixed: true, right: true };

const scoreOf = (score: number): string => score.toFixed(2);
const better = (now: number, was: number): string => `${scoreOf(now)} (was ${scoreOf(was)})`;

export interface Report {
  readonly cases: readonly EvalCase[];
  readonly now: Results;
  readonly pass: number;
  /** Of another version, to compare with. */
  readonly before?: Results;
}

/** A row for each case, what failed first, and what all of it comes to. */
export function reportView({ before, cases, now, pass }: Report): View {
  const found = new Map(now.results.map((each) => [each.case, each]));
  const earlier = new Map(before?.results.map((each) => [each.case, each]));
  const over = cases
    .flatMap(({ id }) => found.get(id) ?? [])
    .toSorted((one, other) => Number(one.score >= pass) - Number(other.score >= pass));
  const rows = over.map((result): readonly Cell[] => {
    const { cost, score, tookMs } = result;
    const was = earlier.get(result.case)?.score;
    return [
      result.case,
      { text: scoreOf(score), look: score >= pass ? 'good' : 'bad' },
      ...(before === undefined ? [] : [was === undefined ? '-' : scoreOf(was)]),
      tookMs === undefined ? '' : spanOf(tookMs),
      cost === undefined ? '' : moneyOf(cost),
      whyOf(result),
    ];
  });
  const [first, second, ...rest] = COLUMNS;
  const columns =
    before === undefined || first === undefined || second === undefined
      ? COLUMNS
      : [first, second, WAS, ...rest];
  const all = summaryOf(now, cases.length, pass);
  const old = before && summaryOf(before, cases.length, pass);
  return [
    table({ columns, rows, none: 'no case is over' }),
    facts([
      ['agent', all.agent],
      ['passed', `${all.passed} of ${all.cases}${old ? ` (was ${old.passed})` : ''}`],
      ['score', old ? better(all.score, old.score) : scoreOf(all.score)],
      [
        'took',
        `half within ${spanOf(all.tookMs.p50)}, 90 % ${spanOf(all.tookMs.p90)}${old ? ` (was ${spanOf(old.tookMs.p50)}, ${spanOf(old.tookMs.p90)})` : ''}`,
      ],
      [
        'cost',
        all.tokens === 0 && all.cost === 0
          ? undefined
          : `${moneyOf(all.cost)}, ${all.tokens} tokens${old ? ` (was ${moneyOf(old.cost)}, ${old.tokens})` : ''}`,
      ],
    ]),
  ];
}

function whyOf({ scores, state }: Result): string {
  const low = Object.entries(scores).filter(([, { score, why }]) => score < 1 || why !== undefined);
  if (low.length === 0) return Object.keys(scores).length === 0 ? state : '';
  return low.map(([name, { why = '' }]) => `${name}: ${why}`).join('; ');
}
