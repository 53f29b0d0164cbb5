import { rises } from './ceilings.ts';
import type { Assumptions, Deployment } from './deployment.ts';
import type { Outcome } from './simulate.ts';

export const headOf = [
  'offered/s',
  'accepted/s',
  'completed/s',
  'purged/s',
  'claimed p50',
  'p99',
  'completed p50',
  'p99',
  'below the load, lowest first (tasks/s)',
  'next ceiling',
  'used up',
  'rise',
] as const;

const FULL = 0.97;

/** One load: what it got, and which ceilings lie below it. */
export function rowOf(
  rate: number,
  deployment: Deployment,
  given: Assumptions,
  outcome: Outcome,
): readonly string[] {
  const { toClaimed, toCompleted, ceilings } = outcome;
  const words = ({ name, tasksPerSecond }: Outcome['ceilings'][number]): string =>
    `${name} ${short(tasksPerSecond)}`;
  const broken = ceilings.filter(({ tasksPerSecond }) => tasksPerSecond < rate);
  const next = ceilings.find(({ tasksPerSecond }) => tasksPerSecond >= rate);
  const used = Object.entries(outcome.use).flatMap(([name, use]) => (use >= FULL ? [name] : []));
  const { firestore, bucket } = rises(rate, given);
  return [
    short(rate),
    short(outcome.accepted),
    short(outcome.completed),
    short(outcome.purged),
    span(toClaimed.p50),
    span(toClaimed.p99),
    span(toCompleted.p50),
    span(toCompleted.p99),
    broken.map(words).join('; ') || '-',
    next === undefined ? '-' : words(next),
    used.join('; ') || '-',
    `${Math.max(firestore, bucket)} min`,
  ];
}

export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const rule = head.map((_, at) => (at < 8 ? '---:' : '---'));
  return [head, rule, ...rows].map(line).join('\n');
}

function short(value: number): string {
  return value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString('en');
}

/** What was not over when the simulation ended is longer than half of it, or almost. */
function span(milliseconds: number): string {
  if (!Number.isFinite(milliseconds)) return 'not seen';
  const seconds = milliseconds / 1_000;
  return `${seconds < 10 ? seconds.toFixed(2) : seconds.toFixed(0)} s`;
}
