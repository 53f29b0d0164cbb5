import type { z } from 'zod';
import { costResponse } from '../../shared/operator/cost-operation.ts';
import { throughputResponse } from '../../shared/operator/throughput-operation.ts';
import type { Command, Surroundings } from './command.ts';
import {
  apart,
  type Cell,
  type Column,
  facts,
  line,
  section,
  table,
  type View,
} from './screen/view.ts';
import { moneyOf, spanOf } from './table.ts';

type Costs = z.input<typeof costResponse>;
type Counted = Costs['total'];
type Throughput = z.input<typeof throughputResponse>;

const NUMBERS: readonly Column[] = [
  'turns',
  'input',
  'cached',
  'output',
  'reasoning',
  'cost',
  'unpriced',
].map((name) => ({ name, right: true }));

const numbersOf = (use: Counted): readonly Cell[] => [
  String(use.turns),
  String(use.input),
  String(use.cached),
  String(use.output),
  String(use.reasoning),
  { text: moneyOf(use.cost), sort: use.cost },
  use.unpriced === 0 ? '' : String(use.unpriced),
];

function costsView({ by, from, rows, stoppedAfter, to, total }: Costs): View {
  const list = rows.map((row): readonly Cell[] => [
    ...by.map((part): Cell => (part === 'caller' ? callerOf(row) : (row[part] ?? ''))),
    ...numbersOf(row),
  ]);
  // The sum of all of them, where there are several.
  const sum = [...by.map((_, at) => (at === 0 ? 'total' : '')), ...numbersOf(total)];
  const shown = rows.length > 1 ? [...list, sum] : list;
  const columns = [...by.map((name): Column => ({ name, fixed: true })), ...NUMBERS];
  const notes =
    stoppedAfter === undefined
      ? []
      : [line(`only the first ${stoppedAfter} counters were read: ask for fewer days`)];
  const none = `no model was asked from ${from} to ${to}`;
  return [apart([table({ columns, rows: shown, none })], notes)];
}

function callerOf({ caller, owner, tenant }: Costs['rows'][number]): string {
  if (caller === undefined) return '(not yours to see)';
  if (caller === '') return '(anonymous)';
  const of = tenant === undefined ? '' : ` (${tenant})`;
  return owner === undefined
    ? `${caller.slice(0, 12)} (none of the newest runs is theirs)`
    : `${owner}${of}`;
}

function throughputView(found: Throughput): View {
  const { behind, ended, from, length, reasons, stretches, to, took, waited } = found;
  const { cancelled, completed, failed, rejected } = ended;
  const busy = stretches.filter((each) => each.completed + each.failed + each.cancelled > 0);
  return [
    apart(
      [
        facts([
          ['from', { at: from, iso: true }],
          ['to', { at: to, iso: true }],
          ['completed', String(completed)],
          ['failed', { text: String(failed), ...(failed > 0 && { look: 'bad' }) }],
          ['cancelled', String(cancelled)],
          ['rejected', String(rejected)],
          ['took', spansOf(took)],
          ['waited', spansOf(waited)],
          ['', behind ? 'more ended just now than are counted yet' : undefined],
        ]),
      ],
      reasons.length === 0
        ? []
        : section(
            'why they failed',
            table({
              columns: [{ name: 'reason' }, { name: 'runs', right: true }],
              rows: reasons.map(({ count, reason }) => [reason, String(count)]),
            }),
          ),
      busy.length === 0
        ? []
        : section(
            `each ${spanOf(length)}`,
            table({
              columns: [
                { name: 'from', fixed: true },
                ...['completed', 'failed', 'cancelled', 'rejected', 'p50', 'p99'].map((name) => ({
                  name,
                  right: true as const,
                })),
              ],
              rows: busy.map((each): readonly Cell[] => [
                { at: each.at, iso: true },
                String(each.completed),
                String(each.failed),
                String(each.cancelled),
                String(each.rejected),
                each.took.p50 === undefined ? '' : spanOf(each.took.p50),
                each.took.p99 === undefined ? '' : spanOf(each.took.p99),
              ]),
            }),
          ),
    ),
  ];
}

function spansOf({ count, p50, p90, p99 }: Throughput['took']): string | undefined {
  if (p50 === undefined || p90 === undefined || p99 === undefined) return undefined;
  return `half within ${spanOf(p50)}, 90 % ${spanOf(p90)}, 99 % ${spanOf(p99)} (${count} runs)`;
}

const query = ({ options }: Surroundings, ...names: readonly string[]): string => {
  const given = new URLSearchParams();
  for (const name of names) {
    const value = options[name];
    if (typeof value === 'string') given.set(name, value);
  }
  const text = given.toString();
  return text === '' ? '' : `?${text}`;
};

/** What models cost, and what ended lately. */
export const NUMBERS_COMMANDS: readonly Command[] = [
  {
    name: 'costs',
    summary: 'tokens and costs of models, by day unless you say by what',
    options: [
      { name: 'by', value: 'parts', help: 'day, agent, model or caller, or several: day,model' },
      { name: 'from', value: 'day', help: 'such as 2026-01-31, in UTC (default: a week)' },
      { name: 'to', value: 'day', help: 'included (default: today)' },
      { name: 'agent', value: 'name', help: 'of this agent alone' },
      { name: 'model', value: 'name', help: 'of this model alone' },
    ],
    watchable: true,
    examples: ['costs', 'costs --by agent,model --from 2026-01-01 --to 2026-01-31'],
    async run(around) {
      const path = `/costs${query(around, 'by', 'from', 'to', 'agent', 'model')}`;
      const { raw, value } = await around.client.get(path, costResponse);
      return { data: raw, text: costsView(value) };
    },
  },
  {
    name: 'throughput',
    summary: 'what ended lately in the whole installation: how, why, and how long it took',
    options: [{ name: 'window', value: 'span', help: '1h (default), 24h or 7d' }],
    watchable: true,
    examples: ['throughput --window 24h'],
    async run(around) {
      const { raw, value } = await around.client.get(
        `/throughput${query(around, 'window')}`,
        throughputResponse,
      );
      return { data: raw, text: throughputView(value) };
    },
  },
];
